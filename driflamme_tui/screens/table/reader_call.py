"""Calls a reader whose turn it is but who looks elsewhere: by bell, notice and title."""

from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.preferences.attention import Attention
from driflamme_tui.screens.countdown import Countdown


class ReaderCall:
    """The means by which the terminal calls the reader."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._attention = Attention()

    def update(
        self, question: int | None, countdown: Countdown | None, *, focused: bool
    ) -> float | None:
        """Call the reader if it is time; return the seconds until the next check.

        Args:
            question: The revision that the reader has to answer; None if it is not their turn.
            countdown: The clock of the question.
            focused: True if the terminal has the focus.
        """
        now, terminal, left = self._terminal.clock(), self._terminal, None
        if countdown is not None and countdown.clock.running:
            left = countdown.left_s(now)
        self._attention.focused = focused
        terminal.signal(self._attention.update(question, now, left, terminal.settings))
        return self._attention.next_change(now, left)

    def leave(self) -> None:
        """Restore the terminal's title."""
        self._terminal.signal(self._attention.leave())
