"""Shows a screen while the player's table is being opened."""

from textual.app import ComposeResult
from textual.containers import Middle
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import ScreenCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.i18n import _


class OpeningCommands(ScreenCommands, prefix="opening"):
    """The commands while a table is being opened."""

    quit = Command("escape", "app.quit", "end the program", "quit", listed=False)
    bar = "quit"


class OpeningScreen(FullScreen, commands=OpeningCommands):
    """Shows that the table is being opened, until its lobby appears."""

    DEFAULT_CSS = """
    OpeningScreen #opening {
        width: 100%;
        text-align: center;
    }
    """

    def parts(self) -> ComposeResult:
        """Return the sentence in the middle of the screen."""
        with Middle():
            yield Static(id="opening", markup=False)

    def tell_unknown_key(self, sentence: str) -> None:
        """Show in a notification that a key has no effect here."""
        Commanded.tell_unknown_key(self, sentence)

    def sync(self) -> None:
        """Redraw everything."""
        super().sync()
        self.query_one("#opening", Static).update(self.text(_("Your table is being opened.")))
