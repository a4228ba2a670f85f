"""What the proof needs to know of hints: see `scripts/lib/wing.py`."""

import re
from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    re.compile(r"(?<!\")\bhint|Hint|[Cc]oach"),
)
