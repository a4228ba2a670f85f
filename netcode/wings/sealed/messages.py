"""The messages of sealed play, with the limits of their fields."""

from typing import Annotated, Final

from msgspec import Meta

from engine.cards import MAXIMUM_PLAYERS
from engine.texts import Text
from netcode.protocol.fields import (
    BeforeTable,
    ForInterpreter,
    Hash,
    Key,
    Message,
    Messages,
    ProtocolVersion,
    Secret,
    ShownName,
    TableNotice,
)

FROM_SEALED_CLIENT: Final = 4096
"""Maximum bytes of a frame from a client at a sealed table, enough for the openings of all cards of
four seats.
"""

MAX_CLIENT_PARCELS: Final = 16
"""Maximum number of parcels in one message of a client."""

MAX_HOST_PARCELS: Final = 512
"""Maximum number of parcels in one message of a host."""

MAX_BROKEN_DEALS: Final = 8
"""Maximum number of incomplete deals of a table before its next game begins."""

_Body = Annotated[bytes, Meta(min_length=1, max_length=8192)]
_Signature = Annotated[bytes, Meta(max_length=64)]


# Before a table


class Call(BeforeTable, frozen=True, kw_only=True):
    """Log in by the key of a sealed game. A player sends it instead of a Hello."""

    protocol: ProtocolVersion
    gid: Hash
    """The game in which the caller takes part."""
    secret: Secret | None = None
    """The secret of the table; None if the host has only one table."""


class LogIn(BeforeTable, frozen=True, kw_only=True):
    """Answer a Challenge with the signature of a `LoginBody`, as the specification defines it."""

    person: Annotated[int, Meta(ge=0, lt=MAXIMUM_PLAYERS)]
    signature: Annotated[bytes, Meta(min_length=64, max_length=64)]


class Challenge(Message, frozen=True):
    """The answer to a Call: the challenge to sign."""

    challenge: Key


# In a game


class Sealed(ForInterpreter, frozen=True):
    """Parcels of a sealed game. Their order lets the receiver check each parcel on arrival."""

    parcels: Annotated[
        tuple[tuple[_Body, _Signature], ...], Meta(min_length=1, max_length=MAX_HOST_PARCELS)
    ]
    """Pairs of body and signature. The signature is empty for an unsigned body."""


class LogAt(ForInterpreter, frozen=True, kw_only=True):
    """The end of a sealed game's log: the sender's own log, or a person's log.

    The receiver answers with the steps that are missing there. A host sends this message after all
    parcels.
    """

    gid: Hash
    n: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    """Number of steps in the log."""
    tip: Hash
    """The hash of the last step."""
    person: Annotated[int, Meta(ge=0, lt=MAXIMUM_PLAYERS)] | None = None
    """From a host: the person who has this log; None for the host's own log."""


# Takeover


class AllowTakeover(Message, frozen=True):
    """Allow or forbid a takeover by the sender's machine after the table's host has gone."""

    allowed: bool
    port: Annotated[int, Meta(ge=0, le=65535)] = 0
    """The sender's own port of this connection, if the host is on the same machine; otherwise 0."""


class HandOver(Message, frozen=True):
    """Hand the table over to a player who allows this. Only the host of a sealed game sends it."""

    name: ShownName
    """The player's name in the host's Lobby."""


class StartTakeover(ForInterpreter, frozen=True):
    """Ask the receiver's program to take over the table now."""


class Unannounced(TableNotice, frozen=True):
    """Forbid programs to announce the table on a local network, even after a takeover."""


SENTENCES: Final[dict[str, Text]] = {
    "game_key_missing": (
        "This table is sealed, and your program has sent no key for it: upgrade the older program."
    ),
    "table_not_sealed": (
        "This table is not sealed, so it takes no signed messages: upgrade the older program."
    ),
    "table_sealed": (
        "This table is sealed, so it takes only signed messages: upgrade the older program."
    ),
    "too_few_persons": (
        "Invite somebody: a sealed game needs at least two people, and bots do not count."
    ),
    "too_many_broken": "Too many deals of this table were cancelled: open another table.",
    "parcel_refused": "The table refuses what your program has signed ({check}): upgrade the older "
    "program.",
    "doors_open": (
        "Switch off the seal, or open a table without SSH and web doors: their visitors play on "
        "the host's machine."
    ),
    "bots_need_host": (
        "Take a seat first: at a sealed table bots play on the host's own machine, so the host "
        "must play too."
    ),
    "nobody_answers": (
        "At a sealed table nobody can answer for {family}: the others can vote that "
        "the answer is missing."
    ),
    "sealed_latecomers": (
        "Nobody can take a seat in a sealed game: only the machines of its players have its cards."
    ),
    "no_such_game": "Another game is played at this table: leave it, and join again.",
    "wrong_game_key": (
        "This key belongs to nobody who plays this game: join from the machine on which you played."
    ),
    "not_a_successor": (
        "{name} does not allow the table to move to their machine: ask them to allow it."
    ),
    "cannot_hand_over": "Only a sealed game can be handed over, once it has begun.",
}
"""The sentences of sealed play's refusals, by code."""

SEAM: Final = Messages(
    from_client=(Call, LogIn, AllowTakeover, HandOver, Sealed, LogAt),
    from_host=(Challenge, Sealed, LogAt, StartTakeover, Unannounced),
    sentences=SENTENCES,
)
