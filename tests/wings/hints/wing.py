"""Describes hints for the tests of all wings, as `scripts/lib/wing.py` defines."""

import re
from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    re.compile(r"(?<!\")\bhint|Hint|[Cc]oach"),
)
