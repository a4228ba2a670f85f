"""Ending when the system, or a terminal that is closed, tells the program to."""

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

if sys.platform == "win32":
    # The second when the window is closed, or a task is ended.
    ENDINGS: Final = (signal.SIGINT, signal.SIGBREAK)
else:
    ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

PATIENCE_S: Final = 20
"""Seconds in which a program that was told to end has ended, or else it is: Textual may wait for a
terminal that takes nothing any more."""


def end_on_signal(end: Callable[[], object], within_s: int = PATIENCE_S) -> None:
    """Have the running loop call `end` when the program is told to end, which it then does.

    On Windows nothing ends a program that does not end by itself.
    """
    loop = asyncio.get_running_loop()

    def tell(*_signal: object) -> None:
        if sys.platform != "win32":
            signal.alarm(within_s)
        # Too late, if the loop has ended already.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(end)

    for ending in ENDINGS:
        # Not by the loop, which that terminal may hold up.
        signal.signal(ending, tell)
