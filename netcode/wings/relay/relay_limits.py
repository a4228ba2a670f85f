"""The limits that hosts and guests meet at a relay."""

from typing import Final

from msgspec import Struct

from netcode.limits import Rate

GUEST_BYTES: Final = Rate(32 * 1024, burst=256 * 1024)
"""Bytes that a relay passes on for one guest, each way: a game takes some 13 KB in all."""

GUESTS_OF_A_NETWORK: Final = Rate(0.5, burst=32.0)
"""How fast guests of one network are led to one host, so that they keep no others from it: at once
a household that comes back, each of them twice."""

GUEST_SHARE: Final = Rate(1 / 120, burst=2.0)
"""How fast guests of one network are led to one host on the share of those who come rarely: by a
code and then by the link that it brings."""

GUESTS_KEPT: Final = 0.5
"""What part of the dials and of the places of one host is for guests on that share."""

GUESTS_OF_A_HOST: Final = Rate(8.0, burst=64.0)
"""How fast guests are led to one host, which dials for each."""


class RelayLimits(Struct, frozen=True):
    """What hosts and guests may cost a relay."""

    hosts: int = 200
    """Most hosts that have a line."""
    hosts_a_pass: int = 8
    """Most hosts that come by the pass of one table: its players."""
    guests: int = 64
    """Most guests of one host, as many as one table takes connections."""
    sockets: int = 1000
    """Most sockets that are not yet a host's line or a guest's."""
    sockets_from_one: int = 100
    """Most of them from one network: a host dials for each of its guests."""
    idle_s: float = 60.0
    """Seconds after which a guest is given up for whom nothing goes either way."""
