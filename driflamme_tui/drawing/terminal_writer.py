"""Writes to the terminal from a thread, so that a blocked terminal cannot block the app.

Textual's own writer has a queue of 30 texts. A blocked or closed terminal fills it. The next text
then blocks the event loop, and with it a table that this program hosts.
"""

import os
import select
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Final, TextIO

MAX_BACKLOG: Final = 32_768
"""Maximum bytes that may wait before frames are skipped: about two whole frames."""

PIECE: Final = 4096
"""Bytes of one write: the size of a terminal's buffer."""

PATIENCE_S: Final = 0.5
"""Seconds without progress after which `stop` no longer waits for the terminal."""


class TerminalWriter(Thread):
    """A thread that writes texts to a terminal. It has the methods of Textual's `WriterThread`."""

    def __init__(
        self,
        file: TextIO,
        on_drained: Callable[[], object],
        on_gone: Callable[[], object],
    ) -> None:
        """Prepare a thread that writes to a file; `start` starts it.

        The thread itself calls `on_drained` and `on_gone`, not the event loop's thread.

        Args:
            file: The file of the terminal.
            on_drained: Called when everything is written after `is_behind` has returned True.
            on_gone: Called once when the terminal accepts no more text because it is closed.
        """
        super().__init__(daemon=True, name="terminal-output")
        self._file = file
        self._on_drained, self._on_gone = on_drained, on_gone
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._queued = 0
        """Number of bytes that were queued so far. Only the event loop changes it."""
        self._written = 0
        """Number of bytes that left the queue so far. Only the thread changes it."""
        self._reports_drained = False
        self._is_gone = False

    def write(self, text: str) -> None:
        """Queue a text for the terminal."""
        data = text.encode(self._file.encoding or "utf-8", "replace")
        self._queued += len(data)
        self._queue.put(data)

    def flush(self) -> None:
        """Do nothing: the thread writes everything at once."""

    def isatty(self) -> bool:
        """Return True: drivers call this before they write control sequences."""
        return True

    def fileno(self) -> int:
        """Return the terminal's file descriptor."""
        return self._file.fileno()

    def is_behind(self) -> bool:
        """Return True if so many bytes are queued that the next frame must be skipped.

        Then the thread calls `on_drained` once everything is written.
        """
        if self._queued - self._written <= MAX_BACKLOG:
            return False
        # The thread may have emptied the queue before it saw the flag, so compute the answer after
        # setting it.
        self._reports_drained = True
        return self._queued - self._written > MAX_BACKLOG

    def run(self) -> None:
        """Write queued texts until `stop` is called; discard them once the terminal is gone."""
        while (data := self._queue.get()) is not None:
            for start in range(0, len(data), PIECE):
                piece = data[start : start + PIECE]
                if not self._is_gone:
                    self._write(piece)
                self._written += len(piece)
            if self._reports_drained and self._queue.empty():
                self._reports_drained = False
                self._on_drained()

    def stop(self) -> None:
        """Write all queued texts and end the thread. Do not wait for a blocked terminal."""
        self._queue.put(None)
        written = -1
        while self.is_alive() and written != self._written:
            written = self._written
            self.join(PATIENCE_S)

    def _write(self, data: bytes) -> None:
        try:
            if sys.platform == "win32":
                self._file.write(data.decode("utf-8", "replace"))
                self._file.flush()
            else:
                # Write to the descriptor. A blocked write through the file object would hold its
                # lock, and Python would then abort at exit.
                _write_all(self._file.fileno(), data)
        except (OSError, ValueError):
            self._is_gone = True
            self._on_gone()


def _write_all(number: int, data: bytes) -> None:
    while data:
        try:
            data = data[os.write(number, data) :]
        except BlockingIOError:
            # Another program may have made the shared terminal non-blocking, so wait until it is
            # writable.
            select.select([], [number], [])
