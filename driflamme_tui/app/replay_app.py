"""Apps that look at one game only, back or on from a position: no table, no network."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from driflamme_tui.app.base_app import BaseApp
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.replay.replay_screen import ReplayScreen
from driflamme_tui.text.signs import Glyphs
from engine.replaying import Eyes, Replay

if TYPE_CHECKING:
    from driflamme_tui.screens.base.app_services import AppServices
    from driflamme_tui.screens.table.position_screen import PositionScreen


class ReplayApp(BaseApp):
    """One game; leaving it ends the app."""

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
        super().__init__(settings, glyphs)
        self._first = ReplayScreen(replay, eyes, step, taught=taught)

    async def on_mount(self) -> None:
        """Show the game."""
        await self.push_screen(self._first)


class PositionApp(BaseApp):
    """A puzzle, or the analysis board; leaving it ends the app."""

    def __init__(
        self,
        screen_of: "Callable[[], PositionScreen]",
        settings: Settings,
        glyphs: Glyphs | None = None,
    ) -> None:
        """Show the screen that is made, once; signs are those of the settings, unless given."""
        super().__init__(settings, glyphs)
        self._screen_of = screen_of

    async def on_mount(self) -> None:
        """Show the position."""
        await self.push_screen(self._screen_of())


if TYPE_CHECKING:

    def _services(app: ReplayApp) -> AppServices:
        return app
