"""Converts times of the system clock to times of a server's clock."""

from math import inf
from typing import Final

CHECK_S: Final = 600.0
"""Maximum seconds between two looks at the system clock.

A user may set that clock at any time. It also advances while the computer sleeps.
"""


def server_time(unix: float, now: float, unix_now: float) -> float:
    """Return the server's time at which to check again whether the Unix time `unix` has come.

    `now` is the present time of the server's clock, and `unix_now` that of the system clock. The
    result is at most `CHECK_S` after `now`. For an infinite time it is infinite.
    """
    return unix if unix == inf else now + min(CHECK_S, max(0.0, unix - unix_now))
