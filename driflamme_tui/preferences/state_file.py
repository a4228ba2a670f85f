"""Small JSON files in the user's state folder: what the program remembers for a player.

They are only ever a convenience: one that is missing, damaged or cannot be written is as good as
none.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from platformdirs import user_state_path

from netcode import file_locks
from netcode.whole_file import whole_file

State = TypeVar("State")


def state_path(name: str) -> Path:
    """Return where a file of the user's state lies, or would."""
    return user_state_path("driflamme", appauthor=False) / name


def read_state(name: str, kind: type[State], otherwise: State) -> State:
    """Return what a file holds, or something else if there is none that makes sense."""
    try:
        return msgspec.json.decode(state_path(name).read_bytes(), type=kind)
    except (OSError, ValueError, RecursionError):
        return otherwise


def change_state(
    name: str, kind: type[State], otherwise: State, change: Callable[[State], State]
) -> None:
    """Write what a change makes of what a file holds; no other program writes in between."""
    path = state_path(name)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            # Until the other program has written.
            file_locks.wait_for_lock(lock)
            write_state(name, change(read_state(name, kind, otherwise)))
        finally:
            os.close(lock)


def write_state(name: str, value: object) -> None:
    """Write a file whole or not at all, never readable by others."""
    path = state_path(name)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, force=True) as file:
            file.write(msgspec.json.encode(value).decode())
