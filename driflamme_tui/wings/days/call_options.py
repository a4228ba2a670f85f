"""The option for calls to absent players."""

from collections.abc import Mapping
from typing import ClassVar

from driflamme_tui.cli.declarations import option
from driflamme_tui.cli.opening_options import Opening, OpeningOptions
from netcode.wings.days.settings import NAME


class CallOptions(OpeningOptions):
    """The option for the command that calls absent players."""

    commands = ("host", "serve")
    after = "insecure"
    rank = 3
    examples: ClassVar[Mapping[str, str]] = {}

    call: str | None = option(
        "In games that last for days, run this program when it is an absent player's turn: it"
        " gets their name, the table and the hours left, and their address in DRIFLAMME_ADDRESS.",
        metavar="COMMAND",
    )

    def add_to(self, opening: Opening) -> None:
        """Add the command; raises ExplainedError if it cannot run."""
        from driflamme_tui.wings.days.calls import parse_command

        if self.call is not None:
            parse_command(self.call)
            opening.parts[NAME] = self.call
