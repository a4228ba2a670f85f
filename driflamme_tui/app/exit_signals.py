"""Ends the program when the system or a closed terminal sends a signal."""

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

if sys.platform == "win32":
    # Windows sends SIGBREAK when the console is closed or the task is ended.
    ENDINGS: Final = (signal.SIGINT, signal.SIGBREAK)
else:
    ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

PATIENCE_S: Final = 20
"""Seconds from a signal to a forced end. Textual could wait forever for a terminal that accepts no
output.
"""


def end_on_signal(end: Callable[[], object], within_s: int = PATIENCE_S) -> None:
    """Call `end` in the running loop when a signal asks the program to end.

    If the program does not end within `within_s` seconds, end it by force, except on Windows.
    """
    loop = asyncio.get_running_loop()

    def on_signal(*_signal: object) -> None:
        if sys.platform != "win32":
            signal.alarm(within_s)
        # If the loop has ended already, there is nothing left to end.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(end)

    for ending in ENDINGS:
        # Do not handle the signal in the event loop: a blocked terminal may block the loop.
        signal.signal(ending, on_signal)
