"""What the levels of bots are called, and how they play, in words."""

from typing import Final

from driflamme_tui.text.i18n import NP_, _, pgettext
from engine.bots import bot_names
from engine.words import N_

LEVEL: Final = "level of bot"
"""The context in which levels are translated: eight columns at most."""

_NAMES: Final = {
    "random": NP_("level of bot", "Random"),
    "steady": NP_("level of bot", "Steady"),
    "sharp": NP_("level of bot", "Sharp"),
    "master": NP_("level of bot", "Master"),
    "grandmaster": NP_("level of bot", "Grand M."),
}

_NOTES: Final = {
    "random": N_("Random takes any move the rules allow: it is easy to beat."),
    "steady": N_("Steady weighs gains and dangers: a fair opponent."),
    "sharp": N_("Sharp tries every move out in imagined games: hard to beat."),
    "master": N_("Master has learned from many games what is likely: very hard to beat."),
    "grandmaster": N_("Grand M. reads what all do, and cannot be read: the strongest."),
}


def bot_name(bot: str) -> str:
    """Return what a level is called; a bot of another package goes by its own name."""
    return pgettext(LEVEL, _NAMES[bot]) if bot in _NAMES else bot


def bot_note(bot: str) -> str:
    """Return how a kind of bot plays; "" for one that nothing is known of."""
    return _(_NOTES[bot]) if bot in _NOTES else ""


def bot_called(text: str) -> str:
    """Return the bot that somebody means who typed its name, in whichever language; or ""."""
    wanted = text.strip().casefold()
    for bot in bot_names():
        if wanted in (bot, bot_name(bot).casefold()):
            return bot
    return ""
