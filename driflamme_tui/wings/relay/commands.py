"""Adds the command of the relay to the list of commands."""

from typing import Final

from driflamme_tui.cli.command_list import ListedCommand, WingCommands

SEAM: Final = WingCommands(
    (
        ListedCommand(
            "relay",
            "Run a relay: friends who cannot be reached host through this machine.",
            "driflamme_tui.wings.relay.relay_command",
            after="watch",
        ),
    )
)
