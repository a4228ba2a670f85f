"""The lobby of a guest marks what the host has just changed, and only that."""

from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.preferences.remembered import next_table
from driflamme_tui.screens.lobby_screen import LobbyScreen
from netcode.protocol.messages import TableSettings
from tests.driflamme_tui.tables import Hands, SeatedApp, gathered, lobby, run_app


def test_what_the_host_changes_is_marked_for_a_guest() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        screen = app.screen
        assert isinstance(screen, LobbyScreen)
        assert screen.changed == frozenset()
        changed = {"edition": 1, "clock_s": 60}
        app.session.receive(lobby("rbg", "b", phase="lobby", settings=changed))
        screen.sync()
        assert screen.changed == {LobbyCommands.edition, LobbyCommands.clock}
        screen.unmark()
        assert screen.changed == frozenset()
        await hands.pause()

    run_app(SeatedApp(gathered("rbg", "b")), steps)


def test_the_settings_of_ones_own_lobby_are_remembered_and_those_of_others_are_not() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("e l down left")
        assert next_table() == TableSettings(), "the table may refuse it"
        host = app.session.lobby is not None and app.session.lobby.host
        changed = {"edition": 1, "clock_s": 30}
        app.receive(lobby("rbg", "b", phase="lobby", host=host, settings=changed))
        taken_up = TableSettings(edition=1, clock_s=30)
        assert next_table() == (taken_up if host else TableSettings())

    run_app(SeatedApp(gathered("rbg", "r")), steps)
    run_app(SeatedApp(gathered("rbg", "b", host=True)), steps)
