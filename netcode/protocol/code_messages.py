"""The messages of a spoken code: how a client proves that it knows the one of a table."""

from typing import Annotated

from msgspec import Meta

from netcode.protocol.fields import Proof, Room, Share
from netcode.protocol.message_base import Message


class Knock(Message, frozen=True, kw_only=True):
    """Begin to prove that one knows a table's spoken code, which itself is never sent."""

    protocol: Annotated[int, Meta(ge=0, le=65_535)]
    room: Room
    share: Share


class Prove(Message, frozen=True):
    """Prove that one knows the spoken code, after the host's Knocked."""

    proof: Proof


class Knocked(Message, frozen=True):
    """The answer to a Knock: the host's side of SPAKE2. It says nothing about the code yet."""

    share: Share
