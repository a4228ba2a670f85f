"""Plans of what a player opens on this machine, for others or alone with bots."""

from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Location, Opened
from netcode.transport.address import DEFAULT_PORT

LOOPBACK: Final = "127.0.0.1"
"""The address by which this machine reaches itself."""

USUAL: Final = Location(port=DEFAULT_PORT, plain=False, announced=True)
"""The location of a place if its host asks for nothing else."""


class OpenPlan(Struct, frozen=True):
    """Open a place for others on this machine."""

    location: Location = Location()
    """Where it listens."""
    parts: dict[str, str] = {}
    """The records of its optional parts, by their names."""

    def opened(self, secret: bytes, code: str = "") -> Opened:
        """Return the location and the parts with an invitation's secret and a code."""
        return Opened(secret, code, USUAL.changed_by(self.location), self.parts)

    def reopened(self, opened: Opened) -> Opened:
        """Return a former location with the changes and parts of this plan."""
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
    """Whether the latest unfinished table is reopened as it was."""
    reminds: bool = True
    """Whether the host reads that such a table exists; a screen with a button needs no sentence."""


class Alone(Struct, frozen=True):
    """Play against bots, at a table that nobody else can reach."""

    settings: TableSettings = field(default_factory=TableSettings)
    bots: tuple[str, ...] = ()
    seed: int | None = None
    is_stored: bool = True
    """Whether the game can be continued after the program has ended."""
    continues: bool = False
    """Whether the latest unfinished game goes on, if there is one, instead of a new one."""
    begins: bool = True
    """Whether a new game begins if none is unfinished."""
