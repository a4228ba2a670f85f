"""An app that only looks back at one game: no table, no network."""

import os

from driflamme_tui.app.keymap_app import CommandedApp
from driflamme_tui.app.settings_app import ConfiguredApp
from driflamme_tui.drawing.frame_diff import LeanApp
from driflamme_tui.drawing.palette import DARK, theme_variables
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.replay.replay_screen import ReplayScreen
from driflamme_tui.text.signs import Glyphs
from engine.replaying import Eyes, Replay


class ReplayApp(LeanApp, CommandedApp, ConfiguredApp):
    """One game; leaving it ends the app."""

    CSS_PATH = "../styles/app.tcss"
    TITLE = "Driflamme"

    def __init__(
        self,
        replay: Replay,
        eyes: Eyes,
        step: int,
        settings: Settings,
        glyphs: Glyphs | None = None,
        *,
        taught: bool = False,
    ) -> None:
        """Begin at a step, with somebody's eyes; signs are those of the settings, unless given.

        `taught` is whether it is said at once what a strong bot would have played.
        """
        # Only in this mode does Textual leave the terminal's own colours alone.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.configure(settings, glyphs)
        self.rebind(self.settings.keys)
        self._first = ReplayScreen(replay, eyes, step, taught=taught)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give the stylesheet its variables before the first theme is chosen."""
        return theme_variables(DARK)

    async def on_mount(self) -> None:
        """Show the game."""
        await self.push_screen(self._first)
