"""Represents a player without a screen as a `Face` for the sections of wings."""

from collections.abc import Callable
from typing import Final

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.i18n import as_typed
from engine.texts import Text


def _forget(_sentence: str) -> None:
    """Ignore a sentence: the narrator returns its lines and writes none."""


class PlainFace:
    """A player without a screen."""

    def __init__(self, player_seat: PlayerSeat, write: Callable[[str], None] = _forget) -> None:
        """Represent a player at a seat; `write` shows a line."""
        self._sitting: Final = player_seat
        self._write: Final = write

    @property
    def player_seat(self) -> PlayerSeat:
        """The player's seat at the table."""
        return self._sitting

    def key_for(self, _command: Command, typed: str = "") -> str:
        """Return the command line `typed`, with the program's name as the player types it."""
        return as_typed(typed)

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Write a notice, in the same way for good and bad news."""
        self._write(sentence)

    def copy(self, text: str, copied: str) -> None:
        """Write a text that the reader can copy."""
        self._write(text)

    def ask_first(self, sentence: str, do: Callable[[], object], *, no: Text, yes: Text) -> None:
        """Write the question, but never call `do`: a line cannot answer it here."""
        self._write(sentence)

    def lay_over(self, load: Callable[[], object]) -> None:
        """Do nothing: there is no screen."""
