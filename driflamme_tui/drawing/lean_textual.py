"""Imports Textual without its command palette, which no first screen shows.

Textual's app imports the palette, and with it eight widgets: a tenth of the instructions of the
import. This program's own palette imports these widgets when it opens.
"""

import sys
from types import ModuleType
from typing import Final

PALETTE: Final = "textual.command"
"""The module of Textual's palette."""


class _StandIn(ModuleType):
    """A module that has every name, each for an empty class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def import_textual() -> None:
    """Import Textual's app, while a stand-in takes the place of the palette's module.

    If Textual needs more of the palette, undo the import, so that a later import loads everything.
    If Textual's app or palette is already imported, do nothing.
    """
    if PALETTE in sys.modules or "textual.app" in sys.modules:
        return
    sys.modules[PALETTE] = _StandIn(PALETTE)
    try:
        import textual.app  # noqa: F401
    except (ImportError, AttributeError, TypeError):
        for name in [each for each in sys.modules if each.partition(".")[0] == "textual"]:
            del sys.modules[name]
    else:
        del sys.modules[PALETTE]
