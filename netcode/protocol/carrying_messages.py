"""The messages of a sealed table that goes on at another machine, and of those who come there."""

from typing import Annotated

from msgspec import Meta

from engine.cards import MAXIMUM_PLAYERS
from netcode.protocol.fields import MAXIMUM_LINK, Secret, ShownName
from netcode.protocol.message_base import Message

_Bytes32 = Annotated[bytes, Meta(min_length=32, max_length=32)]


class Call(Message, frozen=True, kw_only=True):
    """Ask to be let in by the key of a sealed game, instead of a Hello."""

    protocol: Annotated[int, Meta(ge=0, le=65_535)]
    gid: _Bytes32
    """The game that the caller has a part in."""
    secret: Secret | None = None
    """Of the table; None where there is only one."""


class LogIn(Message, frozen=True, kw_only=True):
    """Answer a Challenge with the signature of a login body, as the specification has it."""

    person: Annotated[int, Meta(ge=0, lt=MAXIMUM_PLAYERS)]
    signature: Annotated[bytes, Meta(min_length=64, max_length=64)]


class Carry(Message, frozen=True):
    """Say whether one's own machine may carry the table on, once the host is gone."""

    allowed: bool


class HandOver(Message, frozen=True):
    """Hand the table to somebody who allows it; the host of a sealed table, in a game."""

    name: ShownName
    """As in the host's Lobby."""


class Challenge(Message, frozen=True):
    """The answer to a Call: what is to be signed."""

    challenge: _Bytes32


class CarryOn(Message, frozen=True):
    """The receiver's program is to carry the table on from now."""


class RelayPass(Message, frozen=True):
    """The receiver's program may be reached through the table's relay too, for an evening."""

    link: Annotated[str, Meta(max_length=MAXIMUM_LINK)]
    """The relay's, with a pass in the place of its secret."""
