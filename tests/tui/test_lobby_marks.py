"""The lobby of a guest marks what the host has just changed, and only that."""

from driflamme_tui.screens.lobby import LobbyScreen
from driflamme_tui.screens.lobby_board import LobbyBoard
from tests.tui.tables import Hands, SeatedApp, gathered, lobby, run_app


def test_what_the_host_changes_is_marked_for_a_guest() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        screen = app.screen
        assert isinstance(screen, LobbyScreen)
        board = screen.query_one(LobbyBoard)
        assert board.changed == frozenset()
        changed = {"edition": 1, "clock_s": 60}
        app.session.receive(lobby("rbg", "b", phase="lobby", settings=changed))
        screen.sync()
        assert board.changed == {"lobby.edition", "lobby.clock"}
        screen.unmark()
        assert board.changed == frozenset()
        await hands.pause()

    run_app(SeatedApp(gathered("rbg", "b")), steps)
