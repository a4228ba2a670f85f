"""All that can happen at the end of a game of three: the numbers are those of the README."""

from types import SimpleNamespace
from typing import Final

import pytest

from netcode.sealed.encoding import EntryBody
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proofs import IGNORED, Outcome
from tests.netcode.sealed.sealed_exploration import Exploration, Result
from tests.netcode.sealed.sealed_tables import SealedTable
from tests.netcode.sealed.stand_in import plant_stand_in
from tests.support.planted import Bug, Slip, plant


def the_longer_log_wins(patch: pytest.MonkeyPatch) -> None:
    def keep(self: SealedLog, said: EntryBody, parcel: Parcel) -> Outcome:
        self._beside = self._until(said.n - 1)
        self._beside.take(parcel)
        return IGNORED

    def look(self: SealedLog, branch: SealedLog, parcel: Parcel) -> None:
        branch.take(parcel)
        if branch.height > self.height:
            self.entries[:], self._beside = branch.entries, None
            self._stand()
            self.ends.clear()
            self._known.clear()

    patch.setattr(SealedLog, "_go_back", keep)
    patch.setattr(SealedLog, "_look_beside", look)


QUORUM: Final = "netcode.sealed.sealing:Sealing.__init__"

EXPLORED: Final[dict[str, Bug]] = {
    "a_voter_takes_the_step_all_the_same": Slip(
        "netcode.sealed.log:SealedLog._has_voted_missing", "len(seen) < ", "False and "
    ),
    "a_quorum_is_lower_by_one": [
        Slip(QUORUM, "QUORUM.get(len(self.keys))", "(QUORUM.get(len(self.keys)) or 1) - 1 or None"),
        Slip(QUORUM, "len(self.keys) - self.quorum", "len(self.keys) - self.quorum - 1"),
    ],
    "the_longer_log_wins": the_longer_log_wins,
    "what_follows_from_going_on_convicts": Slip(
        "netcode.sealed.log:SealedLog._take_entry",
        "self._stand()",
        "self._stand(); before = self.entries[-2] if self.height > 1 else None; "
        "self.cheated |= {author} - {None} if before is not None "
        "and author in self.voters(before.said.n, before.said.prev, None) else set()",
    ),
    "somebody_stands_in_without_a_vote": [
        Slip(
            "netcode.sealed.sealed_person:SealedPerson._sign_next",
            "quorum is not None and len(log.voters(n, prev, None)) >= quorum",
            "now.waited_s >= 20 and log.sealing.owners[due.seat] not in now.connected",
        ),
        Slip(
            "netcode.sealed.log:SealedLog._check_default",
            "len(self.certificate(said)) < self.sealing.quorum",
            "False",
        ),
    ],
    "who_has_a_default_looks_at_nothing_beside_it": Slip(
        "netcode.sealed.log:SealedLog._look_beside", "is_taken and", "False and"
    ),
}
"""What exploring finds."""

LEAVE = {"?0": "+", "?1": "+", "?2": "+"}
"""Everybody leaves their card."""

STRIKE = {**LEAVE, "?0": "!", "A0": "x"}
"""The first reveals an Archer, and strikes another's card."""


def explored(
    patch: pytest.MonkeyPatch,
    cards: str = "LHA",
    tokens: dict[str, str] = LEAVE,
    liar: int | None = None,
    restarts: int = 0,
    steps: int = 1,
    states: int = 10**7,
) -> Result:
    exploration = Exploration(SealedTable(1), cards, tokens, liar, restarts, steps)
    start = SimpleNamespace(start=lambda _: exploration.start)
    patch.setattr("netcode.sealed.log.Game", start)
    return exploration.run(states)


@pytest.fixture(autouse=True)
def _cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("liar", "restarts", "steps", "states", "depth"),
    [
        pytest.param(None, 1, 1, 3_625, 12, marks=pytest.mark.long),
        (0, 0, 1, 936, 9),
        pytest.param(2, 0, 1, 8_496, 13, marks=pytest.mark.long),
        pytest.param(None, 0, 2, 41_096, 19, marks=pytest.mark.long),
    ],
)
def test_nothing_that_is_certain_is_undone_and_all_goes_on(
    monkeypatch: pytest.MonkeyPatch,
    liar: int | None,
    restarts: int,
    steps: int,
    states: int,
    depth: int,
) -> None:
    result = explored(monkeypatch, liar=liar, restarts=restarts, steps=steps)
    assert result.is_whole
    assert (result.states, result.depth) == (states, depth)
    assert bool(result.frozen) == (liar is not None)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "states", [1_000, pytest.param(250_000, marks=pytest.mark.long)], ids=["short", "long"]
)
@pytest.mark.parametrize(("liar", "restarts"), [(None, 1), (0, 0), (1, 0), (2, 0)])
def test_openings_wait_for_what_is_certain(
    monkeypatch: pytest.MonkeyPatch, liar: int | None, restarts: int, states: int
) -> None:
    result = explored(monkeypatch, "ALH", STRIKE, liar, restarts, steps=99, states=states)
    assert result.states > states


@pytest.mark.no_cover
@pytest.mark.parametrize("name", EXPLORED)
def test_a_planted_bug_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(EXPLORED[name], monkeypatch)

    def explored_twice() -> None:
        for liar in (None, 2):
            explored(monkeypatch, liar=liar)

    with pytest.raises(AssertionError):
        explored_twice()
