"""The screens of tables: the ordinary one, and those that wings bring for their kinds of games.

A wing is loaded once a table plays its kind of game.
"""

from collections.abc import Callable
from typing import NamedTuple

from driflamme_tui.screens.table.live_screen import LiveScreen
from netcode.protocol.table_settings import TableSettings
from netcode.registry import brought


class ScreenKind(NamedTuple):
    """The seam `tables`: the screen of a kind of game that a wing brings."""

    name: str
    """As `TableSettings.kind` has it."""
    load: Callable[[], type[LiveScreen]]
    """Imports the screen."""


def screen_of(settings: TableSettings) -> type[LiveScreen]:
    """Return the screen of a table with these settings; the ordinary one without the wing."""
    if settings.kind is None:
        return LiveScreen
    found = brought("driflamme_tui", "tables", ScreenKind)
    return next((each.load() for each in found if each.name == settings.kind), LiveScreen)
