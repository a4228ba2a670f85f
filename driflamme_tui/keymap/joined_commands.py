"""Collects the commands that wings add to every table."""

from typing import Final

from msgspec import Struct

from driflamme_tui.keymap.command_type import CARD_LETTERS, Command, CommandSet, one_line
from netcode.registry import wing_values

LETTERS: Final = one_line(
    "table.letter",
    CARD_LETTERS,
    "letter('{}')".format,
    "choose a card of your hand by its letter",
    shifted=True,
)


class JoinedCommands(Struct, frozen=True):
    """The seam `table_keys`: the commands that a wing adds to every table."""

    commands: type[CommandSet]
    for_company: tuple[Command, ...] = ()
    """Those of `commands` that need other people at the table."""


def joined_commands() -> tuple[JoinedCommands, ...]:
    """Return the commands that wings add to every table."""
    return tuple(wing_values("driflamme_tui", "table_keys", JoinedCommands))
