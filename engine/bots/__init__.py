"""Opponents that see what a player in their seat would see, and no more.

There are our own, by name in `BOTS`, those of installed packages, and, for who measures bots, any
class by where it is, as `module:Class`, and one that searches with what another file has learned,
as `grandmaster@FILE`.
"""

from pathlib import Path
from pkgutil import resolve_name
from random import Random
from typing import Final

from engine.bots.base import Bot, KeepGoing, SearchingBot, Weighed
from engine.bots.installed import BrokenBotError, class_at, installed_bots
from engine.words import ExplainedError, Text

__all__ = [
    "BOTS",
    "DEFAULT_BOT",
    "TEACHER",
    "Bot",
    "BrokenBotError",
    "KeepGoing",
    "SearchingBot",
    "UnknownBotError",
    "Weighed",
    "bot_class",
    "bot_names",
    "broken_bots",
    "is_bot",
    "make_bot",
]

BOTS: Final = {
    "random": "engine.bots.random_bot:RandomBot",
    "novice": "engine.bots.erring:Novice",
    "learner": "engine.bots.erring:Learner",
    "steady": "engine.bots.steady:Steady",
    "sharp": "engine.bots.sharp:Sharp",
    "master": "engine.bots.master:Master",
    "grandmaster": "engine.bots.master:Grandmaster",
}
"""Our own bots by name, the weakest first: where each is, as it is loaded when it is asked for."""

DEFAULT_BOT: Final = "steady"
"""Who fills a seat unless somebody asks for another bot."""

TEACHER: Final = "grandmaster"
"""The bot that gives hints and judges what was played."""


class UnknownBotError(ExplainedError):
    """A name that no bot has; the sentence tells the names there are."""


def bot_names() -> tuple[str, ...]:
    """Return every name that a table may ask for: our own bots, and the installed ones."""
    return (*BOTS, *installed_bots(frozenset(BOTS))[0])


def is_bot(name: str) -> bool:
    """Whether a table may ask for a bot of that name.

    >>> is_bot("steady"), is_bot("nobody")
    (True, False)
    """
    # What is installed is looked for only where our own bots are not meant: that takes time.
    return name in BOTS or name in bot_names()


def broken_bots() -> tuple[BrokenBotError, ...]:
    """Return what is wrong with installed bots that are not among them."""
    return installed_bots(frozenset(BOTS))[1]


def bot_class(name: str) -> type[Bot]:
    """Return the bot of a name, at a `module:Class` or of what is in a file, as `grandmaster@FILE`.

    Raises UnknownBotError or BrokenBotError.
    """
    level, at, file = name.partition("@")
    place = BOTS.get(level)
    bot: type[Bot] | None = None if place is None else resolve_name(place)
    if at and bot is not None:
        from engine.bots.learned import learned_in
        from engine.bots.master import Master

        try:
            if not issubclass(bot, Master):
                raise ValueError(name)
            learned_in(Path(file))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            template: Text = "The bot {bot!r} has no training data that can be read."
            raise BrokenBotError(template, bot=name) from None
    if bot is None:
        # Looked for only now, as that takes time.
        bot = (
            class_at(name)
            if ":" in name and not at and not name[0].isdigit()
            else installed_bots(frozenset(BOTS))[0].get(name)
        )
    if bot is None:
        raise UnknownBotError(
            "There is no bot {name!r}; there are {bots}.",
            name=name,
            bots=", ".join(bot_names()),
        )
    return bot


def make_bot(name: str, rng: Random, keep_going: KeepGoing | None = None) -> Bot:
    """Return a new bot for one seat of one game; raises as `bot_class` does.

    `keep_going` says how long a bot that searches may think (see `KeepGoing`).

    >>> from random import Random
    >>> from engine.notation import parse_view
    >>> line = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
    >>> print(make_bot("steady", Random(1)).choose(parse_view(line, 1)))
    +
    """
    bot = bot_class(name)(rng, keep_going)
    if "@" in name:
        from engine.bots.learned import learned_in
        from engine.bots.master import Master

        if isinstance(bot, Master):
            bot.learned = learned_in(Path(name.partition("@")[2]))
    return bot
