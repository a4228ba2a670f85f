"""Tests the order and time of questions to workers, with a pretend clock and pretend workers."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest

from netcode.workers import worker as worker_module
from netcode.workers.questions import BotAnswer, BotQuestion
from netcode.workers.thinking_time import budget_s
from netcode.workers.worker_pool import GRACE_S, HANDOVER_S, IDLE_S, STARTING_S, WorkerPool
from tests.netcode.simulation.clockwork import in_no_time

START_S = 0.5
QUESTION = BotQuestion("master", "", (0,), 1)


class PretendWorker:
    """Thinks for the allowed time, or for ever."""

    def __init__(self) -> None:
        self.starts_in_s = START_S
        self.deaf = False
        self.started = False
        self._stopped = asyncio.Event()

    async def start(self, command: Sequence[str]) -> bool:
        await asyncio.sleep(self.starts_in_s)
        self.started = True
        return True

    async def answer(self, question: BotQuestion, seconds: float) -> BotAnswer:
        self._stopped.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(None if self.deaf else seconds):
                await self._stopped.wait()
        return BotAnswer(token=str(seconds))

    def stop(self) -> None:
        self._stopped.set()

    def kill(self) -> None:
        self.started = False
        self._stopped.set()

    async def ended(self) -> None:
        pass


class Desk:
    """A pool of pretend workers, and the questions that a test asks."""

    def __init__(self, workers: int) -> None:
        self.pool = WorkerPool(workers, ())
        self.loop = asyncio.get_running_loop()
        self.thought: dict[int, float] = {}
        """For each answered question, the seconds of thinking."""
        self.answered: dict[int, float] = {}
        """For each question, the time at which it was answered or given up."""
        self.given_up: dict[int, str] = {}
        self.times: list[float] = []
        """The times at which the questions were asked, in order."""

    async def is_open(self) -> "Desk":
        self.pool.warm()
        await asyncio.sleep(2 * START_S)
        return self

    def ask(self, budget: float, pause: float = 0.0) -> int:
        number = len(self.times) + 1

        def answer(found: BotAnswer) -> None:
            self.answered[number] = self.loop.time()
            if found.trouble:
                self.given_up[number] = found.trouble
            else:
                self.thought[number] = float(found.token)

        self.times.append(self.loop.time())
        assert self.pool.ask(QUESTION, budget, answer, pause) == number
        return number


@pytest.fixture(autouse=True)
def _pretend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "Worker", PretendWorker)


@in_no_time
async def test_of_a_short_budget_most_is_for_the_search() -> None:
    desk = await Desk(workers=1).is_open()
    for budget in (0.02, 0.04):
        number = desk.ask(budget)
        await asyncio.sleep(1.0)
        assert desk.thought[number] == pytest.approx(budget * 3 / 4)


@in_no_time
async def test_who_must_answer_first_is_asked_first_and_leaves_the_others_a_part() -> None:
    desk = await Desk(workers=1).is_open()
    desk.ask(0.4)
    await asyncio.sleep(0)
    for pause in (2.0, 1.6, 1.2):
        desk.ask(1.0, pause)
    await asyncio.sleep(3.0)
    assert not desk.given_up
    assert sorted(desk.answered, key=desk.answered.__getitem__) == [1, 4, 3, 2]
    assert desk.thought[4] == pytest.approx((1.2 - 0.4) / 3, abs=HANDOVER_S)


@in_no_time
async def test_who_waited_too_long_is_given_up() -> None:
    desk = await Desk(workers=1).is_open()
    began = desk.loop.time()
    desk.ask(2.0)
    await asyncio.sleep(0)
    waits = desk.ask(1.0)
    await asyncio.sleep(3.0)
    assert desk.given_up == {waits: "no worker was free"}
    assert desk.answered[waits] - began == pytest.approx(1.0)


@in_no_time
async def test_who_takes_too_long_is_given_up() -> None:
    desk = await Desk(workers=1).is_open()
    began = desk.loop.time()
    for worker in desk.pool._workers:
        worker.deaf = True  # type: ignore[attr-defined]
    number = desk.ask(1.0)
    await asyncio.sleep(3.0)
    assert desk.given_up == {number: "it took too long"}
    assert desk.answered[number] - began == pytest.approx(1.0 + GRACE_S)


@in_no_time
async def test_while_the_first_worker_starts_no_time_goes_by_for_who_waits() -> None:
    desk = Desk(workers=1)
    desk.ask(0.1)
    await asyncio.sleep(1.0)
    assert desk.thought == {1: pytest.approx(0.1 * 3 / 4)}


@in_no_time
async def test_who_waits_for_the_first_worker_does_not_wait_for_ever() -> None:
    desk = Desk(workers=1)
    desk.ask(0.1)
    for worker in desk.pool._workers:
        worker.starts_in_s = 2 * STARTING_S  # type: ignore[attr-defined]
    await asyncio.sleep(0.1 + STARTING_S)
    assert desk.given_up == {1: "no worker was free"}


@in_no_time
async def test_workers_without_anything_to_do_are_let_go_and_come_back() -> None:
    desk = await Desk(workers=1).is_open()
    desk.ask(1.0)
    await asyncio.sleep(IDLE_S)
    assert desk.pool._workers
    await asyncio.sleep(2.0)
    assert not desk.pool._workers
    number = desk.ask(1.0)
    await asyncio.sleep(START_S + 1.0)
    assert desk.thought[number]


@pytest.mark.parametrize("seed", range(20))
@in_no_time
async def test_nobody_waits_for_longer_than_the_budget_however_many_tables_ask(seed: int) -> None:
    rng = Random(seed)
    desk = await Desk(workers=2).is_open()
    budgets: dict[int, float] = {}
    for _ in range(60):
        await asyncio.sleep(rng.choice((0.0, 0.05, 0.3)))
        budget = rng.choice((0.2, 1.0) if seed % 2 else (1.0,))
        budgets[desk.ask(budget)] = budget
    await asyncio.sleep(2.0)
    assert len(desk.answered) == 60
    for number, at in enumerate(desk.times, 1):
        assert desk.answered[number] <= at + budgets[number] + 1e-6
    assert len(desk.given_up) <= 60 / 4, "most are thought about, though there are far too many"


def test_a_level_takes_its_part_of_what_the_table_gives() -> None:
    assert [budget_s(bot, 1000) for bot in ("random", "steady", "sharp", "master", "other")] == [
        0.0,
        0.0,
        0.2,
        1.0,
        1.0,
    ]
