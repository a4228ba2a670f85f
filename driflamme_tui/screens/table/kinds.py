"""Finds the screens of tables: the ordinary screen, and screens for wings' kinds of games.

A wing is loaded only when a table plays its kind of game.
"""

from collections.abc import Callable

from msgspec import Struct

from driflamme_tui.screens.table.live_screen import LiveScreen
from netcode.isolation import attempt
from netcode.protocol.table_settings import TableSettings
from netcode.registry import wing_values


class ScreenKind(Struct, frozen=True):
    """The seam `tables`: the screen of a wing for its kind of game."""

    name: str
    """The kind, as in `TableSettings.kind`."""
    load: Callable[[], type[LiveScreen]]
    """Imports the screen, and returns its class."""


def screen_of(settings: TableSettings) -> type[LiveScreen]:
    """Return the class of the screen for these settings.

    If the wing with this kind of game is missing or fails, return the ordinary screen.
    """
    if settings.kind is None:
        return LiveScreen
    found = wing_values("driflamme_tui", "tables", ScreenKind)
    loaded = (
        attempt(each.load, each.load, LiveScreen) for each in found if each.name == settings.kind
    )
    return next(loaded, LiveScreen)
