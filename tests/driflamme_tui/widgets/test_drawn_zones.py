"""Tests that a key redraws few zones of the table, and all zones that change."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.widgets.board import DrawnWidget
from driflamme_tui.widgets.table.header import TableBar
from driflamme_tui.widgets.table.prompt_bar import Prompt
from tests.support.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    evening_session,
    run_app,
    run_cases,
    session_at_line,
)

KEYS = "right right left end home i right right left tab right tab up down escape right enter right"


@contextmanager
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield a list to which the names of drawn widgets are added."""
    names: list[str] = []
    draw = DrawnWidget._drawn

    def note(widget: DrawnWidget) -> object:
        names.append(type(widget).__name__)
        return draw(widget)

    with monkeypatch.context() as patch:
        patch.setattr(DrawnWidget, "_drawn", note)
        yield names


SIZES = [(60, 20), (80, 24), (120, 40)]

CURSOR_KEYS = "right left end home"
LOOKING_KEYS = "right left tab right tab right up down"


def questions(each_kind: int) -> list[int]:
    """Return steps of the evening: this number of the last ones for each kind of question."""
    steps: dict[Step, list[int]] = {}
    for step in range(EVENING_STEPS):
        seen = evening_session(step).view
        assert seen is not None
        steps.setdefault(Question(seen).step, []).append(step)
    return [step for each in steps.values() for step in each[-each_kind:]]


async def at_most_three(hands: Hands, keys: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in keys.split():
        with drawn(monkeypatch) as names:
            await hands.type(key)
        assert len(names) <= 3, (key, names)


@pytest.mark.parametrize("each_kind", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("size", SIZES)
def test_a_cursor_key_draws_at_most_three_zones_at_every_kind_of_question(
    size: tuple[int, int], each_kind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    walked: Counter[Step] = Counter()

    async def steps(app: SeatedApp, hands: Hands, step: int) -> None:
        # Press twice: the first key shows a choice, and the second one settles the texts beside it.
        await hands.type("right right")
        while (question := app.table.answering.question) is not None:
            walked[question.step] += 1
            await at_most_three(hands, CURSOR_KEYS, monkeypatch)
            if question.step not in (Step.CARD, Step.LIFTED):
                break
            await hands.type("enter right right")
        await hands.type("i right")
        await at_most_three(hands, LOOKING_KEYS, monkeypatch)
        await hands.type("i")

    run_cases(questions(each_kind), evening_session, steps, size)
    assert walked.keys() == set(Step)


@pytest.mark.parametrize("size", SIZES)
def test_a_cursor_key_draws_something_that_looks_different(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("right right")
        shown = app.table.query_one(Prompt)._strips
        with drawn(monkeypatch) as names:
            await hands.type("right")
        assert names
        assert app.table.query_one(Prompt)._strips != shown

    run_app(SeatedApp(session_at_line("2 4 b* rS,bh1 *r3,b5,g2")), steps, size=size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", [0, 17, 43, 50, 61])
def test_every_zone_is_as_if_it_were_drawn_anew_after_each_key(
    step: int, size: tuple[int, int]
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for key in KEYS.split():
            await hands.type(key)
            for zone in app.table.query(TableBar):
                shown = zone._strips
                assert shown == zone._drawn(), (key, zone)

    run_app(SeatedApp(evening_session(step)), steps, size=size)
