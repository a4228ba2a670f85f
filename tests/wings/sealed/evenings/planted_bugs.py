"""Planted bugs of sealed tables, which the sealed evenings must find."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final, TypeAlias

import pytest
from msgspec.structs import replace

from netcode.table.games import Games
from netcode.table.snapshot import KeptGame
from netcode.wings.sealed.forwarding import ParcelForwarder
from netcode.wings.sealed.game import sealed_person
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.sealed_person import PersonSecrets, SealedPerson
from netcode.wings.sealed.game.votes import may_open
from netcode.wings.sealed.messages import LogAt, Sealed
from netcode.wings.sealed.sealed_game import SealedGame
from netcode.wings.sealed.stored_logs import StoredLog
from tests.netcode.simulation.planted import SENT_TOO_EARLY
from tests.support.planted import Bug, Wrong

Called: TypeAlias = Callable[..., Any]


def a_step_is_sent_before_it_is_stored(patch: pytest.MonkeyPatch) -> None:
    keep, rng = StoredLog.keep, Random(5)

    def forget(self: StoredLog, records: Iterable[bytes]) -> None:
        if rng.random() < 0.5:
            keep(self, records)

    patch.setattr(StoredLog, "keep", forget)
    patch.setattr(
        SealedPerson, "is_compared", property(lambda _: True, lambda *_: None), raising=False
    )


def drop_a_parcel(right: Called) -> Called:
    def kept(self: Games) -> KeptGame:
        whole: KeptGame = right(self)
        parcels = [each for place, each in enumerate(whole.pieces) if place % 9 != 8]
        return replace(whole, pieces=tuple(parcels))

    return kept


def open_at_once(right: Called) -> Called:
    return lambda log: True


def open_after_a_majority(right: Called) -> Called:
    def wrong(log: SealedLog) -> bool:
        if not log.entries or log.entries[-1].author is None:
            return True
        return 2 * len(log.shown(log.height) - {log.me}) > len(log.sealing.keys) - 1

    return wrong


def reveal_at_once(right: Called) -> Called:
    def reveal(self: SealedPerson, log: SealedLog, own: PersonSecrets) -> bool:
        if self._chosen is None:
            return False
        (prev, seat), self._chosen = self._chosen, None
        if prev != log.tip:
            return False
        leaf = int(log.game.queue[log.game.at][1])
        return self._sign(log, own.open(log.height + 1, prev, seat, leaf, "reveal"))

    return reveal


def is_of_no_log(message: Sealed | LogAt) -> bool:
    return isinstance(message, LogAt) and not message.n


def send_no_empty_log(right: Called) -> Called:
    def send(self: ParcelForwarder, message: Sealed | LogAt, family: str | None = None) -> None:
        if not is_of_no_log(message):
            right(self, message, family)

    return send


def report_no_empty_log(right: Called) -> Called:
    return lambda *arguments: (each for each in right(*arguments) if not is_of_no_log(each))


def send_only_the_latest(right: Called) -> Called:
    return lambda self, at: [*right(self, at)][-40:]


SEALED_PLANTS: Final[dict[str, Bug]] = {
    "a_commit_drops_some_parcels": Wrong(Games.kept, drop_a_parcel),
    "cards_are_opened_at_once": Wrong(may_open, open_at_once, imported_by=sealed_person),
    "who_begins_anew_in_the_deal_is_told_of_no_log": [
        Wrong(ParcelForwarder.send, send_no_empty_log),
        Wrong(SealedGame.messages_after, report_no_empty_log),
    ],
    "nobody_gives_their_part_of_the_deal_again": Wrong(
        SealedPerson.resend,
        lambda right: lambda self: None,
    ),
    "newcomers_are_told_of_the_latest_only": Wrong(SealedGame._parcels, send_only_the_latest),
    "a_reveal_has_no_gate": Wrong(SealedPerson._reveal, reveal_at_once),
    "a_gate_waits_for_a_majority": Wrong(
        may_open, open_after_a_majority, imported_by=sealed_person
    ),
    "nobody_must_open_what_is_owed": Wrong(
        SealedLog.owed_by,
        lambda right: lambda self, person: [],
    ),
    "an_own_step_is_sent_before_it_is_kept": a_step_is_sent_before_it_is_stored,
    "everybody_is_told_before_it_is_kept": SENT_TOO_EARLY,
}
