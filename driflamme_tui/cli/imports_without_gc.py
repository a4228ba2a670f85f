"""Imports without a search for garbage: of what is imported all stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

OBJECTS: Final = 10_000
"""How many objects are made, and not gone, before the youngest are searched: a screen or two."""


@contextmanager
def for_good() -> Iterator[None]:
    """Look for no garbage meanwhile, and never among what is there in the end.

    A tenth of the time to the first table would go into these searches otherwise.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(OBJECTS)
        gc.enable()
