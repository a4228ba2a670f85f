"""Tests that, without a screen, the bell rings for a player who has typed nothing for a while."""

import pytest

from driflamme_tui.plain.line_calls import LineCalls
from driflamme_tui.preferences.player_calls import PATIENCE_S
from driflamme_tui.preferences.settings import ALL, NONE, TURN
from tests.support.pretend import Network, Participant, playing


class Called:
    """A player, with a clock that the test sets, and a bell whose rings are counted."""

    def __init__(self, participant: Participant, wanted: str) -> None:
        self.participant, self.rings, self.now, self.read = participant, 0, 0.0, 0
        self.calls = LineCalls(self.ring, wanted, lambda: self.now)

    def ring(self) -> None:
        self.rings += 1

    def count_rings(self) -> int:
        """Handle the new messages; return the number of times that the bell rang."""
        news, self.rings = self.participant.received[self.read :], 0
        self.read = len(self.participant.received)
        for each in news:
            self.calls.handle(each, self.participant.session)
        return self.rings


@pytest.mark.parametrize("wanted", [ALL, TURN, NONE])
def test_news_ring_after_ten_seconds_without_a_line(wanted: str) -> None:
    network = Network()
    called = Called(Participant(network, "Ada"), wanted)
    called.count_rings()
    Participant(network, "Berta")
    assert called.count_rings() == 0
    called.now = PATIENCE_S
    Participant(network, "Carla")
    assert called.count_rings() == (wanted == ALL)
    called.calls.typed()
    Participant(network, "Dora")
    assert called.count_rings() == 0


@pytest.mark.parametrize("wanted", [ALL, TURN, NONE])
def test_the_bell_rings_for_ones_own_turn(wanted: str) -> None:
    guests = playing()
    called = Called(guests[1], wanted)
    called.count_rings()
    called.now = PATIENCE_S
    guests[0].act_somehow()
    assert called.count_rings() == (wanted != NONE)
    called.calls.typed()
    guests[1].act_somehow()
    assert called.count_rings() == 0
