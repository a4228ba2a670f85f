"""What is remembered from one evening to the next: a name, an address, and a table's settings.

The link and the way back lead to a table, so that nobody else may read the file.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from driflamme_tui.preferences.even_bots import EVEN
from driflamme_tui.preferences.state_file import read_state, write_state
from engine.bots import DEFAULT_BOT, is_bot

if TYPE_CHECKING:
    from netcode.protocol.messages import TableSettings

FILE: Final = "last.json"
"""The name of the file that is remembered."""

KEPT: Final = ("edition", "direction", "pace_ms", "think_ms", "clock_s", "two", "best_of", "sealed")
"""The fields of a table's settings that make sense at the next; its first player may not come."""


class WayBack(Struct, frozen=True):
    """The way back to a seat at somebody else's table."""

    name: str
    """What one is called there."""
    host: str
    """The name of its host; empty if they have no seat."""
    typed: str
    """What leads there when it is typed."""
    place: str
    """What the key to the seat is kept under."""


class Remembered(Struct, frozen=True):
    """The last evening."""

    name: str = ""
    address: str = ""
    """The address of the table that was joined last."""
    table: Mapping[str, object] = field(default_factory=dict)
    """What was chosen last in a lobby of one's own: fields of `TableSettings`, by name."""
    bot: str = ""
    """The kind of bot that was chosen last."""
    back: WayBack | None = None
    """The seat that one has left without giving it up."""


def recall() -> Remembered:
    """Return what was remembered last."""
    return read_state(FILE, Remembered, Remembered())


def remember(what: Remembered) -> None:
    """Remember this, and nothing else."""
    if what != recall():
        # The first table would wait for the disk.
        write_state(FILE, what)


def remember_evening(name: str, address: str) -> None:
    """Remember a name and, if there is one, an address."""
    last = recall()
    remember(replace(last, name=name, address=address or last.address))


def remember_way_back(back: WayBack | None) -> None:
    """Remember the way back to a seat, or that there is none any more."""
    remember(replace(recall(), back=back))


def remember_table(chosen: Mapping[str, object]) -> None:
    """Remember what a host has chosen for a table; what they did not touch stays as it was."""
    last = recall()
    kept = {name: value for name, value in chosen.items() if name in KEPT}
    if kept:
        remember(replace(last, table={**last.table, **kept}))


def remember_bot(bot: str) -> None:
    """Remember which kind of bot a host has chosen."""
    remember(replace(recall(), bot=bot))


def last_bot() -> str:
    """Return the kind of bot, or `EVEN`, that was chosen last; if it is no more the usual one."""
    bot = recall().bot or DEFAULT_BOT
    return bot if bot == EVEN or is_bot(bot) else DEFAULT_BOT


def next_table(**wanted: object) -> "TableSettings":
    """Return the settings of the next table: what is wanted, and else what was chosen last."""
    from netcode.protocol.fields import checked
    from netcode.protocol.messages import TableSettings

    last = {name: value for name, value in recall().table.items() if name in KEPT}
    try:
        return checked({**last, **wanted}, TableSettings)
    except ValueError:
        return checked(wanted, TableSettings)
