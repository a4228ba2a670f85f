"""The commands of hints at a table."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.keymap.joined_commands import LETTERS, JoinedCommands


class HintCommands(CommandSet, prefix="table", listed_after="table.events", bar_after="other_hand"):
    """Commands at the table that show a hint, and switch explanations on or off."""

    hint = Command(
        "f4",
        "panel('hint')",
        "against bots: show a hint; h too, except while you choose a card to place",
        "hint",
        shares=LETTERS["h"],
    )
    explain = Command("", "panel('explain')", "show or hide what each decision is about")
    bar = "hint"


SEAM: Final = JoinedCommands(HintCommands, for_company=(HintCommands.explain,))
