"""The commands of hints at a table."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, JoinedCommand
from driflamme_tui.keymap.joined_commands import LETTERS, JoinedCommands

HINT: Final = Command(
    "f4",
    "panel('hint')",
    "against bots: a hint, also with the Heir's letter while no card is placed",
    "hint",
    shares=LETTERS["h"],
)

EXPLAIN: Final = Command(
    "", "panel('coach')", "coach: say what each decision is about, or stop that"
)

SEAM: Final = JoinedCommands(
    (
        JoinedCommand("hint", HINT, after="events", bar_after="other_hand"),
        JoinedCommand("coach", EXPLAIN, after="hint", needs_company=True),
    )
)
