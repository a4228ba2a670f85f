"""Bugs to be planted in sealed play and in carrying on: the simulation has to find each."""

from collections.abc import Callable
from typing import Final

import pytest

from netcode.carrying.who_carries_on import CarryingOn
from netcode.sealed.encoding import EntryBody
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proofs import IGNORED, TAKEN, Outcome
from netcode.sealed.sealed_person import DealtPerson, PersonOutput
from netcode.sealed.sealing import Sealing
from netcode.sealed.votes import Situation
from tests.netcode.sealed.sealed_simulation import Program

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


def a_reveal_has_no_gate(patch: pytest.MonkeyPatch) -> None:
    reveal = DealtPerson._reveal

    def at_once(self: DealtPerson) -> list[Parcel]:
        with pytest.MonkeyPatch.context() as meanwhile:
            meanwhile.setattr("netcode.sealed.sealed_person.may_open", lambda log: True)
            return reveal(self)

    patch.setattr(DealtPerson, "_reveal", at_once)


def a_gate_waits_for_a_majority(patch: pytest.MonkeyPatch) -> None:
    def majority(log: SealedLog) -> bool:
        others = len(log.sealing.keys) - 1
        if not log.entries or log.entries[-1].author is None:
            return True
        return len(log.shown(log.height) - {log.me}) > others / 2

    patch.setattr("netcode.sealed.sealed_person.may_open", majority)


def the_longer_log_wins(patch: pytest.MonkeyPatch) -> None:
    def keep(self: SealedLog, said: EntryBody, parcel: Parcel) -> Outcome:
        self._beside = self._until(said.n - 1)
        self._beside.take(parcel)
        return IGNORED

    def look(self: SealedLog, parcel: Parcel) -> None:
        branch = self._beside
        if branch is None:
            return
        branch.take(parcel)
        if branch.height > self.height:
            self.entries[:], self._beside = branch.entries, None
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


def nobody_must_open_what_is_owed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("netcode.sealed.log.owed_by", lambda *_: [])


def an_own_step_is_sent_before_it_is_kept(patch: pytest.MonkeyPatch) -> None:
    did = Program.did

    def forget(self: Program, output: PersonOutput) -> list[Parcel]:
        lasts = self.world.rng.random() < 0.5
        return did(self, output if lasts else output._replace(keep=()))

    patch.setattr(Program, "did", forget)
    patch.setattr(
        DealtPerson, "is_compared", property(lambda _: True, lambda *_: None), raising=False
    )


def somebody_stands_in_without_a_vote(patch: pytest.MonkeyPatch) -> None:
    go_on = DealtPerson._next

    def stand_in(self: DealtPerson, now: Situation, unix_s: int) -> list[Parcel]:
        said = go_on(self, now, unix_s)
        due = self.log.due
        if said or due is None or now.waited_s < 20:
            return said
        if self.log.sealing.owners[due.seat] in now.connected:
            return said
        return self._sign(self.log.default())

    patch.setattr(DealtPerson, "_next", stand_in)
    patch.setattr(SealedLog, "_check_default", lambda *_: None)


def everybody_opens_and_nobody_steps_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CarryingOn, "_is_to_step_back", lambda *_: False)


def nobody_opens_before_all_others_have(patch: pytest.MonkeyPatch) -> None:
    opens = CarryingOn._is_to_open

    def wait(self: CarryingOn, now: float, waited: float) -> bool:
        return self.me != min(self.carriers, default=0) and opens(self, now, waited)

    patch.setattr(CarryingOn, "_is_to_open", wait)


def lost_votes_are_not_told_again(patch: pytest.MonkeyPatch) -> None:
    """Plant what the simulation has found: a gate stayed shut for a vote that was lost."""
    parcels = SealedLog.parcels

    def fewer(self: SealedLog, since: int = 0) -> list[Parcel]:
        about = self.votes.get((since, self.tip_of(since - 1)), {}) if since else {}
        votes = {*about.values()}
        return [parcel for parcel in parcels(self, since) if parcel not in votes]

    patch.setattr(SealedLog, "parcels", fewer)


def who_has_a_default_looks_at_nothing_beside_it(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SealedLog, "_look_beside", lambda *_: None)


def a_longer_log_is_sent_nothing(patch: pytest.MonkeyPatch) -> None:
    lacking = SealedLog.lacking

    def nothing(self: SealedLog, n: int, tip: bytes) -> list[Parcel]:
        return [] if n > self.height else lacking(self, n, tip)

    patch.setattr(SealedLog, "lacking", nothing)


EXPLORED: Final[tuple[Plant, ...]] = (
    a_voter_takes_the_step_all_the_same,
    a_quorum_is_lower_by_one,
    the_longer_log_wins,
    what_follows_from_going_on_convicts,
    somebody_stands_in_without_a_vote,
    who_has_a_default_looks_at_nothing_beside_it,
)
"""What exploring finds."""

SIMULATED: Final[dict[Plant, int]] = {
    a_reveal_has_no_gate: 0,
    a_gate_waits_for_a_majority: 0,
    nobody_must_open_what_is_owed: 165,
    an_own_step_is_sent_before_it_is_kept: 1,
    everybody_opens_and_nobody_steps_back: 1,
    nobody_opens_before_all_others_have: 39,
    lost_votes_are_not_told_again: 98,
    a_longer_log_is_sent_nothing: 138,
}
"""What simulated games find, and a seed of one that does."""
