"""Stores the player's settings, with changes by the program's options for this run."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driflamme_tui.preferences.settings import Settings

_this_time: dict[str, Any] = {}
"""The settings changed by options, by name."""


def change_looks(changes: dict[str, Any]) -> None:
    """Change settings for this run, whichever command follows."""
    _this_time.clear()
    _this_time.update(changes)


def looks() -> "Settings":
    """Return the player's settings, with the changes for this run."""
    from driflamme_tui.preferences.settings import load

    return load()._replace(**_this_time)
