"""The way from a visitor's program to the table of its host: a socket of the same machine."""

from pathlib import Path
from typing import Final

from driflamme_tui.seat.targets import ResolvedTarget

DOOR: Final = "door"
"""The place under which the keys of visitors are kept."""


def door_target(table: Path, secret: bytes) -> ResolvedTarget:
    """Return how a visitor's program gets to a table by the host's socket."""
    from netcode.client.connectors import Unix, connector

    # The visitor's own connection ends at the door.
    return ResolvedTarget(connector(Unix(table)), secret, "", DOOR, secure=True, is_on_behalf=True)
