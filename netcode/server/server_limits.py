"""Limits of a server: how many connections there may be, and how fast frames may come."""

from typing import Final

from msgspec import Struct

from netcode.protocol.rate_limit import FRAMES, UPDATE_INTERVAL_S, Rate

TABLE_FRAMES: Final = Rate(50.0, burst=150.0)
"""Frames from one table; beyond, those wait who say more than their share."""

NETWORK_FRAMES: Final = Rate(400.0, burst=800.0)
"""Frames from one network, at all tables: as of eight tables of bots that do not pause, or a club
behind one address. Each costs a server a quarter of a millisecond."""


class Limits(Struct, frozen=True):
    """What the connections of a server may cost it."""

    connections: int
    """How many connections there may be."""
    from_one_address: int
    """How many of them may come from one address, or from one network of IPv6."""
    frames: Rate = FRAMES
    """Of one connection."""
    table_frames: Rate = TABLE_FRAMES
    network_frames: Rate = NETWORK_FRAMES
    gather_s: float = UPDATE_INTERVAL_S
    """How many seconds there are at least between two Lobbies on one connection."""
    backlog: int = 64
    """How many connections may wait to be accepted, which takes no time."""


HOST_LIMITS: Final = Limits(connections=64, from_one_address=32)
"""Limits of a server with one table: five players and ten spectators, each with an old connection
that has not ended yet; and a whole table behind one address, as in one household."""

CLUB_LIMITS: Final = Limits(connections=5000, from_one_address=200, backlog=128)
"""Limits of a club: a thousand tables, and an evening of them behind one address."""
