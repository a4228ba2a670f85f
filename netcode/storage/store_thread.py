"""The thread in which a journal uses its store, one thing after the other."""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_T = TypeVar("_T")


class StoreThread:
    """Does what it is given in a thread, one after the other, and has the event loop told."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "journal")

    def submit(self, call: Callable[[], _T], done: Callable[[_T], object]) -> None:
        """Do something that raises nothing; what it returns is handed to `done` in the loop.

        A future of the loop, which `run` has, is two for each call, of which a task is woken.
        """
        loop = asyncio.get_running_loop()

        def work() -> None:
            result = call()
            # A loop that has been closed meanwhile needs to hear of nothing.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(done, result)

        self._executor.submit(work)

    async def run(self, call: Callable[[], _T]) -> _T:
        """Do something, and return what it returns or raise what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def close(self) -> None:
        """Wait until all has been done, and do nothing more."""
        self._executor.shutdown()
