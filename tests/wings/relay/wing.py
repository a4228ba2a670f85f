"""What the proof needs to know of the relay: see `scripts/lib/wing.py`."""

import re
from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    re.compile(r"[Rr]elay(?!s the parcels|s it\b|er\b)"),
)
