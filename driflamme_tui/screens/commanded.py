"""What every screen and every overlay has: help on itself, and its commands to choose from."""

from typing import TYPE_CHECKING, NamedTuple

from driflamme_tui.wording.help import KEYS
from engine.cards import Family

if TYPE_CHECKING:
    from driflamme_tui.app import DriflammeApp


class Reminder(NamedTuple):
    """What the table asks while the reader reads."""

    text: str
    family: Family
    """Of whoever is asked."""
    yours: bool


class Commanded:
    """Beside `Screen`, first of its bases."""

    app: "DriflammeApp"

    def can(self, command: str) -> bool:
        """Whether a command of this screen, by its id, can do anything at this moment."""
        return True

    def help_page(self) -> str:
        """Return the name of the page of the help that is most about this moment."""
        return KEYS

    def reminder(self) -> Reminder | None:
        """Return what is asked while somebody reads the help, or None where nothing is."""
        return None

    def told(self) -> Reminder | None:
        """Return what the table beneath an overlay asks, if there is one."""
        told = (getattr(screen, "reminder", None) for screen in self.app.screen_stack)
        return next(filter(None, (tell() for tell in told if tell)), None)

    def action_help(self) -> None:
        """Show the help, at the page that is most about this moment."""
        from driflamme_tui.actions import keys_of
        from driflamme_tui.screens.help import HelpScreen

        glyphs = self.app.glyphs
        keys = keys_of(self.app.screen, glyphs)
        self.app.push_screen(HelpScreen(glyphs, keys, self.help_page()))
