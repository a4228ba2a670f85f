"""Defines the stored record of a table with games for days: its clock, and a record per player."""

from math import inf
from typing import Annotated, Final

import msgspec
from msgspec import Meta, field
from msgspec.structs import replace

from engine.cards import MAXIMUM_PLAYERS, ROUNDS
from netcode.protocol.fields import NAME_LENGTH, FamilyLetter, Strict, checked_struct
from netcode.wings.days.messages import ADDRESS_LENGTH, MAXIMUM_CONDITIONS, Condition
from netcode.wings.days.pauses import DAY_S, Pauses

MAXIMUM_OVERDUE: Final = 500
"""Maximum number of stored answers by bots in one game."""

UNTOUCHED_S: Final = 30 * DAY_S
"""Seconds without a visit after which a table ends its game, or frees the seats of its lobby."""

HOST_AWAITED_S: Final = DAY_S
"""Seconds for which a paused game waits for its absent host."""

YIELDS_AFTER_S: Final = DAY_S
"""Seconds of absence from a full lobby after which a newcomer gets the player's seat."""

CALL_AFTER_S: Final = 60
"""Seconds from a question, or from the asked player's departure, until the player is called.

A program that reconnects returns sooner, so its player is not called. Pauses do not count.
"""

ON_TIME_S: Final = 5
"""Maximum seconds by which a table may wake late for a call that is then made at once."""

_Unix = Annotated[int, Meta(ge=0, le=2**53)]
_Seconds = Annotated[int, Meta(ge=0, le=2**31)]


class PlayerRecord(Strict, frozen=True, omit_defaults=True):
    """The stored record of a seat's player. It is lost with the seat."""

    address: Annotated[str, Meta(max_length=ADDRESS_LENGTH)] = ""
    """The address for calls. Nobody but its owner and the host's part receives it."""
    conditions: Annotated[tuple[Condition, ...], Meta(max_length=MAXIMUM_CONDITIONS)] = ()
    """The conditional answers. Nobody but their owner receives them."""
    lines: Annotated[int, Meta(ge=0)] = 0
    """Number of lines of chat when the player was last present."""
    bank_s: _Seconds = 0
    """The seconds left in the player's bank."""
    gone_at: _Unix = 0
    """The Unix time since which the player has been absent from the lobby; 0 if they are present,
    or the table is not in its lobby.
    """


class DaysRecord(Strict, frozen=True, omit_defaults=True):
    """The stored record of a table."""

    touched_at: _Unix = 0
    """The Unix time at which a person was last at the table. Visits to a paused game do not count.
    """
    host_at: _Unix = 0
    """The Unix time at which the host was last seen; 0 for never."""
    deciding: FamilyLetter | None = None
    """The first family of the seat that must answer; None if the table asks nobody."""
    question_at: _Unix = 0
    """The Unix time of the question, or of the asked player's departure without an answer."""
    calls_from: _Unix = 0
    """The Unix time before which nobody is called, because players need time to return after the
    table was opened; 0 without such a delay.
    """
    out_at: Annotated[float, Meta(ge=0, le=2**53)] = 0
    """The Unix time at which a bot answers; 0 for never."""
    left_s: Annotated[float, Meta(ge=0, le=2**31)] | None = None
    """Seconds that were left when the host paused the game; None if it is not paused."""
    round: Annotated[int, Meta(ge=0, le=ROUNDS)] = 0
    has_calls: bool = True
    """True if the host that stored the record calls players. Otherwise no call is due, and the
    table must not wake for one.
    """
    was_called: bool = False
    """True if the present question needs no call: the call was made, or the player came to answer.
    """
    was_present: bool = False
    """True if the asked player was present. If the host's program ends then, the player's return
    after its restart continues the same visit.
    """
    overdue: Annotated[
        tuple[Annotated[int, Meta(ge=0)], ...], Meta(max_length=MAXIMUM_OVERDUE)
    ] = ()
    """The answers that a bot gave because the time was up, each by the index of its first event."""
    late: Annotated[str, Meta(max_length=NAME_LENGTH)] = ""
    """The last player in this game for whom a bot has answered; "" without such an answer."""
    players: Annotated[dict[FamilyLetter, PlayerRecord], Meta(max_length=MAXIMUM_PLAYERS)] = field(
        default_factory=dict
    )
    """The players' records, by the first family of their seats."""

    def encoded(self) -> bytes:
        """Return the record in MessagePack, for `decode_record`."""
        return msgspec.msgpack.encode(self)

    def call_at(self, pauses: Pauses) -> float:
        """Return the Unix time at which the asked player is called; infinity for never.

        Nobody is called while the clock stands still.
        """
        player = None if self.deciding is None else self.players.get(self.deciding)
        if player is None or not player.address or self.left_s is not None:
            return inf
        if self.was_called or not self.has_calls:
            return inf
        return max(
            pauses.ends_at(self.question_at, CALL_AFTER_S), pauses.ends_at(self.calls_from, 0)
        )

    def opened(self, now: int, pauses: Pauses) -> "DaysRecord":
        """Return the record of a table that is opened at a Unix time.

        Players whose connections ended with the program need some time to return. So no call is due
        in the first `CALL_AFTER_S`. A call for which a table has woken in time stays due.
        """
        due = replace(self, has_calls=True).call_at(pauses)
        is_on_time = due <= now <= due + ON_TIME_S
        is_sudden = self.was_present and not self.calls_from
        if is_sudden or (due < now + CALL_AFTER_S and not is_on_time):
            return replace(self, calls_from=now + CALL_AFTER_S)
        return self

    @property
    def given_up_at(self) -> float:
        """The Unix time at which `UNTOUCHED_S` are over; infinity before the first visit."""
        return self.touched_at + UNTOUCHED_S if self.touched_at else inf


def decode_record(data: bytes) -> DaysRecord:
    """Return a record from the bytes of `encoded`; raises ValueError for invalid bytes."""
    return checked_struct(msgspec.msgpack.decode(data), DaysRecord)
