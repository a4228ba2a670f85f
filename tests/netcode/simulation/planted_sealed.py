"""Bugs to be planted at sealed tables: the sealed evenings have to find them."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from netcode.protocol.messages import LogAt, Sealed
from netcode.sealed.log import SealedLog
from netcode.sealed.sealed_person import PersonOutput, PersonSecrets, SealedPerson
from netcode.storage.own_logs import OwnLog
from netcode.table.passing_on import PassingOn
from netcode.table.sealed_game import SealedGame
from netcode.table.snapshot import KeptGame
from tests.netcode.simulation.planted import (
    changed,
    everybody_is_told_before_it_is_kept,
    plants_of,
)


def a_commit_drops_some_parcels(patch: pytest.MonkeyPatch) -> None:
    def drop(kept: KeptGame) -> KeptGame:
        left = [each for place, each in enumerate(kept.parcels) if place % 9 != 8]
        return replace(kept, parcels=tuple(left))

    changed(patch, game=drop)


def cards_are_opened_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("netcode.sealed.sealed_person.may_open", lambda log: True)


def who_begins_anew_in_the_deal_is_told_of_no_log(patch: pytest.MonkeyPatch) -> None:
    send = PassingOn.send

    def withhold(self: PassingOn, message: Sealed | LogAt, family: str | None = None) -> None:
        if not isinstance(message, LogAt) or message.n:
            send(self, message, family)

    told = SealedGame.messages_after

    def withhold_answer(self: SealedGame, at: LogAt | None = None) -> Iterator[Sealed | LogAt]:
        return (each for each in told(self, at) if not isinstance(each, LogAt) or each.n)

    patch.setattr(PassingOn, "send", withhold)
    patch.setattr(SealedGame, "messages_after", withhold_answer)


def nobody_gives_their_part_of_the_deal_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SealedPerson, "resend", lambda self: PersonOutput())


def newcomers_are_told_of_the_latest_only(patch: pytest.MonkeyPatch) -> None:
    told = SealedGame.messages_after

    def shorten(self: SealedGame, at: LogAt | None = None) -> Iterator[Sealed | LogAt]:
        for message in told(self, at):
            if isinstance(message, Sealed) and len(message.parcels) > 40:
                message = Sealed(message.parcels[-40:])
            yield message

    patch.setattr(SealedGame, "messages_after", shorten)


def a_reveal_has_no_gate(patch: pytest.MonkeyPatch) -> None:
    reveal = SealedPerson._reveal

    def at_once(self: SealedPerson, log: SealedLog, own: PersonSecrets) -> bool:
        with pytest.MonkeyPatch.context() as meanwhile:
            meanwhile.setattr("netcode.sealed.sealed_person.may_open", lambda log: True)
            return reveal(self, log, own)

    patch.setattr(SealedPerson, "_reveal", at_once)


def a_gate_waits_for_a_majority(patch: pytest.MonkeyPatch) -> None:
    def majority(log: SealedLog) -> bool:
        others = len(log.sealing.keys) - 1
        if not log.entries or log.entries[-1].author is None:
            return True
        return len(log.shown(log.height) - {log.me}) > others / 2

    patch.setattr("netcode.sealed.sealed_person.may_open", majority)


def nobody_must_open_what_is_owed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SealedLog, "owed_by", lambda *_: [])


def an_own_step_is_sent_before_it_is_kept(patch: pytest.MonkeyPatch) -> None:
    keep, rng = OwnLog.keep, Random(5)

    def forget(self: OwnLog, records: Iterable[bytes]) -> None:
        if rng.random() < 0.5:
            keep(self, records)

    patch.setattr(OwnLog, "keep", forget)
    patch.setattr(
        SealedPerson, "is_compared", property(lambda _: True, lambda *_: None), raising=False
    )


SEALED_PLANTS: Final = {
    **plants_of(globals()),
    everybody_is_told_before_it_is_kept.__name__: everybody_is_told_before_it_is_kept,
}
"""By name."""
