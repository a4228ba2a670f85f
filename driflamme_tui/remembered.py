"""What the start screen remembers from one evening to the next: a name and an address.

It lies in the user's state folder, holds no secret, and is only ever a convenience: a file that
is missing, damaged or not to be written is as good as none.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from platformdirs import user_state_path

FILE = "last.json"


@dataclass(frozen=True, slots=True)
class Remembered:
    """The last evening."""

    name: str = ""
    address: str = ""
    """Of the table that was joined last."""


def _path() -> Path:
    return user_state_path("driflamme", appauthor=False) / FILE


def recall() -> Remembered:
    """Return what was remembered last."""
    try:
        fields = json.loads(_path().read_text(encoding="utf-8"))
        return Remembered(name=str(fields["name"]), address=str(fields["address"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Remembered()


def remember(what: Remembered) -> None:
    """Remember a name and an address."""
    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(what)), encoding="utf-8")
    except OSError:
        return
