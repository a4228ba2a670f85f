"""What the next sealing of a table says of those before."""

from typing import Annotated, Final

from msgspec import Meta, MsgspecError, Raw, msgpack

from netcode.protocol.fields import Hash, Strict
from netcode.table.games import Games


class Sealings(Strict, frozen=True):
    """What the next sealing of a table says of those before."""

    table: Annotated[bytes, Meta(max_length=16)] = b""
    """What they call the table, drawn by lot for the first; empty before."""
    broken: Annotated[tuple[Hash, ...], Meta(max_length=16)] = ()
    """The deals that were broken off since the last game began."""


def sealings_of(games: Games) -> Sealings:
    """Return what the next sealing of a table says of those before."""
    try:
        return decode_sealings(games.memory)
    except MsgspecError:
        # Damaged while no game of the table was sealed.
        return Sealings()


def store_sealings(games: Games, sealings: Sealings) -> None:
    """Store what the next sealing of a table says of those before."""
    games.memory = memory_of(sealings)


def memory_of(sealings: Sealings) -> Raw:
    """Return what a table keeps."""
    return Raw(msgpack.encode(sealings))


decode_sealings: Final = msgpack.Decoder(Sealings).decode
"""Returns what a table has kept; raises MsgspecError."""
