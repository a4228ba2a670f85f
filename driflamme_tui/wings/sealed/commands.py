"""The command of sealed play, for the list of commands."""

from typing import Final

from driflamme_tui.cli.command_list import ListedCommand, WingCommands

SEAM: Final = WingCommands(
    (
        ListedCommand(
            "verify",
            "Say what a game of the history, or the games of a file, prove, if they were played at"
            " a sealed table.",
            "driflamme_tui.wings.sealed.verify_command",
            after="replay",
        ),
    )
)
