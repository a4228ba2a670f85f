"""Figures of a server: how many moves there have been, and how many a second of late."""

from collections import deque
from typing import Final

RATE_OVER_S: Final = 10.0
"""Over how many seconds moves are counted: long enough to be smooth, short enough to be now."""


class Metrics:
    """Counts the moves of a server; how the figures are told is left to others."""

    def __init__(self) -> None:
        self.moves = 0
        """Actions that have counted since the server began."""
        self._samples: deque[tuple[float, int]] = deque()

    def sample(self, now: float) -> None:
        """Note how many moves there have been by now, in seconds; about once a second."""
        self._samples.append((now, self.moves))
        while self._samples[0][0] < now - RATE_OVER_S:
            self._samples.popleft()

    @property
    def moves_per_s(self) -> float:
        """How many moves a second there have been of late."""
        if len(self._samples) < 2:
            return 0.0
        (began, before), (ended, after) = self._samples[0], self._samples[-1]
        return (after - before) / (ended - began) if ended > began else 0.0
