"""Garbage collection tuned for a server: rare, since hardly anything that it makes needs it.

The usual search, every 700 objects, costs a server of many tables a twentieth of its moves.
"""

import gc


def collect_rarely() -> None:
    """Exempt all objects that there are from collection, and collect rarely from now on."""
    gc.collect()
    gc.freeze()
    # Objects that are made, and not gone, are some MB at most before the youngest are searched; the
    # pauses of the next are longer, and of all longest.
    gc.set_threshold(50_000, 20, 100)
