"""Describes the doors for the tests of all wings, as `scripts/lib/wing.py` defines."""

import re
from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    re.compile(
        r"\bdoors?\b|\bDoors?\b|has_doors|_doors|doors_|OpenDoors|visitor|asyncssh"
        r"|aiohttp|\bssh\b|ssh_|BESIDE_A_DOOR|DOOR"
    ),
)
