"""Who may begin to connect: limits on sockets that have not yet become connections.

TLS alone is a signature and, until it is done, hundreds of kilobytes. So this is decided as soon as
a socket is accepted; what has become a connection is counted by `peers.py`.
"""

from collections.abc import Callable

from msgspec import Struct

from netcode.limits import ARRIVALS, ARRIVALS_AT_ONCE, Buckets, Rate
from netcode.transport.address import network_of


class Handshake(Struct, eq=False):
    """A socket that is not yet a connection."""

    network: str
    """Where it comes from, as `address.network_of` names it."""
    abort: Callable[[], object]
    """Ends it without a word."""


class HandshakeLimits:
    """Bounds how fast sockets come and how many handshakes go on at once.

    Of too many the oldest is ended: it is the least likely to be completed.
    """

    def __init__(self, most: int, most_from_one: int) -> None:
        """Begin without any; so many may go on at once, and so many of them from one network."""
        self._most = most
        self._most_from_one = most_from_one
        self._handshakes: dict[Handshake, None] = {}
        """All handshakes, the oldest first."""
        self._from: dict[str, dict[Handshake, None]] = {}
        """The same by network."""
        self._arrivals = Buckets(
            Rate(
                most_from_one * ARRIVALS.per_s,
                min(most_from_one * ARRIVALS.burst, ARRIVALS_AT_ONCE),
            )
        )

    def __len__(self) -> int:
        return len(self._handshakes)

    def admit(self, host: str, now: float) -> bool:
        """Return whether a new socket may go on; one of this machine (without a host) may."""
        network = network_of(host)
        if self._arrivals.wait(network, now) > 0:
            return False
        self._arrivals.take(network, now)
        return True

    def add(self, host: str, abort: Callable[[], object]) -> Handshake:
        """Begin a handshake; `abort` ends it without a word."""
        handshake = Handshake(network_of(host), abort)
        self._handshakes[handshake] = None
        if handshake.network:
            mine = self._from.setdefault(handshake.network, {})
            mine[handshake] = None
            if len(mine) > self._most_from_one:
                self._end(next(iter(mine)))
        if len(self._handshakes) > self._most:
            self._end(next(iter(self._handshakes)))
        return handshake

    def remove(self, handshake: Handshake) -> None:
        """Forget a handshake that is completed, or has ended."""
        self._handshakes.pop(handshake, None)
        mine = self._from.get(handshake.network, {})
        mine.pop(handshake, None)
        if not mine:
            self._from.pop(handshake.network, None)

    def _end(self, handshake: Handshake) -> None:
        self.remove(handshake)
        handshake.abort()
