"""Defines plans to open a table on this machine, for others or alone with bots."""

from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Location, TableAccess
from netcode.transport.address import DEFAULT_PORT

LOOPBACK: Final = "127.0.0.1"
"""The address by which this machine reaches itself."""

USUAL: Final = Location(port=DEFAULT_PORT, plain=False, announced=True)
"""The default location of a place."""


class OpenPlan(Struct, frozen=True):
    """A plan to open a place for others on this machine."""

    location: Location = Location()
    """The location of the place's sockets."""
    parts: dict[str, str] = {}
    """The records of the place's hosting parts, by name."""

    def opened(self, secret: bytes, code: str = "") -> TableAccess:
        """Return this plan's location and parts, with an invitation's secret and a code."""
        return TableAccess(secret, code, USUAL.changed_by(self.location), self.parts)

    def reopened(self, opened: TableAccess) -> TableAccess:
        """Return the location and parts of a former place, with the changes of this plan."""
        return replace(self.continued(opened), parts=opened.parts | self.parts)

    def continued(self, opened: TableAccess) -> TableAccess:
        """Return the location of a former place with the changes of this plan, and only its parts.

        A place that nobody asked to reopen opens no way in that its command does not name.
        """
        return replace(opened, location=opened.location.changed_by(self.location), parts=self.parts)


class Host(OpenPlan, frozen=True):
    """A plan to open a table for others, with or without a seat for the player of this program."""

    settings: TableSettings = field(default_factory=TableSettings)
    bots: tuple[str, ...] = ()
    """The names of the bots that get a seat too."""
    seed: int | None = None
    """A seed that makes the deals repeatable, and so predictable; None for random deals."""
    resume: bool = False
    """True to reopen the latest unfinished table."""
    continues: bool = False
    """True to resume the table that was interrupted at the same port, if there is one: a restarted
    service then continues its game. Unlike `resume`, this opens only the parts of this plan.
    """
    reminds: bool = True
    """True if a sentence reminds the host of an unfinished table. A screen has a button instead."""


class SoloPlan(Struct, frozen=True):
    """A plan to play against bots, at a table that no other person can join."""

    settings: TableSettings = field(default_factory=TableSettings)
    bots: tuple[str, ...] = ()
    seed: int | None = None
    is_stored: bool = True
    """True if the game can be continued after the program has ended."""
    continues: bool = False
    """True to continue the latest unfinished game, if there is one."""
    needs_same: bool = False
    """True to continue only a game with the same bots and rules, and to replace no other game."""
    begins: bool = True
    """True to begin a new game if there is no unfinished one."""
