"""Describes clubs for the tests of all wings, as `scripts/lib/wing.py` defines."""

import re
from typing import Final

from scripts.lib.wing import Wing

_LEAGUE: Final = "bots learn against a league of earlier ones, which has nothing to do with clubs"

WING: Final = Wing(
    re.compile(
        r"\bclub|Club|CLUB|[Ll]eague|OpenTable\b|\basleep|_asleep|\.wake\(entry|\bServe\b"
        r"|to_sleep|sleep_later|TableInfo|ask_club|\bmember\b|(?<!RE)MEMBER"
    ),
    files=("scripts/deploy/*",),
    exceptions={
        "engine/training/generations.py": _LEAGUE,
        "engine/training/self_play.py": _LEAGUE,
    },
)
