"""Collects garbage in a test process, whose heap has the objects of all tests so far."""

import gc


def collect_garbage() -> None:
    """Collect all garbage, and exclude the objects that stay from later collections.

    A full collection takes longer than most tests, and looks at every object that is not excluded.
    """
    gc.collect()
    gc.freeze()
