"""Finds the screens of tables: the ordinary one, and those of wings for their kinds of games.

A wing is loaded only when a table plays its kind of game.
"""

from collections.abc import Callable
from typing import NamedTuple

from driflamme_tui.screens.table.live_screen import LiveScreen
from netcode.protocol.table_settings import TableSettings
from netcode.registry import brought


class ScreenKind(NamedTuple):
    """The seam `tables`: a wing's screen for its kind of game."""

    name: str
    """The kind, as in `TableSettings.kind`."""
    load: Callable[[], type[LiveScreen]]
    """Imports the screen."""


def screen_of(settings: TableSettings) -> type[LiveScreen]:
    """Return the screen for these settings; without the wing the ordinary one."""
    if settings.kind is None:
        return LiveScreen
    found = brought("driflamme_tui", "tables", ScreenKind)
    return next((each.load() for each in found if each.name == settings.kind), LiveScreen)
