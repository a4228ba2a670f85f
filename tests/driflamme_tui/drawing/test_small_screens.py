"""Tests that, at 80 by 24, texts with little space are complete or at least true."""

import pytest
from msgspec.structs import replace
from textual.widget import Widget

from driflamme_tui.screens.result_screen import ResultScreen
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.table.info_panels import Events
from driflamme_tui.widgets.table.progress_chart import ProgressChart
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats, signs
from tests.driflamme_tui.screens.test_families import drawn
from tests.support.scenes import TALK, ended
from tests.support.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    evening_session,
    run_app,
    seats,
    seen,
    session_at_line,
    state_of,
)

FAMILIES = "rbgyv"


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("bots", ["", FAMILIES])
def test_influence_is_drawn_whole_or_not_at_all_and_touches_nothing(width: int, bots: str) -> None:
    for pool in range(40):
        for change in (0, 4, -3, 12):
            at = seen(f"2 4 r* rS,bh1,gl,yx,vl *r{pool},b{pool},g{pool},y{pool},v{pool}", None)
            state = replace(
                state_of(at, size=(width, 24)),
                players=seats(FAMILIES, bots=bots),
                change=(change,) * len(FAMILIES),
            )
            widget = Seats()
            widget.state = state
            row = drawn(widget, UNICODE, width, state.layout.seats)[1]
            step = width // len(FAMILIES)
            for seat in range(len(FAMILIES)):
                cells = row[seat * step : (seat + 1) * step]
                coins, dots = cells.count(UNICODE.coin), cells.count(UNICODE.dot)
                assert coins * 5 + dots in (0, pool), cells
                assert "•bot" not in cells, cells
                assert "◉bot" not in cells, cells


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("how", ["grace", "wait", "bot"])
def test_a_running_clock_does_not_hide_that_a_player_is_away(
    size: tuple[int, int], how: str
) -> None:
    at = seen("2 4 r* rS,bh1,gl,yx,vl *r3,b5,g2,y1,v0", None)
    state = replace(
        state_of(at, size=size),
        players=seats(FAMILIES, away="r", how={"r": how}),
        time_left=41,
        time_runs=True,
    )
    widget = Seats()
    widget.state = state
    row = drawn(widget, UNICODE, size[0], state.layout.seats)[1][: size[0] // len(FAMILIES)]
    assert UNICODE.away in row
    assert "0:41" in row


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_no_sign_of_the_legend_means_two_things(glyphs: Glyphs) -> None:
    signs_shown = [part.split(" ")[0] for part in signs(glyphs, 500).split("  ")]
    assert len(set(signs_shown)) == len(signs_shown) == 7


def test_every_event_is_whole_but_for_the_end_of_the_uppermost() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for step in range(6, EVENING_STEPS, 3):
            app.enter(evening_session(step, "b"))
            await hands.pause()
            state = app.table.state()
            assert state is not None
            widget = Events()
            widget.state = replace(state, stays=None, is_animated=False)
            for height in range(2, 8):
                rows = drawn(widget, UNICODE, 80, height)
                shown = " ".join(" ".join(rows).split())
                whole = [sentence for _seat, sentence in state.log if sentence in shown]
                assert state.log[-1][1] in whole, (step, height)
                assert sum("…" in row for row in rows) <= 1, rows
                assert not any("…" in row for row in rows[2:]), rows

    run_app(SeatedApp(evening_session(0)), steps)


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ("2 4 bX1 bX,rS,gL *r3,b5,g2", 1),
        ("2 4 bA2 rS,bA *r3,b5,g2", 2),
    ],
)
def test_a_card_that_may_be_its_own_target_is_marked_like_every_other(line: str, own: int) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        state = app.table.state()
        assert state is not None
        legal = state.legal_positions()
        assert own in legal
        for chosen in (0, *legal):
            if chosen:
                await hands.type(str(chosen))
            rail = app.rows()[app.table.query_one(Queue).region.y]
            for position in legal:
                mark = str(position).join(UNICODE.chosen_mark if position == chosen else "[]")
                assert mark in rail, (chosen, rail)
            assert UNICODE.resolving[0] in rail, "and it still is the one that acts"

    run_app(SeatedApp(session_at_line(line, "b")), steps)


def test_the_moments_and_the_chart_of_a_result_are_seen_without_scrolling() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.pause()
        screen = app.screen
        assert isinstance(screen, ResultScreen)
        for size in (80, 24), (100, 30), (120, 40), (200, 60):
            await hands.resize_terminal(*size)
            await hands.pause()
            shown: list[Widget] = [screen.query_one("#moments")]
            if size != (80, 24):
                shown.append(screen.query_one(ProgressChart))

            def is_seen(size: tuple[int, int] = size, parts: list[Widget] = shown) -> bool:
                places = screen._compositor.full_map
                seen = (places[part].visible_region == part.region for part in parts)
                return screen.size == size and all(seen)

            await hands.until(is_seen)

    run_app(SeatedApp(ended(TALK), result=True), steps)
