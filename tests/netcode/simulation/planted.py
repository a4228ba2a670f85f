"""Bugs to be planted, each of a kind that somebody might make: the simulation has to find them."""

from typing import Final
from weakref import WeakKeyDictionary

import pytest

from netcode.protocol.fields import FamilyLetter
from netcode.table.games import Games
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant
from netcode.table.snapshot import KeptGame
from tests.support.planted import Bug, Slip


def some_answers_are_kept_with_the_next(patch: pytest.MonkeyPatch) -> None:
    kept, before = Games.kept, WeakKeyDictionary[Games, KeptGame]()

    def lag(self: Games) -> KeptGame:
        now = kept(self)
        if self not in before or len(now.actions) % 4:
            before[self] = now
        return before[self]

    patch.setattr(Games, "kept", lag)


def a_lost_key_opens_whatever_is_in_the_place_of_its_seat(patch: pytest.MonkeyPatch) -> None:
    opened_by, families = Participants.opened_by, dict[bytes, FamilyLetter]()

    def open_more(self: Participants, hashed: bytes) -> Participant | None:
        found = opened_by(self, hashed)
        for seat in self.seats:
            if seat.keys is not None:
                families[seat.keys.key] = seat.family
        return found or (self.seat_of(families[hashed]) if hashed in families else None)

    patch.setattr(Participants, "opened_by", open_more)


TOLD_TOO_EARLY: Final[Bug] = Slip(
    "netcode.storage.journal:Journal.submit",
    "keep = effects[0] if effects else None",
    "carry_out(effects); carry_out = list; keep = effects[0] if effects else None",
)
"""Everybody is told before it is kept."""

ACT: Final = "netcode.table.requests:Requests._act"
KEPT_TABLE: Final = "netcode.table.table:Table._kept_table"
KEPT_GAMES: Final = "netcode.table.games:Games.kept"
STATE: Final = "netcode.table.live_game:LiveGame.state"

PLANTS: Final[dict[str, Bug]] = {
    "an_act_that_has_counted_is_not_known": Slip(ACT, "if act.number <= seat.acted:", "if False:"),
    "the_revision_of_an_act_is_not_looked_at": Slip(
        ACT, "if act.revision != self.games.revision:", "if False:"
    ),
    "everybody_is_told_before_it_is_kept": TOLD_TOO_EARLY,
    "a_commit_drops_some_answers": Slip(
        KEPT_GAMES, "else live.actions,", "else live.actions[:7] + live.actions[8:],"
    ),
    "some_answers_are_kept_with_the_next": some_answers_are_kept_with_the_next,
    "what_comes_during_a_commit_counts_as_kept": Slip(
        "netcode.storage.journal:Journal._committed", "newer.snapshot", "kept.snapshot"
    ),
    "most_changes_of_a_table_are_not_kept": Slip(
        KEPT_TABLE,
        "return KeptTable(",
        "before = self._kept; "
        "return before.table if before is not None and self.games.phase == before.game.phase "
        "and len(self.participants.seats) == len(before.table.seats) else KeptTable(",
    ),
    "what_counted_is_forgotten_with_a_crash": Slip(
        "netcode.table.table:restore_participants", "seat.acted = acted", "seat.acted = 0"
    ),
    "a_resumed_table_counts_on_from_too_low": Slip(
        "netcode.table.games:Games.restore",
        "kept.game.revision",
        "max(0, kept.game.revision - 1)",
    ),
    "a_key_changes_with_each_use": Slip(
        "netcode.table.connections:ConnectionState.seat",
        "self.participant, self.key = (participant, key)",
        "from netcode.table.people.seats import KeyRing, key_hash; key = key_hash(key); "
        "participant.keys = KeyRing.of(key); self.participant, self.key = participant, key",
    ),
    "the_keys_of_a_table_are_not_kept": Slip(
        "netcode.table.people.seats:Seat.kept",
        "getattr(self, name)",
        'getattr(self, name) if name != "keys" else self.keys and KeyRing()',
    ),
    "a_lost_key_opens_whatever_is_in_the_place_of_its_seat": (
        a_lost_key_opens_whatever_is_in_the_place_of_its_seat
    ),
    "somebody_sees_with_the_eyes_of_others": Slip(
        STATE,
        "two = ",
        "viewer = (viewer + 1) % 3 if isinstance(viewer, int) and revision % 10 == 0 "
        "else viewer; two = ",
    ),
    "an_event_is_left_out": Slip(
        STATE, "self.events_for(viewer, since)", "self.events_for(viewer, since)[:5]"
    ),
    "what_was_said_is_not_kept": Slip(KEPT_TABLE, "talk=conversation.lines", "talk=()"),
    "the_client_never_sends_an_act_again": Slip(
        "tests.netcode.simulation.person:stay_connected", "session.pending is not None", "False"
    ),
    "the_client_forgets_its_key": Slip(
        "netcode.client.session:Session._welcome", "self.key = message.key", "self.key = None"
    ),
    "the_client_has_no_heartbeat": Slip(
        "netcode.client.connection:Connection._beat", "while True:", "while False:"
    ),
}
"""By name."""
