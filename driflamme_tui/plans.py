"""What the app is started for: to host, to join, to play alone, or to ask first."""

from dataclasses import dataclass, field

from netcode.address import DEFAULT_PORT, Address
from netcode.messages import TableSettings


@dataclass(frozen=True, slots=True)
class Host:
    """Open a table for others and sit down at it."""

    bind: str | None = None
    """An address of this machine, or None for all."""
    port: int = DEFAULT_PORT
    settings: TableSettings = field(default_factory=TableSettings)
    bots: tuple[str, ...] = ()
    """Bots that sit down too, by name."""
    begin: bool = False
    """Whether the game starts at once, without a lobby: nobody else is expected."""
    seed: int | None = None
    """Makes the deals repeatable, and guessable."""
    resume: bool = False
    """Whether the latest unfinished table is reopened as it was, whatever else is planned."""

    @property
    def journaled(self) -> bool:
        """Whether what happens is kept: a game that nobody else comes to is soon begun anew."""
        return not self.begin


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down at somebody's table, or watch it."""

    address: Address
    watch: bool = False


LOOPBACK = "127.0.0.1"


def alone(
    bots: tuple[str, ...], settings: TableSettings | None = None, seed: int | None = None
) -> Host:
    """Return the plan of a table for one person and bots, on this machine only."""
    return Host(LOOPBACK, 0, settings or TableSettings(), bots, begin=True, seed=seed)


Plan = Host | Join
