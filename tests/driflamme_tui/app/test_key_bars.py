"""Tests that key bars show the keys that they promise; `test_every_screen` tests all screens."""

from collections.abc import Iterator, Sequence

import pytest
from rich.cells import cell_len

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.keymap.command_type import CommandSet
from driflamme_tui.keymap.key_bindings import label
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.base import full_screen, overlay
from driflamme_tui.screens.base.full_screen import HIGH, FullScreen
from driflamme_tui.text.i18n import ENGLISH, set_language
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.key_bar import Keys
from scripts.lib.catalogues import LANGUAGES
from tests.support.every_scene import AT_A_TABLE, ELSEWHERE
from tests.support.planted import substitute
from tests.support.scenes import arrive, enter
from tests.support.tables import Hands, SeatedApp, evening_session, run_app

LOOKS = [
    (size, tongue)
    for size in ((60, 20), (80, 24), (120, 40), (200, 60))
    for tongue in (*LANGUAGES, ENGLISH)
]


def left_out(app: DriflammeApp) -> Iterator[str]:
    """Yield the promised keys that the screen does not show in full."""
    screen = app.screen
    for bar in (each for each in screen.query(Keys) if each.display):
        shown = [key for _x, _y, key in bar.entries()]
        # Compare actions: the entry of the palette has another label if it stands for keys that do
        # not fit.
        actions = [key.action for key in shown]
        is_whole = isinstance(screen, FullScreen) and screen.has_many_keys
        is_whole = is_whole and app.size.height >= HIGH
        for key in bar.keys:
            if (key.stays or is_whole) and key.action not in actions:
                yield f"{key.key} {key.label}"
    for box in screen.query("#overlay"):
        ways, space = str(box.border_subtitle), box.outer_size.width - 4
        if cell_len(ways) > space:
            yield ways


def faults(size: tuple[int, int], tongue: str, scenes: Sequence[str]) -> list[str]:
    """Return a line for each key that a scene promises but does not show in full."""
    found: list[str] = []
    set_language(tongue)

    async def sit_at_each(app: SeatedApp, hands: Hands) -> None:
        for name in filter(AT_A_TABLE.__contains__, scenes):
            await enter(app, hands, AT_A_TABLE[name])
            found.extend(f"{name} in {tongue}: {key}" for key in left_out(app))

    run_app(SeatedApp(evening_session(0), UNICODE), sit_at_each, size)
    for name in filter(ELSEWHERE.__contains__, scenes):

        async def go_there(app: DriflammeApp, hands: Hands, name: str = name) -> None:
            await arrive(app, hands, ELSEWHERE[name])
            found.extend(f"{name} in {tongue}: {key}" for key in left_out(app))

        app = ELSEWHERE[name].app()
        app.configure(Settings(animation=False), UNICODE)
        run_app(app, go_there, size)
    return found


@pytest.mark.long
@pytest.mark.parametrize("look", LOOKS)
def test_every_key_that_a_bar_promises_is_shown(look: tuple[tuple[int, int], str]) -> None:
    assert faults(*look, [*AT_A_TABLE, *ELSEWHERE]) == []


@pytest.mark.parametrize("tongue", [*LANGUAGES, ENGLISH])
def test_the_longest_bars_show_what_they_promise_on_the_smallest_screen(tongue: str) -> None:
    assert faults((60, 20), tongue, ["replay", "result", "lobby"]) == []


@pytest.mark.parametrize("scene", ["replay", "phrases"])
def test_a_promised_key_without_room_is_found(monkeypatch: pytest.MonkeyPatch, scene: str) -> None:
    for module in (full_screen, overlay):
        substitute(monkeypatch, label, lambda entry: 20 * "x", module)
    assert faults((60, 20), ENGLISH, [scene])


def test_a_star_in_a_bar_promises_its_entry() -> None:
    from driflamme_tui.study.replay_commands import ReplayCommands

    assert ReplayCommands.play in ReplayCommands.promised
    assert (ReplayCommands.back, ReplayCommands.on) in ReplayCommands.promised
    assert ReplayCommands.chart not in ReplayCommands.promised
    assert all(kind.promised <= {*kind.entries} for kind in CommandSet.kinds)
