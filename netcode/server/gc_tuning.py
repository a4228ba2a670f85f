"""Garbage collection tuned for a server: rare, since hardly anything that it makes needs it.

The usual search, every 700 objects, costs a server of many tables a twentieth of its moves.
"""

import gc
from typing import Final

OBJECTS: Final = 50_000
"""How many objects are made, and not gone, before the youngest are searched: some MB at most."""

YOUNG: Final = 20
"""How many searches of the youngest there are for one of the next, whose pauses are longer."""

OLD: Final = 100
"""How many searches of these there are for one of everything."""


def collect_rarely() -> None:
    """Exempt all objects that there are from collection, and collect rarely from now on."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, YOUNG, OLD)
