"""What the proof that a wing can be deleted needs to know of it, besides its folders.

A wing brings it in a module `wing` of its tests, as a `Wing` under the name `WING`.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple


class Wing(NamedTuple):
    """By which names others could know a wing, and what belongs to it outside its folders."""

    names: re.Pattern[str]
    """Matches what no module of the core may contain."""
    files: tuple[str, ...] = ()
    """Patterns of the files that go with it."""
    exceptions: Mapping[str, str] = {}
    """The modules of the core that may name it, each with the reason."""
    covers: Mapping[str, str] = {}
    """The modules of the core with lines that only its tests execute, each with the reason."""

    @classmethod
    def called(cls, name: str) -> "Wing":
        """Return what holds for a wing that brings nothing: others could know it by its name."""
        return cls(re.compile(rf"(?i)\b{name}"))
