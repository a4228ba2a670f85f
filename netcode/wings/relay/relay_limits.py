"""The limits of a relay's hosts and guests."""

from typing import Final

from msgspec import Struct

from netcode.limits import Rate

GUEST_BYTES: Final = Rate(32 * 1024, burst=256 * 1024)
"""Bytes that a relay forwards for one guest in each direction; a game takes some 13 KB in all."""

GUESTS_OF_A_NETWORK: Final = Rate(0.5, burst=32.0)
"""The rate of guests from one network to one host, so that they cannot lock others out. The burst
is a household that returns, each person twice.
"""

GUEST_SHARE: Final = Rate(1 / 120, burst=2.0)
"""The rate of guests from one network to one host that use the reserved share. It suits rare
visitors, who come by a code and then by the link that it returns.
"""

GUESTS_KEPT: Final = 0.5
"""The part of one host's dials and places that is reserved for that share."""

GUESTS_OF_A_HOST: Final = Rate(8.0, burst=64.0)
"""The rate of guests to one host, which dials for each."""


class RelayLimits(Struct, frozen=True):
    """The limits of a relay."""

    hosts: int = 200
    """Maximum number of hosts with a line."""
    hosts_a_pass: int = 8
    """Maximum number of hosts with the pass of one table: its players."""
    guests: int = 64
    """Maximum number of guests of one host: as many as one table takes connections."""
    sockets: int = 1000
    """Maximum number of sockets that are not yet a host's line or a guest's."""
    sockets_from_one: int = 100
    """Maximum number of those from one network: a host dials for each of its guests."""
    idle_s: float = 60.0
    """Seconds without any byte in either direction after which a guest is dropped."""
