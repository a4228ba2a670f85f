"""Tests that chosen and focused parts stay visible: on every screen, size and key."""

from collections.abc import Iterator, Sequence

import pytest
from textual.app import App
from textual.geometry import Region
from textual.widget import Widget

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.widgets.list_table import ListTable
from netcode.protocol.messages import ChangeSettings
from tests.support.every_scene import AT_A_TABLE, BROUGHT, ELSEWHERE
from tests.support.scenes import TALK, arrive, enter
from tests.support.tables import Hands, SeatedApp, evening_session, rows_of, run_app

WALK = (
    ((120, 40), "end"),
    ((60, 20), "down down tab up up pagedown down end down pageup home up end"),
    ((80, 24), "home"),
    ((100, 20), "end down tab up pageup end"),
)
"""Sizes with keys, in the order of use: after each change, the chosen part must still be visible.

Low screens show the fewest lines. Before each change of size, the last or first line is chosen.
"""

ALONE = ("start", "start, back", "code", *(name for each in BROUGHT for name in each.lists))
PAST = "history", "history, delete"
OVERLAYS = (
    "options",
    "commands",
    "phrases",
    "leaving",
    "rename",
    "another name",
    "people",
    "people with long names",
    "giving a seat away",
    "inviting anew",
    "end of the lesson",
    "shared",
    "invitation",
)
LOBBIES = (
    *("lobby", "lobby of a guest", "lobby, long invitation", "two, lobby"),
    *(name for each in BROUGHT for name in each.lobbies),
)


def clipped(app: App[None], widget: Widget) -> Region:
    """Return the visible part of a widget's region."""
    return app.screen._compositor.full_map[widget].visible_region


def out_of_view(app: DriflammeApp) -> Iterator[str]:
    """Yield the chosen or focused parts that are not fully visible."""
    focused = app.screen.focused
    if focused is not None and focused.region and clipped(app, focused) != focused.region:
        yield f"the focus on {focused}: {focused.region}, seen {clipped(app, focused)}"
    for listing in app.screen.query(ListTable):
        if listing.chosen is not None and listing.show_cursor and listing.display:
            first = listing._get_row_region(listing.cursor_row).y
            top, seen = round(listing.scroll_y), clipped(app, listing)
            if not top + listing.header_height * listing.show_header <= first < top + seen.height:
                yield f"line {listing.selected}: row {first} from {top}, seen {seen}"
    if isinstance(app.screen, LobbyScreen) and app.screen.chosen is not None:
        region = app.screen.scrolled.region
        rows = (row[region.x : region.right] for row in rows_of(app)[region.y : region.bottom])
        if not any(app.screen.glyphs.turn in row for row in rows):
            yield f"the chosen line: {app.screen.moment()}"


EITHER = ((0, 1), (2, 3))
"""The parts of a walk. In a short run, each screen is walked through at two sizes."""

everywhere = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)])


async def walk(app: DriflammeApp, hands: Hands, parts: Sequence[int]) -> list[str]:
    """Walk through a screen at some sizes; return the parts that were not fully visible."""
    screen, found = app.screen, []
    for size, keys in (WALK[part] for part in parts):
        await hands.resize_terminal(*size)
        await hands.pause()
        for key in ("", *keys.split()):
            if key:
                await hands.press(key)
            if app.screen is screen:
                found += [f"{size}, {key}: {each}" for each in out_of_view(app)]
    return found


@everywhere
@pytest.mark.parametrize("names", [LOBBIES, OVERLAYS])
def test_what_is_chosen_at_a_table_is_in_view(names: tuple[str, ...], whole: bool) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        found = []
        for at, name in enumerate(names):
            parts = range(len(WALK)) if whole else EITHER[at % 2]
            await hands.resize_terminal(*WALK[0][0])
            await enter(app, hands, AT_A_TABLE[name])
            found += [f"{name}, {each}" for each in await walk(app, hands, parts)]
        assert found == []

    run_app(SeatedApp(evening_session(0)), steps)


@pytest.mark.parametrize("name", [*ALONE, *PAST])
def test_what_is_chosen_elsewhere_is_in_view(name: str) -> None:
    async def steps(app: DriflammeApp, hands: Hands) -> None:
        await arrive(app, hands, ELSEWHERE[name])
        assert await walk(app, hands, range(len(WALK))) == []

    run_app(ELSEWHERE[name].app(), steps, WALK[0][0])


def test_a_lobby_whose_lower_part_grows_keeps_what_is_chosen_in_view() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        found = []
        for at, size in enumerate(((60, 20), (80, 24))):
            await hands.resize_terminal(*size)
            for downs in range(at, 14, 2):
                await enter(app, hands, AT_A_TABLE["lobby"])
                await hands.press_quickly(*["down"] * downs)
                await hands.receive(TALK)
                found += [f"chat, {downs}: {each}" for each in out_of_view(app)]
                await hands.type("t")
                found += [f"written, {downs}: {each}" for each in out_of_view(app)]
        assert found == []

    run_app(SeatedApp(evening_session(0)), steps)


def test_a_setting_that_was_scrolled_out_of_view_does_not_change_before_it_is_seen() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await enter(app, hands, AT_A_TABLE["lobby"])
        await hands.type("up up")
        screen = app.screen
        assert isinstance(screen, LobbyScreen)
        for key in "left", "right":
            screen.scrolled.scroll_home(animate=False)
            await hands.pause()
            assert list(out_of_view(app)) != []
            app.sent.clear()
            await hands.type(key)
            assert list(out_of_view(app)) == []
            assert app.sent == []
            await hands.type(key)
            assert isinstance(app.sent[0], ChangeSettings)

    run_app(SeatedApp(evening_session(0)), steps, (60, 20))
