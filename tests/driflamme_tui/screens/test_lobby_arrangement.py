"""Tests the lobby at all sizes: the places of its parts, and that no row is cut or wrapped."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from textual.screen import Screen
from textual.widgets import Static

from driflamme_tui.screens.lobby.arrangement import GUTTER, PADDING, Needs, arrange
from driflamme_tui.screens.lobby.lobby_view import EXPLANATION_ROWS, LobbyScroll
from driflamme_tui.text.i18n import set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from netcode.protocol.table_settings import TableSettings
from tests.support.tables import Hands, SeatedApp, gathered, run_app, seats

NAMES = (
    "Bartholomew Longname",
    "Maximilian-Alexander",
    "Wilhelmina Featherst",
    "Aleksandra Wojciecho",
    "Jean-Baptiste Deraim",
)

NEEDS = st.builds(
    Needs,
    st.integers(20, 90),
    st.integers(20, 60),
    st.integers(20, 45),
    st.sampled_from([0, 37, 45]),
    st.just(22),
)


@given(st.integers(60, 300), st.integers(10, 90), NEEDS)
def test_all_parts_have_the_room_that_they_need_and_fit_the_width(
    width: int, rows: int, needs: Needs
) -> None:
    place = arrange(width, rows, needs)
    space = width - PADDING
    if not place.is_beside:
        assert min(needs.short, needs.tall) + GUTTER + needs.settings > space
        assert place.left == place.right == space
        return
    code = GUTTER + needs.code if place.has_code else 0
    assert place.left + GUTTER + place.right + code <= space
    assert place.right >= needs.settings
    assert place.left >= (needs.tall if place.is_tall else needs.short)
    assert not place.has_code or 0 < needs.code_rows <= rows


def free_rows(screen: Screen[Any]) -> int:
    """Return the rows that the lobby leaves free though a list scrolls, or a chat could fill them.

    The explanation keeps its rows even if it needs fewer.
    """
    columns, left, right = (screen.query_one(f"#{name}") for name in ("columns", "left", "right"))
    explained = screen.query_one("#explanation").outer_size.height
    used = {
        column: sum(part.outer_size.height for part in column.children if part.display)
        for column in (left, right)
    }
    if left.region.y == right.region.y:
        return columns.size.height - used[left]
    scrolls = any(each.max_scroll_y for each in screen.query(LobbyScroll))
    rows = sum(used.values()) + max(0, EXPLANATION_ROWS - explained)
    return (columns.size.height - rows) * scrolls


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_no_name_and_no_value_is_cut_or_wrapped_at_any_size(language: str, glyphs: Glyphs) -> None:
    people = seats("rbgyv", bots="gy", host="b", ready="r")
    named = tuple(replace(seat, name=name) for seat, name in zip(people, NAMES, strict=True))
    session = gathered(
        "rbgyv",
        "b",
        host=True,
        seats=named,
        spectators=("Frederica of Somewhe", "Guillaume Tell"),
        settings=TableSettings(sealed=True, best_of=7, clock_s=300),
        code="K7QF2MXR",
        invitation=f"driflamme://192.168.1.20:40123/{'q' * 43}",
    )

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for size in (60, 20), (80, 24), (120, 40), (200, 60):
            await hands.resize_terminal(*size)
            await hands.pause()
            for name in ("seats", "settings", "families", "watching", "invitation", "rule"):
                part = app.screen.query_one(f"#{name}", Static)
                lines = str(part.content).splitlines()
                whole = not part.display or len(lines) == part.size.height
                assert whole, (size, name, lines, part.size)
            assert free_rows(app.screen) == 0, size
            code = str(app.screen.query_one("#code", Static).content).splitlines()
            assert bool(code) == (glyphs is UNICODE and size in ((120, 40), (200, 60))), size
            assert all(len(line) <= 2 * len(code) + 1 for line in code)
            shown = "\n".join(app.rows())
            for name in NAMES[: 3 if size == (60, 20) else 5]:
                assert name in shown, (size, name)

    set_language(language)
    try:
        run_app(SeatedApp(session, glyphs=glyphs), steps)
    finally:
        set_language("en")
