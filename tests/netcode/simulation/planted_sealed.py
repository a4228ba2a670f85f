"""Bugs to be planted at sealed tables: the sealed evenings have to find them."""

from collections.abc import Iterable
from random import Random
from typing import Final

import pytest

from netcode.sealed.sealed_person import SealedPerson
from netcode.storage.own_logs import OwnLog
from tests.netcode.simulation.planted import KEPT_GAMES, TOLD_TOO_EARLY
from tests.support.planted import Bug, Slip


def an_own_step_is_sent_before_it_is_kept(patch: pytest.MonkeyPatch) -> None:
    keep, rng = OwnLog.keep, Random(5)

    def forget(self: OwnLog, records: Iterable[bytes]) -> None:
        if rng.random() < 0.5:
            keep(self, records)

    patch.setattr(OwnLog, "keep", forget)
    patch.setattr(
        SealedPerson, "is_compared", property(lambda _: True, lambda *_: None), raising=False
    )


MAY_OPEN: Final = "netcode.sealed.sealed_person:may_open"
IS_LOCKED: Final = "log.locked == log.height"
MESSAGES: Final = "netcode.table.sealed_game:SealedGame.messages_after"

SEALED_PLANTS: Final[dict[str, Bug]] = {
    "a_commit_drops_some_parcels": Slip(
        KEPT_GAMES,
        "tuple(sealed_game.kept)",
        "tuple(each for place, each in enumerate(sealed_game.kept) if place % 9 != 8)",
    ),
    "cards_are_opened_at_once": Slip(MAY_OPEN, IS_LOCKED, "True"),
    "who_begins_anew_in_the_deal_is_told_of_no_log": [
        Slip(
            "netcode.table.passing_on:PassingOn.send",
            "if family is None or family == participant.family:",
            "if not isinstance(message, LogAt) or message.n:",
        ),
        Slip(MESSAGES, "if mine is not None:", "if mine is not None and mine.n:"),
    ],
    "nobody_gives_their_part_of_the_deal_again": Slip(
        "netcode.sealed.sealed_person:SealedPerson.resend",
        "if self.dealing is not None and self.me is not None:",
        "if False:",
    ),
    "newcomers_are_told_of_the_latest_only": Slip(
        MESSAGES, "[*self._parcels(at)]", "[*self._parcels(at)][-40:]"
    ),
    "a_reveal_has_no_gate": Slip(
        "netcode.sealed.sealed_person:SealedPerson._reveal", "not may_open(log)", "False"
    ),
    "a_gate_waits_for_a_majority": Slip(
        MAY_OPEN,
        IS_LOCKED,
        "not log.entries or log.entries[-1].author is None or "
        "2 * len(log.shown(log.height) - {log.me}) > len(log.sealing.keys) - 1",
    ),
    "nobody_must_open_what_is_owed": Slip(
        "netcode.sealed.log:SealedLog.owed_by", "in self.game.owed", "in ()"
    ),
    "an_own_step_is_sent_before_it_is_kept": an_own_step_is_sent_before_it_is_kept,
    "everybody_is_told_before_it_is_kept": TOLD_TOO_EARLY,
}
"""By name."""
