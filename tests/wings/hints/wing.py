"""Describes hints for the tests of all wings, as `scripts/lib/wing.py` defines."""

from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    (
        r"(?<!\")\bhint",
        "Hint",
    ),
)
