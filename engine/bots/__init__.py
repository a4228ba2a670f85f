"""Opponents that see what a player in their seat would see, and no more."""

from random import Random
from typing import Final

from engine.bots.base import Bot, KeepGoing, SearchingBot, Weighed
from engine.bots.master import Master
from engine.bots.random_bot import RandomBot
from engine.bots.sharp import Sharp
from engine.bots.steady import Steady
from engine.words import N_, ExplainedError

__all__ = [
    "BOTS",
    "DEFAULT_BOT",
    "Bot",
    "KeepGoing",
    "SearchingBot",
    "UnknownBotError",
    "Weighed",
    "bot_class",
    "make_bot",
]

BOTS: Final[dict[str, type[Bot]]] = {bot.name: bot for bot in (RandomBot, Steady, Sharp, Master)}
"""Every bot by its name, the weakest first."""

DEFAULT_BOT: Final = Steady.name
"""Who fills a seat unless somebody asks for another bot."""


class UnknownBotError(ExplainedError):
    """A name that no bot has; the sentence tells the names there are."""


def bot_class(name: str) -> type[Bot]:
    """Return the bot of that name; raises UnknownBotError."""
    bot = BOTS.get(name)
    if bot is None:
        raise UnknownBotError(
            N_("There is no bot {name!r}; there are {bots}."), name=name, bots=", ".join(BOTS)
        )
    return bot


def make_bot(name: str, rng: Random, keep_going: KeepGoing | None = None) -> Bot:
    """Return a new bot for one seat of one game; raises UnknownBotError.

    `keep_going` says how long a bot that searches may think (see `KeepGoing`).
    """
    return bot_class(name)(rng, keep_going)
