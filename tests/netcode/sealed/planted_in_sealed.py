"""Bugs to be planted in sealed play and in carrying on: the simulation has to find each."""

from collections.abc import Callable
from typing import Final

import pytest

from netcode.sealed.encoding import EntryBody
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proofs import IGNORED, TAKEN, Outcome
from netcode.sealed.sealed_person import PersonSecrets, SealedPerson
from netcode.sealed.sealing import Sealing
from netcode.sealed.votes import Situation

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
