"""Shows a screen while the player's table is being opened, or on the way to another table."""

from textual.app import ComposeResult
from textual.containers import Middle
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import ScreenCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.joining_words import joining_words


class OpeningCommands(ScreenCommands, prefix="opening"):
    """The command that quits while the program opens or joins a table."""

    quit = Command("escape", "app.quit", "end the program", "quit", listed=False)
    bar = "quit"


class OpeningScreen(FullScreen, commands=OpeningCommands):
    """Shows that a table is being opened or joined, until its lobby appears."""

    DEFAULT_CSS = """
    OpeningScreen #opening {
        width: 100%;
        text-align: center;
    }
    """

    def __init__(self, *, joins: bool = False) -> None:
        """Show a sentence about the opening of a table; with `joins`, about joining a table."""
        super().__init__()
        self._joins = joins
        self._is_going = True
        """False while the player must first type another code or name."""

    def parts(self) -> ComposeResult:
        """Yield the sentence in the middle of the screen."""
        with Middle():
            yield Static(id="opening", markup=False)

    def show_unknown_key(self, sentence: str) -> None:
        """Show a notification with a sentence about a key without effect."""
        Commanded.show_unknown_key(self, sentence)

    def show_way(self, *, is_going: bool) -> None:
        """Show or hide the sentence."""
        self._is_going = is_going
        self.sync()

    def sync(self) -> None:
        """Redraw everything."""
        super().sync()
        self.query_one("#opening", Static).update(self.text(self._words()))

    def _words(self) -> str:
        if not self._is_going:
            return ""
        return joining_words() if self._joins else _("Your table is being opened.")
