"""What the screens of a table share: help, the way out, and bars and boards that run actions."""

from typing import TYPE_CHECKING

from textual import on
from textual.events import Resize
from textual.screen import Screen

from driflamme_tui.screens.overlays import HelpOverlay, LeaveOverlay
from driflamme_tui.widgets.bars import Keys
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH
from driflamme_tui.widgets.too_small import TooSmall

if TYPE_CHECKING:
    from driflamme_tui.app import DriflammeApp


class SessionScreen(Screen[None]):
    """A screen that shows what the session knows, anew whenever that changes."""

    app: "DriflammeApp"

    def on_mount(self) -> None:
        """Show what the session already knows."""
        self.resized()

    def on_resize(self, event: Resize) -> None:
        """Fit what is shown to the new size, or ask for more room."""
        if self.is_mounted:
            self.resized()

    def resized(self) -> None:
        """Show everything in the present size."""
        width, height = self.app.size
        small = width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT
        self.query_one(TooSmall).display = small
        self.sync()

    def look_again(self) -> None:
        """Show what has changed, unless the screen is still being built and will look anyway."""
        if self.is_mounted:
            self.sync()

    def sync(self) -> None:
        """Show what the session knows now."""
        raise TypeError("a session screen says how it shows the session")

    def action_help(self) -> None:
        """Show the rules and the keys."""
        self.app.push_screen(HelpOverlay(self.app.glyphs))

    def action_leave(self) -> None:
        """Ask whether to leave the table."""

        def left(sure: bool | None) -> None:
            if sure:
                self.app.leave_table()

        self.app.push_screen(LeaveOverlay(self.app.leaving_means()), left)

    @on(Board.Pressed)
    async def _place_pressed(self, message: Board.Pressed) -> None:
        await self.run_action(message.action)

    @on(Keys.Pressed)
    async def _key_pressed(self, message: Keys.Pressed) -> None:
        await self.run_action(message.action)
