"""Describes games that last for days for tests of all wings, as `scripts/lib/wing.py` defines."""

from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    (
        r"\bAskTurns\b",
        r"\bSetCall\b",
        r"\bCallSet\b",
        r"\bSetConditions\b",
        r"wings\.days",
        "lasts_for_days",
        r"[\"']days[.\"']",
    ),
    files=("scripts/lib/bench_days.py", "scripts/lib/days_trial.py"),
)
