"""Limits of a server: how many connections there may be, and how fast frames may come."""

from dataclasses import dataclass
from typing import Final

from netcode.protocol.rate_limit import (
    BURST,
    FRAMES_PER_S,
    NETWORK_BURST,
    NETWORK_FRAMES_PER_S,
    TABLE_BURST,
    TABLE_FRAMES_PER_S,
    UPDATE_INTERVAL_S,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the connections of a server may cost it."""

    connections: int
    """How many connections there may be."""
    from_one_address: int
    """How many of them may come from one address, or from one network of IPv6."""
    frames_per_s: float = FRAMES_PER_S
    """How many frames a second one connection may send, for long."""
    burst: float = BURST
    """How many frames one connection may send at once."""
    table_frames_per_s: float = TABLE_FRAMES_PER_S
    """How many frames a second may come from one table, for long; beyond, those wait who say more
    than their share."""
    table_burst: float = TABLE_BURST
    """How many frames may come from one table at once."""
    network_frames_per_s: float = NETWORK_FRAMES_PER_S
    """How many frames a second may come from one network, for long."""
    network_burst: float = NETWORK_BURST
    """How many frames may come from one network at once."""
    gather_s: float = UPDATE_INTERVAL_S
    """How many seconds there are at least between two Lobbies on one connection."""
    backlog: int = 64
    """How many connections may wait to be accepted, which takes no time."""


HOST_LIMITS: Final = Limits(connections=64, from_one_address=32)
"""Limits of a server with one table: five players and ten spectators, each with an old connection
that has not ended yet; and a whole table behind one address, as in one household."""

CLUB_LIMITS: Final = Limits(connections=5000, from_one_address=200, backlog=128)
"""Limits of a club: a thousand tables, at some 30 KB a connection; and a club's evening behind one
address."""
