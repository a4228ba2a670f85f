"""Represents a screen as a `Face` for the sections of wings."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from textual.screen import Screen

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.overlay import confirm
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.seat.sections import Sections
from engine.texts import Text

if TYPE_CHECKING:
    from driflamme_tui.seat.sections import Face


class ScreenFace:
    """A screen as sections see it."""

    def __init__(self, screen: Commanded) -> None:
        self._screen: Final = screen

    @property
    def player_seat(self) -> PlayerSeat:
        """The player's seat at the table."""
        return self._screen.player_seat

    def key_for(self, command: Command, typed: str = "") -> str:
        """Return the key of a command; "" if it has none.

        `typed` is the command's word in the line-by-line mode. A screen ignores it.
        """
        return key(command, self._screen.glyphs)

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Show a sentence on the screen. With `good`, it is good news and no refusal."""
        self._screen.show_sentence(sentence, good=good)

    def copy(self, text: str, copied: str) -> None:
        """Copy a text to the clipboard, and confirm this in a notice.

        `copied` is the sentence that names the copied thing. Does nothing if the text is empty.
        """
        self._screen.copy_text(text, copied)

    def ask_first(self, sentence: str, do: Callable[[], object], *, no: Text, yes: Text) -> None:
        """Ask a question over the screen, and call `do` if the answer is yes.

        `no` and `yes` are the labels of the buttons, to be translated.
        """
        confirm(self._screen.app, sentence, do, no=no, yes=yes)

    def lay_over(self, load: Callable[[], object]) -> None:
        """Show the wing's screen that `load` returns, over this screen."""
        screen = load()
        assert isinstance(screen, Screen)
        self._screen.app.push_screen(screen)


def sections_of(screen: Commanded) -> Sections:
    """Return the sections of all wings for a screen."""
    face: Face = ScreenFace(screen)
    return Sections(face)
