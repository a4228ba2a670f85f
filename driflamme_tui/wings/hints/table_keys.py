"""The commands of hints at a table."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.keymap.joined_commands import LETTERS, JoinedCommands


class HintCommands(CommandSet, prefix="table", listed_after="table.events", bar_after="other_hand"):
    """The commands of hints."""

    hint = Command(
        "f4",
        "panel('hint')",
        "against bots: show a hint; the Heir's letter works too, unless you are placing a card",
        "hint",
        shares=LETTERS["h"],
    )
    explain = Command("", "panel('explain')", "show or hide what each decision is about")
    bar = "hint"


SEAM: Final = JoinedCommands(HintCommands, for_company=(HintCommands.explain,))
