"""Bots: players that see only the view of their seat.

`BOTS` names the bots of this package. Installed packages offer more. For measurements,
`module:Class` names any class, and `grandmaster@FILE` a bot that searches with another file's
weights.
"""

from pathlib import Path
from random import Random
from typing import Final

from engine.bots.base import Bot, KeepGoing, SearchingBot, Weighed
from engine.bots.installed import BrokenBotError, class_at, installed_bots
from engine.texts import ExplainedError, Text

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
    "novice": "engine.bots.erring_bot:Novice",
    "learner": "engine.bots.erring_bot:Learner",
    "steady": "engine.bots.steady_bot:Steady",
    "sharp": "engine.bots.sharp_bot:Sharp",
    "master": "engine.bots.master_bot:Master",
    "grandmaster": "engine.bots.master_bot:Grandmaster",
}
"""The bots of this package by name, weakest first, each with its `module:Class`."""

DEFAULT_BOT: Final = "steady"
"""The bot that fills a seat by default."""

TEACHER: Final = "grandmaster"
"""The bot that gives hints and judges decisions."""


class UnknownBotError(ExplainedError):
    """Raised if no bot has the given name. The error's sentence lists all valid names."""


def bot_names() -> tuple[str, ...]:
    """Return the names of bots that a table accepts: this package's bots, then installed ones."""
    return (*BOTS, *installed_bots(frozenset(BOTS))[0])


def is_bot(name: str) -> bool:
    """Return True if a table accepts this name as a bot.

    >>> is_bot("steady"), is_bot("nobody")
    (True, False)
    """
    # Search installed bots only for other names, since the search takes time.
    return name in BOTS or name in bot_names()


def broken_bots() -> tuple[BrokenBotError, ...]:
    """Return an error for each installed bot that cannot play."""
    return installed_bots(frozenset(BOTS))[1]


def bot_class(name: str) -> type[Bot]:
    """Return the bot class of a name, of `module:Class` or of a text like `grandmaster@FILE`.

    Raises UnknownBotError if there is no such bot. Raises BrokenBotError if the bot or the file
    cannot be loaded, or if the bot uses no weights from files.
    """
    level, at, file = name.partition("@")
    place = BOTS.get(level)
    from pkgutil import resolve_name

    bot: type[Bot] | None = None if place is None else resolve_name(place)
    if at and bot is not None:
        from engine.bots.learned_weights import learned_in
        from engine.bots.master_bot import Master

        try:
            if not issubclass(bot, Master):
                raise ValueError(name)
            learned_in(Path(file))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            template: Text = "The bot {bot!r} has no training data that can be read: reinstall it."
            raise BrokenBotError(template, bot=name) from None
    if bot is None:
        # Search for installed bots here, not at import, since the search takes time.
        bot = (
            class_at(name)
            if ":" in name and not at and not name[0].isdigit()
            else installed_bots(frozenset(BOTS))[0].get(name)
        )
    if bot is None:
        raise UnknownBotError(
            "There is no bot called {bot!r}: choose one of {bots}.",
            bot=name,
            bots=", ".join(bot_names()),
        )
    return bot


def make_bot(name: str, rng: Random, keep_going: KeepGoing | None = None) -> Bot:
    """Return a new bot for one seat of one game; raises the errors of `bot_class`.

    `keep_going` limits the time of a bot that searches (see `KeepGoing`).

    >>> from random import Random
    >>> from engine.notation import parse_view
    >>> line = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
    >>> print(make_bot("steady", Random(1)).choose(parse_view(line, 1)))
    +
    """
    bot = bot_class(name)(rng, keep_going)
    if "@" in name:
        from engine.bots.learned_weights import learned_in
        from engine.bots.master_bot import Master

        if isinstance(bot, Master):
            bot.learned = learned_in(Path(name.partition("@")[2]))
    return bot
