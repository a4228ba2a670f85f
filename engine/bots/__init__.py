"""Opponents that see what a player in their seat would see, and no more."""

from random import Random
from typing import Final

from engine.bots.base import Bot
from engine.bots.random_bot import RandomBot
from engine.bots.steady import Steady
from engine.words import N_, ExplainedError

__all__ = ["BOTS", "DEFAULT_BOT", "Bot", "UnknownBotError", "bot_class", "make_bot"]

BOTS: Final[dict[str, type[Bot]]] = {bot.name: bot for bot in (RandomBot, Steady)}
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


def make_bot(name: str, rng: Random) -> Bot:
    """Return a new bot for one seat of one game; raises UnknownBotError."""
    return bot_class(name)(rng)
