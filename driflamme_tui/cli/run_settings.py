"""Combines the player's settings with the changes that options make for this run."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driflamme_tui.preferences.settings import Settings

_this_time: dict[str, Any] = {}
"""The settings that options have changed, by name."""


def change_looks(changes: dict[str, Any]) -> None:
    """Change settings for this run of the program. Earlier changes are dropped."""
    _this_time.clear()
    _this_time.update(changes)


def looks() -> "Settings":
    """Return the player's settings, with the changes for this run.

    Raises:
        SettingsError: The config file cannot be read or is invalid.
    """
    from driflamme_tui.preferences.settings import load

    return load()._replace(**_this_time)
