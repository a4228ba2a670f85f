"""Whose question is thought about, and for how long: by a pretend clock, without any worker."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from random import Random

import pytest

from netcode.workers.scheduler import GRACE_S, HANDOVER_S, STARTING_S, Scheduler
from netcode.workers.thinking_time import budget_s


@dataclass
class Desk:
    """Workers that think until they are told to end, and questions that come to them."""

    workers: int
    now: float = 0.0
    begun: dict[int, float] = field(default_factory=dict)
    """When a worker took up a question."""
    ends: dict[int, float] = field(default_factory=dict)
    """When the thinking about those in hand is to end."""
    thought: dict[int, float] = field(default_factory=dict)
    """How long was thought about a question, once it is answered."""
    answered: dict[int, float] = field(default_factory=dict)
    given_up: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scheduler = Scheduler(self.workers)

    def ask(self, number: int, budget: float) -> None:
        self.scheduler.ask(number, budget, self.now)
        self.look()

    def look(self) -> None:
        waited, overran = self.scheduler.overdue(self.now)
        self.given_up += waited + overran
        while len(self.ends) < self.workers and (begun := self.scheduler.begin(self.now)):
            number, until = begun
            self.begun[number], self.ends[number] = self.now, until
        self.ends.update(self.scheduler.shortened(self.now))
        assert len(self.ends) <= self.workers

    def wait(self, until: float) -> None:
        while self.ends:
            number = min(self.ends, key=lambda each: self.ends[each])
            if self.ends[number] > until:
                break
            self.now = max(self.now, self.ends.pop(number))
            self.thought[number] = self.now - self.begun[number]
            self.answered[number] = self.now
            self.scheduler.end(number)
            self.look()
        self.now = max(self.now, until)


def test_one_question_has_its_whole_budget() -> None:
    desk = Desk(workers=2)
    desk.ask(1, 1.0)
    desk.wait(2.0)
    assert desk.thought == {1: pytest.approx(1.0 - HANDOVER_S)}


def test_of_a_short_budget_most_is_for_the_search() -> None:
    desk = Desk(workers=1)
    for number, budget in enumerate((0.02, 0.04)):
        desk.ask(number, budget)
        desk.wait(desk.now + 1.0)
        assert desk.thought[number] == pytest.approx(budget * 3 / 4)


@pytest.mark.parametrize("questions", [2, 3, 8])
def test_questions_that_come_together_have_equal_parts(questions: int) -> None:
    desk = Desk(workers=2)
    for number in range(questions):
        desk.ask(number, 1.0)
    desk.wait(2.0)
    assert not desk.given_up
    part = 1 / ceil(questions / 2)
    assert all(part - 0.1 <= each <= part for each in desk.thought.values())
    assert max(desk.answered.values()) <= 1.0


def test_a_long_thought_is_cut_short_for_a_quick_one_that_comes_later() -> None:
    desk = Desk(workers=1)
    desk.ask(1, 5.0)
    desk.wait(1.0)
    desk.ask(2, 0.2)
    desk.wait(9.0)
    assert desk.answered[1] <= 1.2
    assert desk.answered[2] <= 1.2
    assert desk.thought[2] >= 0.05


def test_what_is_dropped_costs_the_others_nothing() -> None:
    desk = Desk(workers=1)
    for number in range(4):
        desk.ask(number, 1.0)
    in_hand = next(iter(desk.ends))
    for number in range(4):
        if number not in (in_hand, 3):
            assert not desk.scheduler.drop(number, desk.now)
    # Whoever is at it must stop, and say so, before somebody else has the worker.
    assert desk.scheduler.drop(in_hand, desk.now)
    assert desk.scheduler.begin(desk.now) is None
    desk.ends[in_hand] = 0.0
    desk.wait(2.0)
    assert desk.thought[3] == pytest.approx(1.0 - HANDOVER_S)


def test_who_takes_too_long_is_given_up_and_so_is_who_waited_too_long() -> None:
    scheduler = Scheduler(1)
    scheduler.ask(1, 1.0, 0.0)
    assert scheduler.begin(0.0) is not None
    scheduler.ask(2, 1.0, 0.0)
    assert scheduler.overdue(0.9) == ([], [])
    assert scheduler.next_overdue == 1.0
    assert scheduler.overdue(1.0) == ([2], [])
    assert scheduler.next_overdue == 1.0 + GRACE_S
    assert scheduler.overdue(1.0 + GRACE_S) == ([], [1])
    assert scheduler.next_overdue is None


def test_while_the_first_worker_starts_no_time_goes_by_for_who_waits() -> None:
    scheduler = Scheduler(1)
    scheduler.ask(1, 0.1, 0.0)
    scheduler.starting(True, 0.0)
    assert scheduler.overdue(0.5) == ([], [])
    assert scheduler.next_overdue == 0.1 + STARTING_S
    scheduler.starting(False, 0.5)
    begun = scheduler.begin(0.5)
    assert begun is not None
    assert begun[1] == pytest.approx(0.6 - 0.1 / 4)
    scheduler.ask(2, 0.1, 1.0)
    scheduler.starting(True, 1.0)
    assert scheduler.overdue(1.1 + STARTING_S) == ([2], [1])


def test_who_has_a_pause_before_the_answer_can_wait_for_longer_but_not_think_for_longer() -> None:
    scheduler = Scheduler(1)
    scheduler.ask(1, 0.2, 0.0, pause=1.0)
    assert scheduler.overdue(0.9) == ([], [])
    begun = scheduler.begin(0.5)
    assert begun is not None
    assert begun[1] == pytest.approx(0.7 - HANDOVER_S)
    assert scheduler.next_overdue == 1.0 + GRACE_S


@pytest.mark.parametrize("seed", range(20))
def test_many_tables_share_two_workers_and_nobody_waits_for_longer_than_the_budget(
    seed: int,
) -> None:
    rng = Random(seed)
    desk = Desk(workers=2)
    budgets: Sequence[float] = (0.2, 1.0) if seed % 2 else (1.0,)
    asked: dict[int, tuple[float, float]] = {}
    for number in range(60):
        desk.wait(desk.now + rng.choice((0.0, 0.05, 0.3)))
        asked[number] = desk.now, rng.choice(budgets)
        desk.ask(number, asked[number][1])
    desk.wait(desk.now + 2.0)
    assert not desk.given_up
    for number, (at, budget) in asked.items():
        assert desk.answered[number] <= at + budget
        assert desk.thought[number] > 0
    # No core is left idle by caution: what was thought is most of what could have been.
    assert sum(desk.thought.values()) >= 0.5 * min(
        2 * desk.now, sum(budget for _, budget in asked.values())
    )


def test_a_level_takes_its_part_of_what_the_table_gives() -> None:
    assert [budget_s(bot, 1000) for bot in ("random", "steady", "sharp", "master", "other")] == [
        0.0,
        0.0,
        0.2,
        1.0,
        1.0,
    ]
