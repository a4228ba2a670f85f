"""What the levels of bots are called, and how they play, in words."""

from typing import Final

from driflamme_tui.text.i18n import NP_, _, pgettext
from engine.bots import bot_names
from engine.words import N_

LEVEL: Final = "level of bot"
"""The context in which levels are translated: eight columns at most, if there is no short name."""

_NAMES: Final = {
    "random": NP_("level of bot", "Random"),
    "novice": NP_("level of bot", "Novice"),
    "learner": NP_("level of bot", "Learner"),
    "steady": NP_("level of bot", "Steady"),
    "sharp": NP_("level of bot", "Sharp"),
    "master": NP_("level of bot", "Master"),
    "grandmaster": NP_("level of bot", "Grandmaster"),
    "even": NP_("level of bot", "Even"),
}

_FORMER: Final = {
    "cautious": NP_("level of bot", "Cautious"),
    "greedy": NP_("level of bot", "Greedy"),
    "vengeful": NP_("level of bot", "Vengeful"),
}
"""Levels that there are in records only."""

_SHORT: Final = {"grandmaster": NP_("level of bot", "Grand M.")}

_NOTES: Final = {
    "random": N_("Random takes any move the rules allow: it is easy to beat."),
    "novice": N_("Novice knows the rules and often errs: for a first game."),
    "learner": N_("Learner sees what is good and does not always do it: easy to beat."),
    "steady": N_("Steady weighs gains and dangers: a fair opponent."),
    "sharp": N_("Sharp tries every move out in imagined games: hard to beat."),
    "master": N_("Master has learned from many games what is likely: very hard to beat."),
    "grandmaster": N_("Grandmaster reads what all do, and cannot be read: the strongest."),
    "even": N_("Even is as strong as you are, by your past games."),
}


def bot_name(bot: str) -> str:
    """Return what a level is called; a bot of another package goes by its own name."""
    name = _NAMES.get(bot) or _FORMER.get(bot)
    return bot if name is None else pgettext(LEVEL, name)


def short_bot_name(bot: str) -> str:
    """Return what a level is called where there is little room."""
    return pgettext(LEVEL, _SHORT[bot]) if bot in _SHORT else bot_name(bot)


def bot_note(bot: str) -> str:
    """Return how a kind of bot plays; "" for one that nothing is known of."""
    return _(_NOTES[bot]) if bot in _NOTES else ""


def bot_called(text: str) -> str:
    """Return the bot that somebody means who typed its name, in whichever language; or ""."""
    wanted = text.strip().casefold()
    for bot in (*_NAMES, *bot_names()):
        if wanted in (bot, bot_name(bot).casefold()):
            return bot
    return ""
