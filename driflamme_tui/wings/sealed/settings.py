"""Adds to the lobby the setting that makes a table sealed."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.wording.program.table_setting import AddedSettings, TableSetting, ValueTexts


class SealedLobbyCommands(CommandSet, prefix="lobby", listed_after="lobby.best"):
    """The command of the lobby that seals the next game."""

    sealed = Command(
        "a",
        "setting('sealed')",
        "the host: seal the next game, in which no machine knows another's cards",
    )


SETTING: Final = TableSetting(
    "sealed",
    "Sealed",
    (False, True),
    {
        False: ValueTexts(
            "no",
            "The host's machine deals, and could look: play with a host you trust.",
        ),
        True: ValueTexts(
            "yes", "No machine knows another's cards; the deal and every move are proven."
        ),
    },
)

SEAM: Final = AddedSettings({SealedLobbyCommands.sealed: SETTING})
