"""Names the additional commands at a sealed table."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.keymap.table_commands import TableCommands


class SealedCommands(TableCommands, prefix="table", listed_after="table.pause"):
    """The command that votes for a missing answer, beside those of every table."""

    vote = Command(
        "",
        "vote",
        "sealed play: vote that an answer is missing, once or every time",
        "vote",
        shares=TableCommands.family["v"],
    )
    bar = TableCommands.bar


SEAM: Final[tuple[type[CommandSet], ...]] = (SealedCommands,)
