"""Names the commands on the screens of a club."""

from typing import Final

from driflamme_tui.keymap.command_type import CommandSet
from driflamme_tui.wings.clubs.club_screen import ClubCommands
from driflamme_tui.wings.clubs.league_screen import LeagueCommands

SEAM: Final[tuple[type[CommandSet], ...]] = (ClubCommands, LeagueCommands)
