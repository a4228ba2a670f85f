"""Defines the limits on a relay's hosts and guests."""

from typing import Final

from msgspec import Struct

from netcode.limits import Rate

GUEST_BYTES: Final = Rate(32 * 1024, burst=256 * 1024)
"""Bytes per second that are forwarded for one guest in each direction. A whole game needs about 13
KB.
"""

GUESTS_OF_A_NETWORK: Final = Rate(0.5, burst=32.0)
"""Guests per second from one network to one host, so that one network cannot lock others out. The
burst lets a whole household return, each person twice.
"""

GUEST_SHARE: Final = Rate(1 / 120, burst=2.0)
"""Guests per second from one network that may use a host's reserved places. It is enough for rare
visitors, who come first by a code, and then by the link that the code returns.
"""

GUESTS_KEPT: Final = 0.5
"""The fraction of one host's dials and places that is reserved for rare visitors
(`GUEST_SHARE`).
"""

GUESTS_OF_A_HOST: Final = Rate(8.0, burst=64.0)
"""Guests per second to one host, which must dial a socket for each guest."""


class RelayLimits(Struct, frozen=True):
    """The limits of a relay."""

    hosts: int = 200
    """Maximum number of hosts with a connection."""
    hosts_a_pass: int = 8
    """Maximum number of hosts that use passes of one table: enough for each of its players."""
    guests: int = 64
    """Maximum number of guests of one host: the number of connections that a table accepts."""
    sockets: int = 1000
    """Maximum number of sockets that are neither control connections nor connected guests."""
    sockets_from_one: int = 100
    """Maximum number of `sockets` from one network. A host dials one socket for each guest."""
    idle_s: float = 60.0
    """Seconds without a byte in either direction before the relay drops a guest."""
