"""How fast one peer, or one network, may speak: token buckets without a clock of their own."""

from math import inf
from typing import Final, NamedTuple


class Rate(NamedTuple):
    """How fast something may come."""

    per_s: float
    """How often in a second, for long."""
    burst: float
    """How often at once."""


FRAMES: Final = Rate(20.0, burst=60.0)
"""Frames of one connection: more than fingers, an honest bot or a network that hung can use."""

ASSURED_FRAMES: Final = Rate(1.0, burst=20.0)
"""Frames that each connection may always send, however busy its table and network are."""

UPDATE_INTERVAL_S: Final = 0.1
"""Seconds between two Lobbies on one connection: changes that come faster are told together."""

MOST_NETWORKS: Final = 4096
"""Most networks whose rate is remembered; beyond, the longest known is forgotten."""


class TokenBucket:
    """A token bucket without a clock: says how long to wait before the next frame is read."""

    __slots__ = ("_at", "_burst", "_debt", "_rate", "_tokens")

    def __init__(self, rate: Rate, debt: float = inf) -> None:
        """Start full; `debt` tokens are owed at most, however many more are taken."""
        self._debt = debt
        self._rate, self._burst = rate
        self._tokens = self._burst
        self._at = -inf

    @property
    def full_at(self) -> float:
        """When all tokens lie ready, if none is taken before."""
        return self._at + (self._burst - self._tokens) / self._rate

    def take(self, now: float, tokens: float = 1.0) -> float:
        """Take tokens; return for how many seconds to take no other, 0 if there are more."""
        self._fill(now)
        left = self._tokens - tokens
        if left >= 0:
            self._tokens = left
            return 0.0
        left = self._tokens = max(left, -self._debt)
        return -left / self._rate

    def give_back(self, now: float) -> None:
        """Put a token back."""
        self._fill(now)
        self._tokens = min(self._burst, self._tokens + 1)

    def wait(self, now: float, tokens: float = 1) -> float:
        """Return in how many seconds so many tokens lie ready, 0 if they do now."""
        self._fill(now)
        return max(0.0, (tokens - self._tokens) / self._rate)

    def _fill(self, now: float) -> None:
        tokens = self._tokens + (now - self._at) * self._rate
        self._tokens = tokens if tokens < self._burst else self._burst
        self._at = now


class NetworkRateLimits:
    """A token bucket for each network, as `address.network_of` names them.

    The empty network is never made to wait. A bucket that is full again is forgotten.
    """

    def __init__(self, rate: Rate, debt: float = inf) -> None:
        """Start with all full; each network has a bucket of that rate and debt."""
        self._rate = rate
        self._debt = debt
        self._buckets: dict[str, TokenBucket] = {}
        """Who took a token last is last."""

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, network: str, now: float) -> float:
        """Take a token; return for how many seconds to take no other, 0 if there are more."""
        if not network:
            return 0.0
        bucket = self._buckets.pop(network, None)
        if bucket is None:
            bucket = TokenBucket(self._rate, self._debt)
            self._forget(now)
        self._buckets[network] = bucket
        return bucket.take(now)

    def give_back(self, network: str, now: float) -> None:
        """Put a token back."""
        bucket = self._buckets.get(network)
        if bucket is not None:
            bucket.give_back(now)

    def is_full(self, network: str, now: float) -> bool:
        """Return whether all tokens of a network lie ready."""
        bucket = self._buckets.get(network)
        return bucket is None or bucket.full_at <= now

    def wait(self, network: str, now: float) -> float:
        """Return for how many seconds there is no token to take, 0 if there is one now."""
        bucket = self._buckets.get(network)
        return 0.0 if bucket is None else bucket.wait(now)

    def _forget(self, now: float) -> None:
        """Make room for one more bucket: remove full ones, or else the oldest."""
        while self._buckets:
            oldest = next(iter(self._buckets))
            if self._buckets[oldest].full_at > now and len(self._buckets) < MOST_NETWORKS:
                break
            del self._buckets[oldest]
