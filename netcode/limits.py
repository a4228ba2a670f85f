"""Defines the limits on the network, and token buckets that apply them.

The limits bound frames and bytes of a connection, processor time of a network, frames, newcomers
and chat of a table, and guesses of codes. Wings have their own limits. Nothing here reads a clock.
"""

from math import inf
from typing import Final, NamedTuple

from msgspec import Struct


class Rate(NamedTuple):
    """The rate and the size of a token bucket."""

    per_s: float
    """Number per second in the long run."""
    burst: float
    """Number that may come at once after a pause."""


# Limits of a connection

FRAMES: Final = Rate(20.0, burst=60.0)
"""Frames of one connection: more than a person, an honest bot or a delayed network sends."""

ASSURED_FRAMES: Final = Rate(1.0, burst=20.0)
"""Frames that each connection may always send, however busy its table and network are."""

BYTES_A_FRAME: Final = 384
"""Bytes that a peer may send for each allowed frame.

A sealed game needs this average: six times as much as an ordinary act.
"""

MAXIMUM_STRIKES: Final = 8
"""Number of strikes, such as invalid messages, that end a connection. A confused client gets one or
two.
"""

UPDATE_INTERVAL_S: Final = 0.1
"""Minimum seconds between two Lobbies on one connection; faster changes are sent together."""

HELLO_TIMEOUT_S: Final = 30.0
"""Seconds for a connection to join a table: enough to type another name."""

STALLED_BYTES: Final = 256 * 1024
"""Maximum bytes that wait for a peer that does not read. With more, the peer is disconnected.

A newcomer receives fewer bytes at once. A silent peer is sent fewer bytes in the 20 seconds until
its connection ends.
"""

# Limits of a network, over all tables

NETWORK_MS: Final = Rate(100.0, burst=200.0)
"""Milliseconds of processor time for one network: a tenth of a core in the long run.

Eight tables of bots without pauses need this much, or many tables behind one address. The debt of a
network is bounded by the burst.
"""

FRAME_MS: Final = 0.25
"""The cost of a frame, in milliseconds."""

TURN_MS: Final = 10.0
"""The cost of expensive work for a peer, in milliseconds: answering a knock, or loading a table.

The burst of an unused budget pays for twenty such tasks at once, and the bounded debt lets twenty
more wait.
"""

ARRIVALS: Final = Rate(0.1, burst=2.0)
"""Rate of new sockets from one network, for each connection that the network may have.

A whole household reconnects when a host restarts, and again after a failed attempt, but not every
second.
"""

ARRIVALS_AT_ONCE: Final = 100
"""Maximum number of new sockets from one network at once, however many connections it may have."""

# Limits of a table

TABLE_FRAMES: Final = Rate(50.0, burst=150.0)
"""Frames of all connections of a table together.

Beyond this rate, connections that exceed their share wait.
"""

NEWCOMERS: Final = Rate(0.2, burst=20.0)
"""Newcomers from one network. The rate is low because every player is notified of each newcomer.

The burst is enough for a full table with its spectators, and for some who reconnect as newcomers.
"""

LINES: Final = Rate(0.5, burst=5.0)
"""Chat lines of one person: as fast as others can read, or one thought in several lines."""

NETWORK_LINES: Final = Rate(1.0, burst=15.0)
"""Chat lines from one network, so that several names bring a person no more lines.

The burst lets a full table with its spectators in one home say goodbye at once.
"""

TABLE_LINES: Final = Rate(2.0, burst=30.0)
"""Chat lines of a whole table: more than anybody can read."""

COMPARISONS: Final = Rate(0.5, burst=8.0)
"""Comparisons of logs for one person; each may send the whole log."""

MAXIMUM_WAITING_BATCHES: Final = 8
"""Maximum number of batches that wait for a table's journal before their senders must wait too.

So no sender fills memory faster than the disk writes. A single answer never waits.
"""

# Limits of guesses at codes

GUESSES: Final = Rate(1 / 30, burst=40.0)
"""Guesses at one table's code. The burst is for a group of people with typing errors.

An attacker would need 16 years to try half of all 2^25 passwords. The chance to succeed within a
day is 1 in 11,500.
"""

GUESSES_KEPT: Final = 20.0
"""Number of a table's guesses that are reserved for networks without a wrong guess."""

GUESSES_NOTICED: Final = 5
"""Number of wrong guesses after which a table's host is warned: more than typing errors."""

NETWORK_GUESSES: Final = Rate(1 / 300, burst=10.0)
"""Guesses of one network at all tables of a server: enough for a household with many typing
errors.
"""

SERVER_GUESSES: Final = Rate(1 / 20, burst=100.0)
"""Guesses at the codes of all tables of a server. The burst is for the start of an evening.

An attacker who tries for a day finds the code of some table with a chance of 1 in 7,600.
"""

SERVER_GUESSES_KEPT: Final = 50.0
"""Number of a server's guesses that are reserved for networks without a wrong guess."""

GUESSER_MEMORY_S: Final = 7 * 86_400.0
"""Seconds for which a server remembers a network's wrong guesses."""

MOST_GUESSERS: Final = 32_768
"""Maximum number of remembered networks: more than can guess at one table in `GUESSER_MEMORY_S`."""


class Limits(Struct, frozen=True):
    """The limits of a server's connections."""

    connections: int
    from_one_address: int
    """Maximum number of connections from one address, or from one IPv6 network."""
    frames: Rate = FRAMES
    """The rate of frames of one connection."""
    table_frames: Rate = TABLE_FRAMES
    network_ms: Rate = NETWORK_MS
    gather_s: float = UPDATE_INTERVAL_S
    """Minimum seconds between two Lobbies on one connection."""
    backlog: int = 64
    """Maximum number of connections that wait to be accepted."""

    @property
    def forwarded(self) -> int:
        """Maximum number of handshakes, and of peers without a table, behind forwarders."""
        return self.connections // 2


HOST_LIMITS: Final = Limits(connections=64, from_one_address=32)
"""Limits of a server with one table. They allow five players and ten spectators, each with an old
connection that has not ended yet, and a whole table behind one address.
"""

MOST_NETWORKS: Final = 4096
"""Maximum number of networks whose rates are stored. Beyond it, the oldest is dropped."""


class TokenBucket:
    """A token bucket without a clock: callers pass the time, and wait for the returned seconds."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: Rate) -> None:
        self._rate, self._burst = rate
        self._tokens = self._burst
        self._at = -inf

    @property
    def full_at(self) -> float:
        """The time at which the bucket is full again, if no tokens are taken before."""
        return self._at + (self._burst - self._tokens) / self._rate

    def take(self, now: float, tokens: float = 1.0, most_owed: float = inf) -> float:
        """Take tokens; return the seconds until the balance is no longer negative, 0 if it is not.

        The balance may become negative, but not below `-most_owed`.
        """
        # Comparisons are faster here than `min`, and each frame takes several tokens.
        burst = self._burst
        ready = self._tokens + (now - self._at) * self._rate
        if ready > burst:
            ready = burst
        left = ready - tokens
        if left > burst:
            left = burst
        if left < -most_owed:
            left = min(ready, -most_owed)
        self._tokens, self._at = left, now
        return -left / self._rate if left < 0 else 0.0

    def wait(self, now: float, tokens: float = 1.0) -> float:
        """Return the seconds until this many tokens are available; 0 if they are available now."""
        self.take(now, 0.0)
        return max(0.0, (tokens - self._tokens) / self._rate)


class Buckets:
    """Token buckets by name: the name of a network (`address.network_of`), or of a table.

    The empty name is never limited. Full buckets are dropped.
    """

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._endless = TokenBucket(Rate(1e9, burst=1e9))
        """The bucket for the empty name, which has no limit."""
        self._buckets: dict[str, TokenBucket] = {}
        """The buckets by name; the one used last is at the end."""

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, name: str, now: float) -> TokenBucket:
        """Return the bucket of a name. Take its tokens before the next call, which may drop it."""
        if not name:
            return self._endless
        bucket = self._buckets.pop(name, None)
        if bucket is None:
            bucket = TokenBucket(self._rate)
            self._forget(now)
        self._buckets[name] = bucket
        return bucket

    def _forget(self, now: float) -> None:
        """Remove the oldest buckets while they are full or too many."""
        while self._buckets:
            oldest = next(iter(self._buckets))
            if self._buckets[oldest].full_at > now and len(self._buckets) < MOST_NETWORKS:
                break
            del self._buckets[oldest]


def spend(now: float, *buckets: TokenBucket) -> float:
    """Take a token of each bucket if all have one, and return 0.

    Otherwise take none, and return the seconds until all have one.
    """
    wait = max(bucket.wait(now) for bucket in buckets)
    if not wait:
        for bucket in buckets:
            bucket.take(now)
    return wait


class Guesses:
    """Limits the guesses at a server's codes.

    An exchange counts as a guess as soon as the host has answered it. Count the guess just before
    the answer, and take it back after a right proof. So parallel exchanges give no advantage.
    """

    def __init__(self) -> None:
        self._all = TokenBucket(SERVER_GUESSES)
        self._from = Buckets(NETWORK_GUESSES)
        self._guessers: dict[str, tuple[int, float]] = {}
        """The number of wrong guesses of each network, and the time of the last one.

        The network with the oldest last guess comes first.
        """

    def wait(self, table: TokenBucket, network: str, now: float) -> float:
        """Return the seconds until a network's knock may be answered.

        Returns 0 if the knock may be answered now.
        """
        self._forget(now)
        is_guesser = network in self._guessers
        return max(
            table.wait(now, 1 + GUESSES_KEPT * is_guesser),
            self._all.wait(now, 1 + SERVER_GUESSES_KEPT * is_guesser),
            self._from.of(network, now).wait(now),
        )

    def count(self, table: TokenBucket, network: str, now: float, weight: int = 1) -> None:
        """Count an answered knock as `weight` guesses; a negative weight takes them back."""
        for bucket in (table, self._all, self._from.of(network, now)):
            bucket.take(now, weight)
        number, _ = self._guessers.pop(network, (0, now))
        number += 1 if weight > 0 else -1
        if network and number > 0:
            self._guessers[network] = number, now

    def _forget(self, now: float) -> None:
        """Forget networks whose wrong guesses are old, and the oldest if there are too many."""
        while self._guessers:
            network, (_, last) = next(iter(self._guessers.items()))
            if now - last < GUESSER_MEMORY_S and len(self._guessers) < MOST_GUESSERS:
                break
            del self._guessers[network]
