"""The thread in which a journal uses its store, one thing after the other."""

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

_T = TypeVar("_T")


class StoreThread:
    """Does what it is given in a thread, one after the other, and has the event loop told.

    An executor makes two futures for each call, of which a task is woken: a tenth of the time until
    a move at the only table of a server has been told.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread: Thread | None = None

    def submit(self, call: Callable[[], _T], done: Callable[[_T], object]) -> None:
        """Do something that raises nothing; what it returns is handed to `done` in the loop."""
        loop = asyncio.get_running_loop()
        if self._thread is None:
            self._thread = Thread(target=self._work, name="journal", daemon=True)
            self._thread.start()

        def work() -> None:
            result = call()
            # A loop that has been closed meanwhile needs to hear of nothing.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(done, result)

        self._calls.put(work)

    async def run(self, call: Callable[[], _T]) -> _T:
        """Do something, and return what it returns or raise what it raises."""
        finished: asyncio.Future[_T] = asyncio.get_running_loop().create_future()

        def work() -> Callable[[], None]:
            try:
                return partial(finished.set_result, call())
            except Exception as error:
                return partial(finished.set_exception, error)

        def done(finish: Callable[[], None]) -> None:
            if not finished.done():
                finish()

        self.submit(work, done)
        return await finished

    def close(self) -> None:
        """Wait until all has been done, and do nothing more."""
        if self._thread is not None:
            self._calls.put(None)
            self._thread.join()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
