"""Which zones of the table a key draws anew: few, and all that look different."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from driflamme_tui.widgets.board import Drawn
from driflamme_tui.widgets.table.header import TableBar
from tests.support.tables import (
    Hands,
    SeatedApp,
    asked_at,
    evening_session,
    run_app,
)

QUESTIONS = {
    "card": "2 4 b* rS,bh1 *r3,b5,g2",
    "leave": "2 4 b?2 rS,bh1,gl *r3,b5,g2",
    "target": "2 4 bA2 rS,bA,gl *r3,b5,g2",
    "copied": "2 4 bF2 rS,bF,gL *r3,b5,g2",
    "lifted": "2 4 bD2 rS,bD,gl *r3,b5,g2",
}

KEYS = "right right left end home i right right left tab right tab up down escape right enter right"


@contextmanager
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Note the widgets that are drawn."""
    names: list[str] = []
    draw = Drawn._drawn

    def note(widget: Drawn) -> object:
        names.append(type(widget).__name__)
        return draw(widget)

    with monkeypatch.context() as patch:
        patch.setattr(Drawn, "_drawn", note)
        yield names


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_cursor_key_draws_at_most_three_zones(
    question: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("right right")
        for key in ("right", "left", "right"):
            with drawn(monkeypatch) as names:
                await hands.type(key)
            assert 0 < len(names) <= 3, (key, names)

    run_app(SeatedApp(asked_at(QUESTIONS[question])), steps, size=size)


def test_at_a_spy_the_players_are_drawn_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("right right")
        with drawn(monkeypatch) as names:
            await hands.type("right")
        assert sorted(names) == ["CardHelp", "Prompt", "Queue", "Seats"]

    run_app(SeatedApp(asked_at("2 4 bP2 rS,bP,gl *r3,b5,g2")), steps)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
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
