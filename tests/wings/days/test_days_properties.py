"""Tests tables whose games last for days with any sequence of messages, losses and restarts."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netcode import system_clock
from netcode.protocol.messages import TableMessage
from netcode.protocol.table_settings import TableSettings
from netcode.wings.days.settings import BANK, HOURS, NAME, PAUSES, lasts_for_days
from netcode.wings.days.turn_notes import TurnNote, note_of
from tests.engine.random_games import examples
from tests.netcode.table.test_table_properties import Chaos, steps
from tests.support.pretend import OWNER_KEY
from tests.wings.days.calling_tables import DAY


@pytest.fixture(autouse=True, scope="module")
def _rare_looks() -> Iterator[None]:
    """Look at the system clock once a day: here it never differs from the server's clock."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(system_clock, "CHECK_S", DAY)
        yield


class LongChaos(Chaos):
    """Peers that send anything at any time at a table for days, where hours pass."""

    def __init__(self, seed: int, owner_key: bytes | None) -> None:
        super().__init__(seed, owner_key, 0)
        settings = TableSettings.of({HOURS: 2, BANK: 3, PAUSES: "nights"})
        self.network.table.games.settings = settings
        self.network.table.serve_host_parts([NAME])

    def step(self, number: int, what: str, message: TableMessage) -> None:
        super().step(number, what, message)
        if what == "wait":
            self.network.wait(self.rng.choice((60.0, 3600.0, 50_000.0)))
        self._check_note()

    def _check_note(self) -> None:
        """Assert that the note of the stored table agrees with the table."""
        table = self.network.table
        if table.kept is None:
            return
        stored = note_of(table.kept)
        assert isinstance(stored.value, TurnNote)
        assert stored.value.names == table.participants.names
        decider = table.games.deciding_seat
        if lasts_for_days(table.games.settings):
            assert stored.value.whose == (None if decider is None else decider.name)
            if decider is not None and decider.bot is None and not table.games.paused:
                assert stored.wakes_at < float("inf")

    def _check_lobbies(self) -> None:
        there = [each for each in self.peers if each in self.network.guests.values()]
        lobbies = [each.lobby() for each in there if each.session.lobby and not each.cut_off]
        if any(lasts_for_days(each.settings) for each in lobbies):
            everybodys = [replace(lobby, you=None, host=False) for lobby in lobbies]
            assert all(one == other for one, other in pairwise(everybodys))
        else:
            super()._check_lobbies()


@examples(60)
@given(
    st.integers(0, 2**32 - 1),
    st.none() | st.just(OWNER_KEY),
    st.lists(steps, min_size=30, max_size=70),
)
def test_any_sequence_at_a_table_for_days_keeps_secrets_and_comes_back(
    seed: int, owner_key: bytes | None, sequence: list[tuple[int, str, TableMessage]]
) -> None:
    chaos = LongChaos(seed, owner_key)
    chaos.start()
    for step in sequence:
        chaos.step(*step)
    chaos.check()
    assert chaos.network.tried
