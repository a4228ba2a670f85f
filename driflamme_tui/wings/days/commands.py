"""Adds the command of long games to the list of commands."""

from typing import Final

from driflamme_tui.cli.command_list import ListedCommand, WingCommands

SEAM: Final = WingCommands(
    (
        ListedCommand(
            "turns",
            "List the tables that you have joined, and whose turn it is.",
            "driflamme_tui.wings.days.turns.turns_command",
            after="watch",
        ),
    )
)
