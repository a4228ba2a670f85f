"""Defines plans to open a table on this machine, for others or alone with bots."""

from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Location, Opened
from netcode.transport.address import DEFAULT_PORT

LOOPBACK: Final = "127.0.0.1"
"""The address by which this machine reaches itself."""

USUAL: Final = Location(port=DEFAULT_PORT, plain=False, announced=True)
"""The location of a place unless its host requests another one."""


class OpenPlan(Struct, frozen=True):
    """Open a place for others on this machine."""

    location: Location = Location()
    """The location of its sockets."""
    parts: dict[str, str] = {}
    """The records of its optional parts, by their names."""

    def opened(self, secret: bytes, code: str = "") -> Opened:
        """Return this plan's location and parts, with an invitation's secret and a code."""
        return Opened(secret, code, USUAL.changed_by(self.location), self.parts)

    def reopened(self, opened: Opened) -> Opened:
        """Return a former location and its parts, with the changes of this plan."""
        location = opened.location.changed_by(self.location)
        return replace(opened, location=location, parts=opened.parts | self.parts)


class Host(OpenPlan, frozen=True):
    """Open a table for others and sit down at it."""

    settings: TableSettings = field(default_factory=TableSettings)
    bots: tuple[str, ...] = ()
    """Bots that sit down too, by name."""
    seed: int | None = None
    """Makes the deals repeatable, and guessable."""
    resume: bool = False
    """True to reopen the latest unfinished table."""
    reminds: bool = True
    """True to remind the host of such a table by a sentence; a screen has a button instead."""


class Alone(Struct, frozen=True):
    """Play against bots, at a table that nobody else can reach."""

    settings: TableSettings = field(default_factory=TableSettings)
    bots: tuple[str, ...] = ()
    seed: int | None = None
    is_stored: bool = True
    """True if the game can be continued after the end of the program."""
    continues: bool = False
    """True to continue the latest unfinished game, if there is one."""
    begins: bool = True
    """True to begin a new game if none is unfinished."""
