"""Who may begin to connect: bounds on what a server has not even heard a word from.

A socket costs most before it has said anything: TLS alone is a signature and, until it is done,
hundreds of kilobytes. So this is decided as soon as a socket is accepted, from the address that
it comes from and the time; what has become a connection is counted by `peers.py`. No socket is
known here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from netcode.protocol.rate_limit import NetworkRateLimits
from netcode.transport.address import network_of

ARRIVALS_OVER_S: Final = 10.0
"""Time in which as many may come from one network, for long, as may be there at once: a whole
household comes back together when a host does, but not every second."""

ARRIVALS_AT_ONCE: Final = 2
"""Times as many as may be there: all of them, and all again when the first try has failed."""


@dataclass(slots=True, eq=False)
class Opening:
    """A socket on its way to become a connection."""

    network: str
    cut: Callable[[], None]
    """Ends it without a word."""


class ConnectionLimits:
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
        self._paces = NetworkRateLimits(
            most_from_one / ARRIVALS_OVER_S, most_from_one * ARRIVALS_AT_ONCE
        )

    def __len__(self) -> int:
        return len(self._openings)

    def admits(self, host: str, now: float) -> bool:
        """Whether another socket from there is not too soon; it counts then.

        Of sockets on this machine (`host` is empty) all are let in.
        """
        network = network_of(host)
        if self._paces.wait(network, now) > 0:
            return False
        self._paces.take(network, now)
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
