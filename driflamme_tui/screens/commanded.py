"""What every screen and every overlay has: help on itself, and its commands to choose from."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from driflamme_tui.app import DriflammeApp


class Commanded:
    """Beside `Screen`, first of its bases."""

    app: "DriflammeApp"

    def can(self, command: str) -> bool:
        """Whether a command of this screen, by its id, can do anything at this moment."""
        return True

    def action_help(self) -> None:
        """Show the rules and the keys."""
        from driflamme_tui.screens.overlays import HelpOverlay

        self.app.push_screen(HelpOverlay(self.app.glyphs))
