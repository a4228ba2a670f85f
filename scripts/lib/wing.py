"""Defines the properties of a wing that are needed to prove that it can be deleted.

A wing has them in a module `wing` of its tests, as a `Wing` named `WING`.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple


class Wing(NamedTuple):
    """The names by which other code could depend on a wing, and the wing's files elsewhere."""

    names: tuple[str, ...]
    """Regular expressions for the names that no core module may contain.

    Each name occurs in the wing's own modules, or in a core module of `exceptions`.
    """
    files: tuple[str, ...] = ()
    """Patterns of the wing's files outside its folders."""
    exceptions: Mapping[str, str] = {}
    """Core modules that may name the wing, each with the reason."""
    covers: Mapping[str, str] = {}
    """Core modules with lines that only the wing's tests execute, each with the reason."""

    @classmethod
    def called(cls, name: str) -> "Wing":
        """Return the properties of a wing without a module `wing`: only its name is special."""
        return cls((rf"(?i:\b{name})",))

    @property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression that matches any of the names."""
        return re.compile("|".join(self.names))
