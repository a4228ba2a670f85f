"""What is to be opened on this machine: a table for others, a club, or a table alone with bots."""

from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Opened
from netcode.transport.address import DEFAULT_PORT

LOOPBACK: Final = "127.0.0.1"
"""The address by which this machine reaches itself."""


class Doors(Struct, frozen=True):
    """The doors by which those come in who have no program of this one; None for no such door."""

    ssh: int | None = None
    """The port of the one for SSH."""
    web: int | None = None
    """The port of the one for browsers."""
    proxy: str | None = None
    """The origin at which a proxy shows the page; None where browsers come here themselves."""

    @property
    def any(self) -> bool:
        """Whether there is one at all."""
        return self.ssh is not None or self.web is not None


class Location(Struct, frozen=True):
    """Where something is opened for others on this machine: a table, a club or a relay."""

    bind: str | None = None
    """An address of this machine; None for all, or as it was when a table is resumed."""
    port: int | None = None
    """None for the usual one, or as it was when a table is resumed."""
    public: str | None = None
    """The addresses that invitations have before those of this machine, with commas between them.

    Those without a port have the port on which this machine listens."""
    outside: tuple[str, ...] = ()
    """What the router is to let others in to from other homes: `table`, `ssh` and `web`."""
    plain: bool = False
    """Whether nothing is encrypted, and whoever reaches it is let in."""
    doors: Doors = Doors()

    @property
    def said(self) -> dict[str, Any]:
        """What of it is chosen, by the names of the fields of `Opened`."""
        chosen = {"bind": self.bind, "port": self.port, "public": self.public}
        return {name: value for name, value in chosen.items() if value is not None}

    def opened(self, secret: bytes, code: str = "", **more: Any) -> Opened:
        """Return how others get there, by an invitation's secret and a code."""
        where = {"port": DEFAULT_PORT, **self.said, "plain": self.plain, **more}
        return Opened(secret, code, **where)


class Host(Location, frozen=True):
    """Open a table for others and sit down at it."""

    relay: str | None = None
    """The link of a relay, for those who do not reach this machine; None for none, or as it was
    when the table is resumed."""
    unix: Path | None = None
    """The path of a socket to listen on instead of a port; nothing is encrypted there."""
    announce: bool = True
    """Whether the local network is told that the table is there."""
    settings: TableSettings = field(default_factory=TableSettings)
    bots: tuple[str, ...] = ()
    """Bots that sit down too, by name."""
    seed: int | None = None
    """Makes the deals repeatable, and guessable."""
    resume: bool = False
    """Whether the latest unfinished table is reopened as it was."""
    reminds: bool = True
    """Whether one is told of such a table: who sees a button for it needs no sentence."""


class Serve(Location, frozen=True):
    """Open a club."""

    relay_port: int | None = None
    """On which it is a relay as well; None for no relay."""


class Alone(Struct, frozen=True):
    """Play against bots, at a table that nobody else can reach."""

    settings: TableSettings
    bots: tuple[str, ...]
    seed: int | None = None
