"""Properties of a wing for the proof that it can be deleted, besides its folders.

A wing has them in a module `wing` of its tests, as a `Wing` named `WING`.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple


class Wing(NamedTuple):
    """The names by which other code could know a wing, and its files outside its folders."""

    names: re.Pattern[str]
    """Matches the text that no core module may contain."""
    files: tuple[str, ...] = ()
    """Patterns of further files of the wing."""
    exceptions: Mapping[str, str] = {}
    """Core modules that may name it, each with the reason."""
    covers: Mapping[str, str] = {}
    """Core modules with lines that only its tests execute, each with the reason."""

    @classmethod
    def called(cls, name: str) -> "Wing":
        """Return the properties of a wing without such a module: it is known by its name."""
        return cls(re.compile(rf"(?i)\b{name}"))
