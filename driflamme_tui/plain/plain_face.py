"""The line-by-line mode as sections of wings know it."""

from collections.abc import Callable
from typing import Final

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.text.i18n import as_typed
from engine.words import Text


def _forget(_sentence: str) -> None:
    """Write nothing: the narrator returns its lines."""


class PlainFace:
    """A player without a screen."""

    def __init__(self, sitting: Sitting, write: Callable[[str], None] = _forget) -> None:
        """Stand for a player at a place; `write` shows a line."""
        self._sitting: Final = sitting
        self._write: Final = write

    @property
    def sitting(self) -> Sitting:
        """The place at the table."""
        return self._sitting

    def key_for(self, _command: Command, typed: str = "") -> str:
        """Return what one types."""
        return as_typed(typed)

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Write a sentence."""
        self._write(sentence)

    def copy(self, text: str) -> None:
        """Write a text, for the reader to copy."""
        self._write(text)

    def ask_first(self, sentence: str, do: Callable[[], object], *, no: Text, yes: Text) -> None:
        """Write the question: no key answers it here."""
        self._write(sentence)
