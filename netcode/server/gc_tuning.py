"""Garbage collection tuned for a server: rare, since hardly anything that it makes needs it.

The usual search, every 700 objects, costs a server of many tables a twentieth of its moves.
"""

import gc


def collect_rarely() -> None:
    """Exempt all objects that there are from collection, and collect rarely from now on."""
    gc.collect()
    gc.freeze()
    # Acts leave hardly an object behind, but connections that come and go leave hundreds each: with
    # ten times as many, one search held all tables up for 25 ms.
    gc.set_threshold(5_000, 20, 100)
