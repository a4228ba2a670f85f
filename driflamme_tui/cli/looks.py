"""The player's settings, as options of the program change them for this time."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driflamme_tui.preferences.settings import Settings

_this_time: dict[str, Any] = {}
"""The settings that options have changed, by name."""


def change_looks(changes: dict[str, Any]) -> None:
    """Change settings for this time, whichever command is run."""
    _this_time.clear()
    _this_time.update(changes)


def looks() -> "Settings":
    """Return the player's settings, as options change them for this time."""
    from driflamme_tui.preferences.settings import load

    return load()._replace(**_this_time)
