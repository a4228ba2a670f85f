"""Connects a visitor's program with its host's table by a socket on the same machine."""

from pathlib import Path
from typing import Final

from driflamme_tui.seat.targets import ResolvedTarget

DOOR: Final = "door"
"""The name of the place under which visitors' programs store keys."""


def door_target(table: Path, secret: bytes) -> ResolvedTarget:
    """Return the target of a visitor's program: a table at the host's socket."""
    from netcode.client.connectors import Unix, connector

    # The visitor's own connection is encrypted, but ends at the door: so this program is secure,
    # and acts on the visitor's behalf.
    return ResolvedTarget(connector(Unix(table)), secret, "", DOOR, secure=True, is_on_behalf=True)
