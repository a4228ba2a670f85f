"""Commands that wings add to those of every table."""

from typing import Final, NamedTuple

from driflamme_tui.keymap.command_type import CARD_LETTERS, JoinedCommand, one_line
from netcode.registry import brought

LETTERS: Final = one_line(
    "table.letter",
    CARD_LETTERS,
    "letter('{}')".format,
    "choose a card of your hand by its letter",
    shifted=True,
)


class JoinedCommands(NamedTuple):
    """The seam `table_keys`: the commands that a wing adds to those of every table."""

    commands: tuple[JoinedCommand, ...]


def joined_commands() -> tuple[JoinedCommand, ...]:
    """Return the commands that wings add to those of every table."""
    found = brought("driflamme_tui", "table_keys", JoinedCommands)
    return tuple(each for seam in found for each in seam.commands)
