"""Converts times of the system clock to times of a server's clock."""

from math import inf
from typing import Final

CHECK_S: Final = 600.0
"""Maximum seconds between two looks at the system clock, which may be set, or run while the program
is stopped.
"""


def server_time(unix: float, now: float, unix_now: float) -> float:
    """Return the time of the server's clock at which to look at the system clock again.

    The result is at most `CHECK_S` from `now`, and not after the Unix time. Infinity stays
    infinity.
    """
    return unix if unix == inf else now + min(CHECK_S, max(0.0, unix - unix_now))
