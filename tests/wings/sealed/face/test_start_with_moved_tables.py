"""Tests the start screen when a sealed table may have moved to another player."""

import pytest
from textual.widgets import Button

from driflamme_tui.screens.start import start_menu
from driflamme_tui.wings.sealed import takeover_games
from engine.record import LATEST
from netcode.protocol.evening import Evening
from tests.driflamme_tui.screens.test_start_screen import StartedApp, leave_a_seat
from tests.support.tables import Hands, run_app


def test_reopening_comes_before_the_way_back_to_a_table_that_may_have_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        assert app.screen.query(Button).first().id == "reopen"
        assert app.screen.query("#back")

    game = takeover_games.TakeoverGame(LATEST, False, Evening(), None, ())
    takeover_games.remember(bytes(32), game)
    leave_a_seat()
    monkeypatch.setattr(start_menu, "can_reopen", lambda: True)
    run_app(StartedApp("Blaise"), steps)
