"""An app that shows one screen only: a game looked back at, or a position; no table, no network."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from driflamme_tui.app.base_app import BaseApp
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.signs import Glyphs

if TYPE_CHECKING:
    from driflamme_tui.screens.base.app_services import AppServices


class OneScreenApp(BaseApp):
    """A screen; leaving it ends the app."""

    def __init__(
        self, screen_of: Callable[[], FullScreen], settings: Settings, glyphs: Glyphs | None = None
    ) -> None:
        """Show the screen that is made, once; signs are those of the settings, unless given."""
        super().__init__(settings, glyphs)
        self._screen_of = screen_of

    async def on_mount(self) -> None:
        """Show the screen."""
        await self.push_screen(self._screen_of())


if TYPE_CHECKING:

    def _services(app: OneScreenApp) -> AppServices:
        return app
