"""Parcels as messages, each of no more than a host or a client reads."""

from collections.abc import Iterable, Iterator
from typing import Final

from netcode.protocol.sealed_messages import MAXIMUM_RELAYED, MAXIMUM_SENT, Sealed
from netcode.sealed.encoding import Parcel

SENT_BYTES: Final = 3900
"""Most bytes of parcels in one frame to a host: with what is around them, one that it reads."""

RELAYED_BYTES: Final = 48 * 1024
"""Most bytes of parcels in one frame to a client, where there is room for more."""


def in_frames(
    parcels: Iterable[Parcel], most: int = MAXIMUM_SENT, most_bytes: int = SENT_BYTES
) -> Iterator[Sealed]:
    """Yield parcels in as few messages as a host reads, or whoever reads more at once."""
    frame: list[Parcel] = []
    size = 0
    for parcel in parcels:
        length = len(parcel.body) + len(parcel.signature) + 8
        if frame and (len(frame) == most or size + length > most_bytes):
            yield Sealed(tuple(frame))
            frame, size = [], 0
        frame.append(parcel)
        size += length
    if frame:
        yield Sealed(tuple(frame))


def relayed(parcels: Iterable[Parcel]) -> Iterator[Sealed]:
    """Yield parcels in as few messages as a client reads."""
    return in_frames(parcels, MAXIMUM_RELAYED, RELAYED_BYTES)
