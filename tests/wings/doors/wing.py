"""Describes the doors for the tests of all wings, as `scripts/lib/wing.py` defines."""

from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    (
        r"\bdoors?\b",
        r"\bDoors?\b",
        "_doors",
        "doors_",
        "OpenDoors",
        "visitor",
        "asyncssh",
        "aiohttp",
        r"\bssh\b",
        "ssh_",
        "BESIDE_A_DOOR",
        "DOOR",
    ),
)
