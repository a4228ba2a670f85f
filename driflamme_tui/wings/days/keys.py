"""Names the commands on the screens of long games."""

from typing import Final

from driflamme_tui.keymap.command_type import CommandSet
from driflamme_tui.wings.days.ahead.ahead_overlay import AheadCommands
from driflamme_tui.wings.days.story_overlay import StoryCommands

SEAM: Final[tuple[type[CommandSet], ...]] = (StoryCommands, AheadCommands)
"""The commands of the story after a return, and of conditional answers."""
