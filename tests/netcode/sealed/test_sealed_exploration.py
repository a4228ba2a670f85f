"""All that can happen at the end of a game of three: the numbers are those of the README."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Final

import pytest

from netcode.sealed.encoding import EntryBody
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proofs import IGNORED, TAKEN, Outcome
from netcode.sealed.sealed_person import PersonSecrets, SealedPerson
from netcode.sealed.sealing import Sealing
from netcode.sealed.votes import Situation
from tests.netcode.sealed.sealed_exploration import Exploration, Result
from tests.netcode.sealed.sealed_tables import SealedTable
from tests.netcode.sealed.stand_in import plant_stand_in

Plant = Callable[[pytest.MonkeyPatch], None]


def a_voter_takes_the_step_all_the_same(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SealedLog, "_has_voted_missing", lambda *_: False)


def a_quorum_is_lower_by_one(patch: pytest.MonkeyPatch) -> None:
    begin = Sealing.__init__

    def lower(self: Sealing, body: bytes) -> None:
        begin(self, body)
        if self.quorum is not None:
            vars(self)["quorum"] = self.quorum - 1

    patch.setattr(Sealing, "__init__", lower)


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


def what_follows_from_going_on_convicts(patch: pytest.MonkeyPatch) -> None:
    take = SealedLog._take_entry

    def convict(self: SealedLog, said: EntryBody, parcel: Parcel) -> Outcome:
        outcome = take(self, said, parcel)
        if outcome is TAKEN and self.height > 1 and self.entries[-1].author is not None:
            before = self.entries[-2]
            if self.entries[-1].author in self.voters(before.said.n, before.said.prev, None):
                self.doubled.add(self.entries[-1].author)
        return outcome

    patch.setattr(SealedLog, "_take_entry", convict)


def somebody_stands_in_without_a_vote(patch: pytest.MonkeyPatch) -> None:
    go_on = SealedPerson._sign_next

    def stand_in(
        self: SealedPerson, log: SealedLog, own: PersonSecrets, now: Situation, unix_s: int
    ) -> bool:
        if go_on(self, log, own, now, unix_s):
            return True
        if log.due is None or now.waited_s < 20:
            return False
        if log.sealing.owners[log.due.seat] in now.connected:
            return False
        return self._sign(log, log.default())

    patch.setattr(SealedPerson, "_sign_next", stand_in)
    patch.setattr(SealedLog, "_check_default", lambda *_: None)


def who_has_a_default_looks_at_nothing_beside_it(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SealedLog, "_look_beside", lambda *_: None)


EXPLORED: Final[tuple[Plant, ...]] = (
    a_voter_takes_the_step_all_the_same,
    a_quorum_is_lower_by_one,
    the_longer_log_wins,
    what_follows_from_going_on_convicts,
    somebody_stands_in_without_a_vote,
    who_has_a_default_looks_at_nothing_beside_it,
)
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
        pytest.param(2, 0, 1, 12_600, 15, marks=pytest.mark.long),
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
@pytest.mark.parametrize("plant", EXPLORED, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        explored_twice(monkeypatch)


def explored_twice(patch: pytest.MonkeyPatch) -> None:
    for liar in (None, 2):
        explored(patch, liar=liar)
