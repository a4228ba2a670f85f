"""Adds the command of clubs to the list of commands."""

from typing import Final

from driflamme_tui.cli.command_list import ListedCommand, WingCommands

SEAM: Final = WingCommands(
    (
        ListedCommand(
            "serve",
            "Run a club: many tables at once, which members open and join.",
            "driflamme_tui.wings.clubs.serve_command",
            after="watch",
        ),
    )
)
