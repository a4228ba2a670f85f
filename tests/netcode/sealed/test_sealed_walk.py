"""The end of a game of three, walked at random: what is certain stays, and all goes on."""

from random import Random
from types import SimpleNamespace
from typing import Final

import pytest

from netcode.sealed.encoding import EntryBody
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proofs import IGNORED, Outcome
from tests.netcode.sealed.sealed_tables import SealedTable
from tests.netcode.sealed.sealed_walk import Walk, last_round
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

WALKED: Final[dict[str, Bug]] = {
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
"""What walking finds."""

LEAVE = {"?0": "+", "?1": "+", "?2": "+"}
"""Everybody leaves their card."""

STRIKE = {**LEAVE, "?0": "!", "A0": "x"}
"""The first reveals an Archer, and strikes another's card."""


def walked(
    patch: pytest.MonkeyPatch,
    walks: int,
    cards: str = "LHA",
    tokens: dict[str, str] = LEAVE,
    liar: int | None = None,
    restarts: int = 0,
    most: int = 1,
) -> int:
    """Walk so often; return how often all have stopped in the end."""
    table = SealedTable(1)
    start = last_round(table, cards)
    patch.setattr("netcode.sealed.log.Game", SimpleNamespace(start=lambda _: start))
    stopped = 0
    for seed in range(walks):
        walk, left = Walk(table, Random(seed), tokens, liar, most), restarts
        for _ in range(walk.rng.randrange(5, 60)):
            left = walk.step(left)
        stopped += walk.settle()
    return stopped


@pytest.fixture(autouse=True)
def _cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


WALKS: Final = [40, pytest.param(2_000, marks=pytest.mark.long)]


@pytest.mark.no_cover
@pytest.mark.parametrize("walks", WALKS, ids=["short", "long"])
@pytest.mark.parametrize(
    ("cards", "liar", "restarts", "most"),
    [
        *(("LHA", *each) for each in ((None, 1, 2), (0, 0, 1), (2, 1, 1))),
        *(("ALH", *each, 99) for each in ((None, 1), (0, 0), (1, 0), (2, 0))),
    ],
)
def test_nothing_that_is_certain_is_undone_and_all_goes_on(
    monkeypatch: pytest.MonkeyPatch,
    cards: str,
    liar: int | None,
    restarts: int,
    most: int,
    walks: int,
) -> None:
    tokens = STRIKE if cards[0] == "A" else LEAVE
    stopped = walked(monkeypatch, walks, cards, tokens, liar, restarts, most)
    assert bool(stopped) == (liar is not None)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", WALKED)
def test_a_planted_bug_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(WALKED[name], monkeypatch)

    def walked_twice() -> None:
        for liar, walks in ((None, 100), (2, 1_000)):
            walked(monkeypatch, walks, liar=liar)

    with pytest.raises(AssertionError):
        walked_twice()
