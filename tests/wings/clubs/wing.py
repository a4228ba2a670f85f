"""Describes clubs for the tests of all wings, as `scripts/lib/wing.py` defines."""

from typing import Final

from scripts.lib.wing import Wing

_LEAGUE: Final = "bots learn against a league of earlier ones, which has nothing to do with clubs"

WING: Final = Wing(
    (
        r"\bclub",
        "Club",
        "CLUB",
        "[Ll]eague",
        r"OpenTable\b",
        r"\basleep",
        "_asleep",
        "to_sleep",
        "sleep_later",
        "TableInfo",
        r"\bmember\b",
        "(?<!RE)MEMBER",
    ),
    files=("scripts/deploy/*",),
    exceptions={
        "engine/training/generations.py": _LEAGUE,
        "engine/training/self_play.py": _LEAGUE,
    },
)
