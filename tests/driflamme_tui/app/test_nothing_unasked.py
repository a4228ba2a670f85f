"""Tests that no key or click takes anything from another player unasked or unseen."""

from collections.abc import Iterator
from inspect import isawaitable

import pytest
from rich.style import Style
from textual.widgets import Input

from driflamme_tui.keymap.key_bindings import keys_now
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.overlay import Confirmation
from driflamme_tui.screens.overlays.command_palette import choices
from netcode.protocol.fields import Message
from netcode.protocol.messages import EndGame, NewInvitation, Remove, SendAway
from tests.support.every_scene import AT_A_TABLE, BROUGHT
from tests.support.scenes import enter
from tests.support.tables import Hands, SeatedApp, evening_session, run_app

TAKING: tuple[type[Message], ...] = (
    *(EndGame, NewInvitation, Remove, SendAway),
    *(kind for each in BROUGHT for kind in each.taking),
)
"""Messages that take something from a person; bots in the lobby do not count."""

HOSTS = (
    "lobby",
    "lobby, option chosen",
    "people",
    "somebody silent",
    "paused by oneself",
    "result",
    *(name for each in BROUGHT for name in each.lobbies),
)
"""Scenes of hosts, one for each screen with decisions."""


def taken(app: SeatedApp) -> list[object]:
    """Return the sent messages that take something from a person."""
    bots = {seat.family for seat in app.player_seat.lobby.seats if seat.bot is not None}
    return [
        each
        for each in app.sent
        if isinstance(each, TAKING) and not (isinstance(each, Remove) and each.family in bots)
    ]


def clicked(app: SeatedApp) -> Iterator[str]:
    """Yield the actions of clicks on visible parts."""
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            style = segment.style or Style()
            if action := style.meta.get("@click"):
                yield action


@pytest.mark.parametrize("name", HOSTS)
def test_no_single_key_or_click_takes_anything_from_a_person(name: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await enter(app, hands, AT_A_TABLE[name])
        screen = app.screen
        assert isinstance(screen, Commanded)
        commands = screen.command_set.in_order()
        possible = [each for each in commands if screen.can(each) and keys_now(each)]
        # All keys of a command run the same action, and a click may run it too.
        keys = {keys_now(each)[0] for each in possible}
        actions = {each.action for each in possible}
        clicks = {each for each in clicked(app) if each.removeprefix("screen.") not in actions}
        count = 0
        ways = [(0, each) for each in [*sorted(keys), *sorted(clicks)]]
        if screen.command_set is LobbyCommands:
            removing = keys_now(LobbyCommands.remove)
            ways += [(downs, each) for downs in range(1, 4) for each in removing]
        for downs, way in ways:
            if not app.sent and (app.screen is not screen or isinstance(app.focused, Input)):
                # Close an overlay or an input.
                await hands.press("escape")
            if downs or app.sent or app.screen is not screen:
                await enter(app, hands, AT_A_TABLE[name])
                await hands.press_quickly(*["down"] * downs)
                screen = app.screen
            if way in keys:
                await hands.press(way)
            else:
                await screen.run_action(way)
                await hands.pause()
            assert not taken(app), (downs, way)
            count += isinstance(app.screen, Confirmation)
        assert count or name == "result", "something can be taken here"

    run_app(SeatedApp(evening_session(0)), steps)


@pytest.mark.parametrize("name", ["lobby", "chosen", "people"])
def test_the_palette_ends_the_program_of_somebody_at_a_table_only_once_they_are_sure(
    name: str,
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await enter(app, hands, AT_A_TABLE[name])
        screen = app.screen
        assert isinstance(screen, Commanded)
        ends = [each for each in choices(screen) if each.text == "end the program"]
        ended = ends[0].run()
        assert isawaitable(ended)
        await ended
        await hands.pause()
        assert not app._exit
        assert isinstance(app.screen, Confirmation)

    run_app(SeatedApp(evening_session(0)), steps)
