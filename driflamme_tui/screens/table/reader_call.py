"""Calls the reader for their turn if they look elsewhere: by bell, notice and title."""

from collections.abc import Callable
from typing import Protocol

from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.screens.countdown import Countdown


class Timer(Protocol):
    """A scheduled call of a function, which can be cancelled."""

    def stop(self) -> None:
        """Cancel the call."""


class ReaderCall:
    """Decides when the terminal calls the reader, and sends the call."""

    def __init__(
        self, terminal: Terminal, call_in: Callable[[float, Callable[[], None]], Timer]
    ) -> None:
        """Begin without a scheduled call.

        Args:
            terminal: Rings the bell, and has the clock and the settings.
            call_in: Calls a function after some seconds.
        """
        self._terminal, self._call_in = terminal, call_in
        self._calls = terminal.calls
        self._timer: Timer | None = None

    def update(
        self,
        question: int | None,
        countdown: Countdown | None,
        *,
        focused: bool,
        again: Callable[[], None],
    ) -> None:
        """Call the reader if a call is due, and schedule the next check.

        Args:
            question: The revision that the reader has to answer; None if it is not their turn.
            countdown: The clock of the question; None without one.
            focused: True if the terminal has the focus.
            again: Called when the next update is due. It redraws nothing.
        """
        now, terminal, left = self._terminal.clock(), self._terminal, None
        if countdown is not None and countdown.clock.running:
            left = countdown.left_s(now)
        self._calls.focused = focused
        terminal.signal(self._calls.update(question, now, left, terminal.settings))
        change = self._calls.next_change(now, left)
        if self._timer is not None:
            self._timer.stop()
        self._timer = None if change is None else self._call_in(change, again)

    def leave(self) -> None:
        """Restore the terminal's title."""
        self._terminal.signal(self._calls.leave())
