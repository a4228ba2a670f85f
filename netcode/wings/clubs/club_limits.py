"""The limits that a flood meets at a club, beside those of every server."""

from typing import Final

from netcode.limits import Limits, Rate

MEMBER_TIMEOUT_S: Final = 900.0
"""How long a member of a club may take to choose a table: they may be waiting for others."""

MOST_TABLES: Final = 10_000
"""How many tables one club may have, awake and asleep: each has one of 32,768 rooms."""

OPENINGS: Final = Rate(0.2, burst=50.0)
"""How fast the members of a club may open tables together: as when a tournament begins, and so that
it takes one who means ill most of a day to use up all that there may be."""

NETWORK_OPENINGS: Final = Rate(1 / 30, burst=10.0)
"""How fast members of one network may, as when a club meets in one house: for long a sixth of what
all may, so that one of them does not keep the others from opening any."""

CLUB_LIMITS: Final = Limits(connections=5000, from_one_address=200, backlog=128)
"""Limits of a club: a thousand tables, and an evening of them behind one address."""
