"""How fast one peer may speak: a token bucket, without a clock of its own."""

from typing import Final

FRAMES_PER_S: Final = 20.0
"""More than fingers or an honest bot can use; each frame may mean one to everybody else."""

BURST: Final = 60.0
"""Frames at once, as when settings are tried out or a connection has hung for a moment."""


class TokenBucket:
    """Says how long to wait before the next frame of a peer is taken."""

    def __init__(self, rate: float = FRAMES_PER_S, burst: float = BURST) -> None:
        """Start full.

        Args:
            rate: Tokens that come in a second.
            burst: Most tokens that lie ready.
        """
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at: float | None = None

    def take(self, now: float) -> float:
        """Take a token; return for how many seconds to take no other, 0 if there are more."""
        self._fill(now)
        self._tokens -= 1
        return max(0.0, -self._tokens / self._rate)

    def wait(self, now: float) -> float:
        """Return for how many seconds there is no token to take, 0 if there is one now."""
        self._fill(now)
        return max(0.0, (1 - self._tokens) / self._rate)

    def _fill(self, now: float) -> None:
        if self._at is not None:
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
