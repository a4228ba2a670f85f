"""Returns the memory of ended connections to the system."""

import gc
import sys


def return_freed_memory(*, collects: bool = False) -> None:
    """Return free memory of the C library to the system, if the library can.

    With `collects`, it first frees objects in reference cycles. The collection blocks all threads
    for a time that grows with the number of objects.
    """
    if collects:
        gc.collect()
    if sys.platform == "linux":
        import ctypes

        # Only glibc has this function. Other C libraries return memory on their own.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
