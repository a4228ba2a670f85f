"""A table's earlier deals, as its next sealing states them."""

from typing import Annotated, Final

from msgspec import Meta, MsgspecError, Raw, msgpack

from netcode.protocol.fields import Hash, Strict
from netcode.table.games import Games


class Sealings(Strict, frozen=True):
    """A table's earlier deals, as its next sealing states them."""

    table: Annotated[bytes, Meta(max_length=16)] = b""
    """The table's random name, drawn for its first game; empty before."""
    broken: Annotated[tuple[Hash, ...], Meta(max_length=16)] = ()
    """The deals that were broken off since the last game began."""


def sealings_of(games: Games) -> Sealings:
    """Return a table's earlier deals."""
    try:
        return decode_sealings(games.memory)
    except MsgspecError:
        # It was damaged, and no game of the table was sealed since.
        return Sealings()


def store_sealings(games: Games, sealings: Sealings) -> None:
    """Store a table's earlier deals."""
    games.memory = memory_of(sealings)


def memory_of(sealings: Sealings) -> Raw:
    """Encode a table's earlier deals."""
    return Raw(msgpack.encode(sealings))


decode_sealings: Final = msgpack.Decoder(Sealings).decode
"""Decodes a table's earlier deals; raises MsgspecError."""
