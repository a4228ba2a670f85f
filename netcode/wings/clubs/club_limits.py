"""Defines the limits of a club against floods, in addition to the limits of every server."""

from typing import Final

from netcode.limits import Limits, Rate

MEMBER_TIMEOUT_S: Final = 900.0
"""Seconds for a member to choose a table. The limit is high, since members may wait for others."""

MOST_TABLES: Final = 10_000
"""Maximum number of a club's tables, awake or asleep. The code of each table begins with its own
prefix, and there are 32,768 prefixes.
"""

OPENINGS: Final = Rate(0.2, burst=50.0)
"""Tables per second that all members together may open. The burst is enough for the beginning of a
tournament. At this rate an attacker needs most of a day to reach `MOST_TABLES`.
"""

NETWORK_OPENINGS: Final = Rate(1 / 30, burst=10.0)
"""Tables per second that members of one network, such as a house, may open. In the long run it is a
sixth of `OPENINGS`, so that one network cannot lock the others out.
"""

CLUB_LIMITS: Final = Limits(connections=5000, from_one_address=200, backlog=128)
"""Limits of a club with a thousand tables, many of whose members may share an address."""
