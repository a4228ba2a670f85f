"""What is said on the analysis board: whose cards are seen, and who judges answers by what."""

from driflamme_tui.seat.local_table import LocalTable
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.bot_names import bot_name
from driflamme_tui.wording.game.names import family_name
from engine.bots import TEACHER


def board_heading(table: LocalTable) -> list[str]:
    """Return what the header says of a board, the most important first."""
    eyes = _("all cards open")
    if table.seat is not None:
        eyes = _("{family}'s cards").format(family=family_name(table.game.families[table.seat]))
    return [_("board"), eyes, *([_("others imagined")] if table.imagined else [])]


def what_is_thought(table: LocalTable) -> tuple[str, str]:
    """Return the title over judged answers, and by whose knowledge they are judged."""
    title = _("What {bot} thinks: how often each answer wins").format(bot=bot_name(TEACHER))
    if table.game.over:
        return title, ""
    family = family_name(table.game.families[table.game.turn])
    return title, _("by what {family} can know").format(family=family)


def nothing_to_undo() -> str:
    """Return why nothing is taken back."""
    return _("You have no answer to take back.")
