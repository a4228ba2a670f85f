"""What can be done with past games and their statistics."""

from typing import Final

from driflamme_tui.keymap.command import Command
from driflamme_tui.text.i18n import NP_
from engine.words import N_

PAST: Final = (
    Command(
        "past.search",
        "past",
        "slash",
        "search",
        N_("show only games with somebody whose name you type"),
        NP_("key bar", "search"),
    ),
    Command(
        "past.players",
        "past",
        "n",
        "narrow('players')",
        N_("only games of 3, 4 or 5 families, or all again"),
    ),
    Command(
        "past.edition",
        "past",
        "e",
        "narrow('edition')",
        N_("only games of one edition, or of both again"),
    ),
    Command(
        "past.bots",
        "past",
        "b",
        "narrow('bots')",
        N_("only games with bots, or without, or all again"),
    ),
    Command(
        "past.all",
        "past",
        "0",
        "widen",
        N_("show all games again"),
        NP_("key bar", "all"),
    ),
    Command(
        "past.back",
        "past",
        "escape,q",
        "back",
        N_("go back to where you came from"),
        NP_("key bar", "back"),
    ),
)
"""On both screens: which games they are about."""


HISTORY: Final = (
    Command(
        "history.up",
        "history",
        "up",
        "move(-1)",
        N_("choose a game"),
        NP_("key bar", "choose"),
        listed=False,
    ),
    Command(
        "history.down",
        "history",
        "down",
        "move(1)",
        N_("choose the next game"),
        NP_("key bar", "choose"),
        row="history.up",
        listed=False,
    ),
    Command(
        "history.page-up",
        "history",
        "pageup,left",
        "page(-1)",
        N_("go a page up or down"),
        listed=False,
    ),
    Command(
        "history.page-down",
        "history",
        "pagedown,right",
        "page(1)",
        N_("go a page down"),
        row="history.page-up",
        listed=False,
    ),
    Command(
        "history.first",
        "history",
        "home",
        "select(0)",
        N_("choose the latest game, or the first"),
        listed=False,
    ),
    Command(
        "history.last",
        "history",
        "end",
        "select(-1)",
        N_("choose the first game"),
        row="history.first",
        listed=False,
    ),
    Command(
        "history.open",
        "history",
        "enter",
        "open",
        N_("look back at the chosen game, step by step"),
        NP_("key bar", "look back"),
    ),
    Command(
        "history.statistics",
        "history",
        "s",
        "statistics",
        N_("what these games add up to"),
        NP_("key bar", "statistics"),
    ),
    Command(
        "history.outcome",
        "history",
        "f",
        "narrow('outcome')",
        N_("only games that were finished, or abandoned, or all again"),
    ),
    Command(
        "history.delete",
        "history",
        "d,delete",
        "delete",
        N_("delete the chosen game for good"),
        NP_("key bar", "delete"),
    ),
)


STATISTICS: Final = (
    Command(
        "statistics.earlier",
        "statistics",
        "left,pageup,up",
        "turn(-1)",
        N_("go to the page before, or the next"),
        NP_("key bar", "pages"),
        listed=False,
    ),
    Command(
        "statistics.later",
        "statistics",
        "right,pagedown,down,space",
        "turn(1)",
        N_("go to the next page"),
        NP_("key bar", "pages"),
        row="statistics.earlier",
        listed=False,
    ),
    Command(
        "statistics.games",
        "statistics",
        "enter,s",
        "games",
        N_("the games that are added up, as a list"),
        NP_("key bar", "games"),
    ),
)


DELETION: Final = (
    Command(
        "deletion.yes", "deletion", "y", "sure(True)", N_("delete it"), NP_("key bar", "delete")
    ),
    Command(
        "deletion.no",
        "deletion",
        "n,escape,q",
        "sure(False)",
        N_("keep it"),
        NP_("key bar", "keep"),
    ),
    Command(
        "deletion.other",
        "deletion",
        "left,right",
        "other",
        N_("go to the other button"),
        listed=False,
    ),
)
