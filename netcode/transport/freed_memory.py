"""Returns the memory of ended connections to the system."""

import gc
import sys


def return_freed_memory(*, collects: bool = False) -> None:
    """Have the C library return what is free to the system, where it can.

    With `collects`, first free objects in reference cycles. That holds up all threads for as long
    as the objects of the process are many.
    """
    if collects:
        gc.collect()
    if sys.platform == "linux":
        import ctypes

        # Of glibc; other C libraries return memory by themselves.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
