"""Small JSON files in the user's state folder: what the program remembers for a player.

They are only ever a convenience: one that is missing, damaged or cannot be written is as good as
none.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from driflamme_tui.preferences.atomic_write import whole_file


def state_path(name: str) -> Path:
    """Return where a file of the user's state lies, or would."""
    return user_state_path("driflamme", appauthor=False) / name


def read_state(name: str) -> Any:
    """Return what a file holds; None if there is none that makes sense."""
    try:
        return json.loads(state_path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def write_state(name: str, value: Any) -> None:
    """Write a file whole or not at all, never readable by others."""
    path = state_path(name)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, force=True) as file:
            json.dump(value, file)
