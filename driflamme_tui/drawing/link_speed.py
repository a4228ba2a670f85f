"""Tells whether the line to the terminal is slow, from how long the terminal takes to answer.

How long writing takes says nothing: over SSH megabytes go into buffers before anybody waits. So a
question is sent behind a frame, and its answer shows that the frame has arrived. This module only
judges; `textual_internals.py` asks, and takes the time.
"""

from collections import deque
from typing import Final

ASK: Final = "\x1b[?2026$p"
"""The question to the terminal whether it can show a frame at once, which Textual asks too when it
starts. A terminal that knows the question answers with a few bytes that no key has."""

REST_S: Final = 5.0
"""Seconds between two questions: they cost next to nothing so, and nothing while nothing is
drawn."""

ANSWER_S: Final = 0.25
"""The longest that an answer takes on a line that is not slow: twice around half the world."""

BYTES_PER_S: Final = 20_000
"""The rate of a line that is just not slow: what is written before the answer takes time too."""

ANSWERS: Final = 3
"""How many of the last answers are judged; most of them decide, so that one held up does not."""


class SlowLine:
    """What is known of a line."""

    def __init__(self) -> None:
        self._late: deque[bool] = deque(maxlen=ANSWERS)

    def wrote(self, written: int, seconds: float) -> None:
        """Take note that so many bytes were written, and answered so many seconds later."""
        self._late.append(seconds > ANSWER_S + written / BYTES_PER_S)

    @property
    def slow(self) -> bool:
        """Whether most of the last answers came late; False as long as there is none."""
        return 2 * sum(self._late) > len(self._late)
