"""Describes the relay for the tests of all wings, as `scripts/lib/wing.py` defines."""

from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    (r"[Rr]elay(?!s the parcels|s it\b|er\b)",),
)
