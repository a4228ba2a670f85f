"""Finds the folders of the player's data: settings, state, and games with their keys."""

from collections.abc import Iterator
from pathlib import Path

from platformdirs import user_config_path, user_data_path, user_state_path


def data_folders() -> Iterator[Path]:
    """Yield the folders with this program's data, even if they do not exist."""
    for of_user in (user_config_path, user_state_path, user_data_path):
        yield of_user("driflamme", appauthor=False)
