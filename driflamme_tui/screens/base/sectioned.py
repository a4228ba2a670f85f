"""Screens that show the sections of wings: their texts, and their commands by key and click."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.overlay import confirm
from driflamme_tui.seat.sections import Sections
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.wording.program.joining_words import copied
from engine.words import Text

if TYPE_CHECKING:
    from driflamme_tui.seat.sections import Face


class ScreenFace:
    """A screen as sections know it."""

    def __init__(self, screen: "Sectioned") -> None:
        """Stand for this screen."""
        self._screen: Final = screen

    @property
    def sitting(self) -> Sitting:
        """The place at the table."""
        return self._screen.sitting

    def key_for(self, command: Command, typed: str = "") -> str:
        """Return the key of a command."""
        return key(command, self._screen.glyphs)

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Show a notice on the screen."""
        self._screen.show_notice(sentence, good=good)

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard, and say so."""
        self._screen.copy_text(text)

    def ask_first(self, sentence: str, do: Callable[[], object], *, no: Text, yes: Text) -> None:
        """Ask a question over the screen, and call `do` if the answer is yes."""
        confirm(self._screen.app, sentence, do, no=no, yes=yes)


class Sectioned(Commanded):
    """Beside `Screen`: a screen that shows sections."""

    good = False
    """Whether the notice tells of something that went well."""

    @cached_property
    def sections(self) -> Sections:
        """The sections of all wings."""
        face: Face = ScreenFace(self)
        return Sections(face)

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Show why a key or a click did nothing, or (what is good) what it did."""
        self.notice, self.good = sentence, good
        self.sync()

    def copy_text(self, text: str) -> None:
        """Copy a text to the clipboard, and say so."""
        if text:
            self.app.copy_to_clipboard(text)
            self.show_notice(copied(self.terminal.copies_with), good=True)

    def is_possible(self, command: Command) -> bool:
        """Return whether a command can do anything now: a wing knows it about its own."""
        if not command.action.startswith("wing("):
            return super().is_possible(command)
        section = self.sections.owner(command)
        return section is not None and section.can(command)

    def action_wing(self, id: str) -> None:
        """Carry out a wing's command."""
        command = next(each for each in self.command_set.in_order() if each.id == id)
        section = self.sections.owner(command)
        if section is not None and section.can(command):
            section.do(command)
