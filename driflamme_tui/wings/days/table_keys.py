"""The commands of long games at a table."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.keymap.joined_commands import LETTERS, JoinedCommands


class AheadTableCommands(CommandSet, prefix="table", listed_after="table.reveal"):
    """The command at the table that opens the conditional answers."""

    ahead = Command(
        "",
        "panel('ahead')",
        "in a long game: leave the card until a later round",
        shares=LETTERS["f"],
    )


SEAM: Final = JoinedCommands(AheadTableCommands, for_company=(AheadTableCommands.ahead,))
