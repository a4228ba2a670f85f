import pytest

from driflamme_tui.screens.lobby_screen import LobbyScreen
from netcode.table import requests
from tests.driflamme_tui.rest import no_waiting

__all__ = ["no_waiting"]


@pytest.fixture(autouse=True)
def _no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start games without a countdown, because other tests cover the countdown without waiting."""
    monkeypatch.setattr(LobbyScreen, "COUNT_S", 0)
    monkeypatch.setattr(requests, "REMATCH_COUNT_S", 0)
