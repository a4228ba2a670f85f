"""Which limits a flood meets on the network: the table of them, and the token buckets that count.

A connection has frames and bytes, a network one budget of our time, a table frames, newcomers and
lines of chat, a code guesses. An optional part has limits of its own. Nothing here has a clock.
"""

from math import inf
from typing import Final, NamedTuple

from msgspec import Struct


class Rate(NamedTuple):
    """How fast something may come."""

    per_s: float
    """How often in a second, for long."""
    burst: float
    """How often at once."""


# Of a connection

FRAMES: Final = Rate(20.0, burst=60.0)
"""Frames of one connection: more than fingers, an honest bot or a network that hung can use."""

ASSURED_FRAMES: Final = Rate(1.0, burst=20.0)
"""Frames that each connection may always send, however busy its table and network are."""

BYTES_A_FRAME: Final = 384
"""Bytes that a peer may send for each frame that it may send: as much as programs need at once that
play a sealed game without a pause, which is six times as much as an act takes elsewhere."""

MAXIMUM_STRIKES: Final = 8
"""How many messages without sense end a connection: a confused client needs one or two."""

UPDATE_INTERVAL_S: Final = 0.1
"""Seconds between two Lobbies on one connection: changes that come faster are told together."""

HELLO_TIMEOUT_S: Final = 30.0
"""How long a connection may take to come to a table: enough to type another name."""

STALLED_BYTES: Final = 256 * 1024
"""Bytes that may wait for a peer that does not read before it is cut off: more than all that is
told to who comes, or in the 20 seconds of silence that end a connection."""

# Of a network, at all tables

NETWORK_MS: Final = Rate(100.0, burst=200.0)
"""Milliseconds of a core for one network: a tenth of a core for long, as of eight tables of bots
that do not pause, or many tables behind one address. It owes at most as much again."""

FRAME_MS: Final = 0.25
"""What a frame costs."""

TURN_MS: Final = 10.0
"""What costly work for one peer costs, such as a knock or a table that is loaded.

A server does it for twenty peers of a network at once, and for twenty more that wait."""

ARRIVALS: Final = Rate(0.1, burst=2.0)
"""How fast sockets may come from one network, for each that may be there at once.

A whole household comes back together when a host does, and again when the first try has failed, but
not every second."""

ARRIVALS_AT_ONCE: Final = 100
"""Most sockets of one network that may come at once, however many may be there."""

# Of a table

TABLE_FRAMES: Final = Rate(50.0, burst=150.0)
"""Frames from one table; beyond, those wait who say more than their share."""

NEWCOMERS: Final = Rate(0.2, burst=20.0)
"""How many newcomers from one network are let in, as everybody is told of each: at once a full
table with its spectators, and some who come back as newcomers."""

LINES: Final = Rate(0.5, burst=5.0)
"""Lines of chat of one person: as fast as others read, or a thought typed in pieces."""

NETWORK_LINES: Final = Rate(1.0, burst=15.0)
"""Lines of all from one network, so that who comes and leaves under new names gets no more: a full
table with its spectators in one home says goodbye at once."""

TABLE_LINES: Final = Rate(2.0, burst=30.0)
"""Lines of all at a table: more than anybody can read."""

COMPARISONS: Final = Rate(0.5, burst=8.0)
"""How often somebody is told what is missing in their log: that may be all of it."""

MAXIMUM_WAITING_BATCHES: Final = 8
"""How often something may come from a table while its journal is at work before who speaks there
has to wait, too: so nobody fills memory faster than the disk, and who answers once never waits."""

# Of codes

GUESSES: Final = Rate(1 / 30, burst=40.0)
"""Guesses at one table's code: at once as many as people may come together, or type it wrong.

So half of all 2^25 passwords take 16 years; who goes on for a day finds the right one with a chance
of 1 in 11,500."""

GUESSES_KEPT: Final = 20.0
"""How many of a table's guesses are reserved for networks that never guessed wrong."""

GUESSES_NOTICED: Final = 5
"""Number of wrong guesses from which a table's host is told of them: more than typing errors."""

NETWORK_GUESSES: Final = Rate(1 / 300, burst=10.0)
"""Guesses of one network, at all tables of a server: as of a household that types badly."""

SERVER_GUESSES: Final = Rate(1 / 20, burst=100.0)
"""Guesses at the codes of all tables of a server, at once as when an evening begins.

Whoever goes on for a day finds the code of some table with a chance of 1 in 7,600."""

SERVER_GUESSES_KEPT: Final = 50.0
"""How many of them are reserved for networks that never guessed wrong."""

GUESSER_MEMORY_S: Final = 7 * 86_400.0
"""Seconds for which a server remembers that a network guessed wrong."""

MOST_GUESSERS: Final = 32_768
"""Maximum number of such networks: more than guess wrong at a table's code in that time."""


class Limits(Struct, frozen=True):
    """What the connections of a server may cost it."""

    connections: int
    """How many connections there may be."""
    from_one_address: int
    """How many of them may come from one address, or from one network of IPv6."""
    frames: Rate = FRAMES
    """Of one connection."""
    table_frames: Rate = TABLE_FRAMES
    network_ms: Rate = NETWORK_MS
    gather_s: float = UPDATE_INTERVAL_S
    """How many seconds there are at least between two Lobbies on one connection."""
    backlog: int = 64
    """How many connections may wait to be accepted, which takes no time."""

    @property
    def forwarded(self) -> int:
        """Maximum number of handshakes, and of strangers, that come by a forwarder."""
        return self.connections // 2


HOST_LIMITS: Final = Limits(connections=64, from_one_address=32)
"""Limits of a server with one table: five players and ten spectators, each with an old connection
that has not ended yet; and a whole table behind one address, as in one household."""

MOST_NETWORKS: Final = 4096
"""Most networks whose rate is remembered; beyond, the longest known is forgotten."""


class TokenBucket:
    """A token bucket without a clock: says how long to wait before the next token is taken."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: Rate) -> None:
        """Start full."""
        self._rate, self._burst = rate
        self._tokens = self._burst
        self._at = -inf

    @property
    def full_at(self) -> float:
        """When all tokens lie ready, if none is taken before."""
        return self._at + (self._burst - self._tokens) / self._rate

    def take(self, now: float, tokens: float = 1.0, most_owed: float = inf) -> float:
        """Take tokens; return for how many seconds to take no other, 0 if there are more.

        What would be owed beyond `most_owed` is not taken.
        """
        ready = min(self._burst, self._tokens + (now - self._at) * self._rate)
        left = min(self._burst, ready - tokens)
        if left < -most_owed:
            left = min(ready, -most_owed)
        self._tokens, self._at = left, now
        return -left / self._rate if left < 0 else 0.0

    def wait(self, now: float, tokens: float = 1.0) -> float:
        """Return in how many seconds so many tokens lie ready, 0 if they do now."""
        self.take(now, 0.0)
        return max(0.0, (tokens - self._tokens) / self._rate)


class Buckets:
    """A token bucket for each name: of a network, as `address.network_of` says it, or of a table.

    The empty name is never made to wait. A bucket that is full again is forgotten.
    """

    def __init__(self, rate: Rate) -> None:
        """Start with all full."""
        self._rate = rate
        self._endless = TokenBucket(Rate(1e9, burst=1e9))
        """Of the empty name."""
        self._buckets: dict[str, TokenBucket] = {}
        """Who was asked about last is last."""

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, name: str, now: float) -> TokenBucket:
        """Return the bucket of a name; who wants tokens of it takes them before asking again."""
        if not name:
            return self._endless
        bucket = self._buckets.pop(name, None)
        if bucket is None:
            bucket = TokenBucket(self._rate)
            self._forget(now)
        self._buckets[name] = bucket
        return bucket

    def _forget(self, now: float) -> None:
        """Make room for one more bucket: remove full ones, or else the oldest."""
        while self._buckets:
            oldest = next(iter(self._buckets))
            if self._buckets[oldest].full_at > now and len(self._buckets) < MOST_NETWORKS:
                break
            del self._buckets[oldest]


def spend(now: float, *buckets: TokenBucket) -> float:
    """Take a token of each, if all have one; return in how many seconds they have, 0 if so."""
    wait = max(bucket.wait(now) for bucket in buckets)
    if not wait:
        for bucket in buckets:
            bucket.take(now)
    return wait


class Guesses:
    """Says how long to wait before the next guess at a server's codes is answered.

    An exchange is a guess as soon as the host has answered it: count it just before, and take it
    back if its proof is right. So it does not help to begin many at once.
    """

    def __init__(self) -> None:
        self._all = TokenBucket(SERVER_GUESSES)
        self._from = Buckets(NETWORK_GUESSES)
        self._guessers: dict[str, tuple[int, float]] = {}
        """By network, its number of guesses that were not right, and the time of the last one.

        The network whose last guess is the oldest is first."""

    def wait(self, table: TokenBucket, network: str, now: float) -> float:
        """Return for how many seconds no knock from there is answered; 0 if one is."""
        self._forget(now)
        is_guesser = network in self._guessers
        return max(
            table.wait(now, 1 + GUESSES_KEPT * is_guesser),
            self._all.wait(now, 1 + SERVER_GUESSES_KEPT * is_guesser),
            self._from.of(network, now).wait(now),
        )

    def count(self, table: TokenBucket, network: str, now: float, weight: int = 1) -> None:
        """Count a knock that is answered as a guess, or as several; below 0 take it back."""
        for bucket in (table, self._all, self._from.of(network, now)):
            bucket.take(now, weight)
        number, _ = self._guessers.pop(network, (0, now))
        number += 1 if weight > 0 else -1
        if network and number > 0:
            self._guessers[network] = number, now

    def _forget(self, now: float) -> None:
        """Forget networks that guessed wrong long ago, or the oldest if they are too many."""
        while self._guessers:
            network, (_, last) = next(iter(self._guessers.items()))
            if now - last < GUESSER_MEMORY_S and len(self._guessers) < MOST_GUESSERS:
                break
            del self._guessers[network]
