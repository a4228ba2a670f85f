"""Adds the command of sealed play to the list of commands."""

from typing import Final

from driflamme_tui.cli.command_list import ListedCommand, WingCommands

SEAM: Final = WingCommands(
    (
        ListedCommand(
            "verify",
            "Check what a sealed game proves: one in your history, or those in a file.",
            "driflamme_tui.wings.sealed.verify_command",
            after="replay",
        ),
    )
)
