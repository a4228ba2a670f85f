"""The messages of a sealed table, both ways: parcels, and where somebody's log of the game ends."""

from typing import Annotated, Final

from msgspec import Meta

from netcode.protocol.message_base import Message

MAXIMUM_SENT: Final = 16
"""Most parcels in one message of a client."""

MAXIMUM_RELAYED: Final = 512
"""Most parcels in one message of a host."""

MAXIMUM_BROKEN: Final = 8
"""Most deals of a table that may have been broken off since its last game began."""

_Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
_Body = Annotated[bytes, Meta(min_length=1)]
_Signature = Annotated[bytes, Meta(max_length=64)]


class Sealed(Message, frozen=True):
    """Parcels of a sealed game, in an order in which they can be taken."""

    parcels: Annotated[
        tuple[tuple[_Body, _Signature], ...], Meta(min_length=1, max_length=MAXIMUM_RELAYED)
    ]
    """Each a body and its signature, which is empty where nobody signs."""


class LogAt(Message, frozen=True, kw_only=True):
    """Where a log of a sealed game ends: the sender's, or that of a person, who told the host so.

    It is answered with what is missing there. A host says it after all that it has.
    """

    gid: _Hash
    n: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    """How many steps the log has."""
    tip: _Hash
    """The hash of the last one."""
    person: Annotated[int, Meta(ge=0, le=4)] | None = None
    """From a host: the person whose log it is; None for the host's own."""
