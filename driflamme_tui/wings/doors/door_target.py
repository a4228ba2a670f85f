"""The way from a visitor's program to its host's table: a socket on the same machine."""

from pathlib import Path
from typing import Final

from driflamme_tui.seat.targets import ResolvedTarget

DOOR: Final = "door"
"""The place name under which programs store visitors' keys."""


def door_target(table: Path, secret: bytes) -> ResolvedTarget:
    """Return the target of a visitor's program: a table at the host's socket."""
    from netcode.client.connectors import Unix, connector

    # The visitor's own connection ends at the door.
    return ResolvedTarget(connector(Unix(table)), secret, "", DOOR, secure=True, is_on_behalf=True)
