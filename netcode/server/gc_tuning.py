"""How often a server's process looks for garbage: rarely, since hardly anything needs it.

What a move makes goes when nothing refers to it; only what refers to itself waits to be found. The
usual search, every 700 objects, costs a server of many tables a twentieth of its moves, and now
and then everybody a pause.
"""

import gc
from typing import Final

OBJECTS: Final = 50_000
"""Made and not gone since the last search of the youngest: some MB at most."""

YOUNG: Final = 20
"""Searches of the youngest for one of the next, whose pauses are longer."""

OLD: Final = 100
"""Of these for one of everything."""


def look_rarely() -> None:
    """Take what there is by now for needed, and look for garbage rarely from now on."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, YOUNG, OLD)
