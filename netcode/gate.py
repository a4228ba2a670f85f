"""Who may begin to connect: bounds on what a server has not even heard a word from.

A socket costs most before it has said anything: TLS alone is a signature and, until it is done,
hundreds of kilobytes. So this is decided as soon as a socket is accepted, from the address that
it comes from and the time; what has become a connection is counted by `peers.py`. No socket is
known here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

from netcode.pace import TokenBucket

ARRIVALS_OVER_S: Final = 10.0
"""Time in which as many may come from one network, for long, as may be there at once: a whole
household comes back together when a host does, but not every second."""

ARRIVALS_AT_ONCE: Final = 2
"""Times as many as may be there: all of them, and all again when the first try has failed."""

MOST_NETWORKS: Final = 4096
"""Whose pace is remembered. Who has addresses of more networks is not slowed down by it."""

_NETWORK_BITS: Final = 64
"""Of an IPv6 address: the rest is for each machine to choose, as often as it likes."""


def network_of(host: str) -> str:
    """Return what all addresses of one household have in common; empty if that means nothing."""
    try:
        number = ip_address(host)
    except ValueError:
        return ""
    if isinstance(number, IPv6Address):
        if number.ipv4_mapped is not None:
            # As a socket that listens for both tells of IPv4.
            return str(number.ipv4_mapped)
        return f"{int(number) >> (128 - _NETWORK_BITS):x}::/{_NETWORK_BITS}"
    return str(number)


@dataclass(slots=True, eq=False)
class Opening:
    """A socket on its way to become a connection."""

    network: str
    cut: Callable[[], None]
    """Ends it without a word."""


class Gate:
    """Lets sockets in, and ends the oldest of too many that do not get on.

    Who has been on the way longest is most likely not going to arrive: it takes others a moment. So
    those who open sockets and say nothing take each other's places and not a newcomer's.
    """

    def __init__(self, most: int, most_from_one: int) -> None:
        """Begin with nobody on the way.

        Args:
            most: Sockets that may be on the way at once.
            most_from_one: Of them, from one network.
        """
        self._most = most
        self._most_from_one = most_from_one
        self._openings: dict[Opening, None] = {}
        """The oldest first."""
        self._from: dict[str, dict[Opening, None]] = {}
        """The same by network."""
        self._paces: dict[str, TokenBucket] = {}
        """By network, who came last last."""

    def __len__(self) -> int:
        return len(self._openings)

    def admits(self, host: str, now: float) -> bool:
        """Whether another socket from there is not too soon; it counts then.

        Of sockets on this machine (`host` is empty) all are let in.
        """
        network = network_of(host)
        if not network:
            return True
        pace = self._paces.pop(network, None)
        if pace is None:
            most = self._most_from_one
            pace = TokenBucket(most / ARRIVALS_OVER_S, most * ARRIVALS_AT_ONCE)
            if len(self._paces) >= MOST_NETWORKS:
                del self._paces[next(iter(self._paces))]
        self._paces[network] = pace
        if pace.wait(now) > 0:
            return False
        pace.take(now)
        return True

    def enter(self, host: str, cut: Callable[[], None]) -> Opening:
        """Take note that a socket is on its way; `cut` ends it without a word."""
        opening = Opening(network_of(host), cut)
        self._openings[opening] = None
        if opening.network:
            mine = self._from.setdefault(opening.network, {})
            mine[opening] = None
            if len(mine) > self._most_from_one:
                self._end(next(iter(mine)))
        if len(self._openings) > self._most:
            self._end(next(iter(self._openings)))
        return opening

    def leave(self, opening: Opening) -> None:
        """Take note that a socket has become a connection, or has ended."""
        self._openings.pop(opening, None)
        mine = self._from.get(opening.network, {})
        mine.pop(opening, None)
        if not mine:
            self._from.pop(opening.network, None)

    def _end(self, opening: Opening) -> None:
        self.leave(opening)
        opening.cut()
