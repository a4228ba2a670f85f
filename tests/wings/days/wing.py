"""Describes games that last for days for tests of all wings, as `scripts/lib/wing.py` defines."""

import re
from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    re.compile(
        r"\bAskTurns\b|\bSetCall\b|\bCallSet\b|\bSetConditions\b|wings\.days|lasts_for_days"
        r"|[\"']days[.\"']"
    ),
    files=("scripts/lib/bench_days.py",),
)
