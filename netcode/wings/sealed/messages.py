"""The messages of sealed play."""

from typing import Annotated, Final

from msgspec import Meta

from engine.cards import MAXIMUM_PLAYERS
from netcode.protocol.fields import BeforeTable, Hash, Key, Message, Messages, Secret, Spoken


class Call(BeforeTable, frozen=True, kw_only=True):
    """Ask to be let in by the key of a sealed game, instead of a Hello."""

    protocol: Spoken
    gid: Hash
    """The game that the caller has a part in."""
    secret: Secret | None = None
    """Of the table; None where there is only one."""


class LogIn(BeforeTable, frozen=True, kw_only=True):
    """Answer a Challenge with the signature of a login body, as the specification has it."""

    person: Annotated[int, Meta(ge=0, lt=MAXIMUM_PLAYERS)]
    signature: Annotated[bytes, Meta(min_length=64, max_length=64)]


class Challenge(Message, frozen=True):
    """The answer to a Call: what is to be signed."""

    challenge: Key


SEAM: Final = Messages(from_client=(Call, LogIn), from_host=(Challenge,))
