"""Finds bots of other packages, and checks each bot before it may play.

An installed package offers its bots in the entry-point group `driflamme.bots`. A broken bot is left
out, and its error has the reason.
"""

import inspect
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.bots.base import Bot
from engine.texts import ExplainedError, Text

if TYPE_CHECKING:
    # This import takes longer than the whole engine, and few commands need it.
    from importlib.metadata import EntryPoint

GROUP: Final = "driflamme.bots"
"""The entry-point group for bots. Each entry has a name and `module:Class`."""

NAME: Final = re.compile(r"[a-z0-9-]{1,20}")
"""The pattern of bot names, as in the messages of a table."""


class BrokenBotError(ExplainedError):
    """Raised if a bot of another package cannot play, or if a file of weights cannot be used.

    The error's sentence has the reason.
    """


@cache
def installed_bots(
    taken: frozenset[str] = frozenset(),
) -> tuple[dict[str, type[Bot]], tuple[BrokenBotError, ...]]:
    """Return the installed bots by name, and an error for each bot that cannot play.

    A bot cannot play if its class cannot be loaded, or if its name is invalid or not that of its
    class. It cannot play either if its name is in `taken` or belongs to an earlier bot.
    """
    from importlib.metadata import entry_points

    bots: dict[str, type[Bot]] = {}
    problems = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        try:
            bots.setdefault(point.name, _checked(point, point.name in taken | bots.keys()))
        except BrokenBotError as error:
            problems.append(error)
    return bots, tuple(problems)


def class_at(value: str) -> type[Bot]:
    """Return the bot class at `module:Class`; raises BrokenBotError if it is no usable bot."""
    from importlib.metadata import EntryPoint

    return _load(EntryPoint(name=value, value=value, group=GROUP))


def _checked(point: "EntryPoint", taken: bool) -> type[Bot]:
    if not NAME.fullmatch(point.name):
        raise _broken(
            point, "The bot {bot!r} ({where}) needs a name of 1 to 20 characters: a-z, 0-9 and -."
        )
    if taken:
        raise _broken(
            point, "The bot {bot!r} ({where}) is left out, as another bot has that name: rename it."
        )
    bot = _load(point)
    if bot.name != point.name:
        raise _broken(
            point,
            (
                "The bot {bot!r} ({where}) is left out, as its class is called {name!r}: give both "
                "the same name."
            ),
            name=bot.name,
        )
    return bot


def _broken(point: "EntryPoint", template: Text, **more: str) -> BrokenBotError:
    return BrokenBotError(template, bot=point.name, where=point.value, **more)


def _load(point: "EntryPoint") -> type[Bot]:
    try:
        found = point.load()
    # A module may raise SystemExit during its import. Report that as a broken bot.
    except (Exception, SystemExit) as error:
        [why, *_] = str(error).splitlines() or [""]
        raise _broken(
            point,
            (
                "The bot {bot!r} ({where}) cannot be loaded ({error}: {why}): correct or uninstall "
                "it."
            ),
            error=type(error).__name__,
            why=why.removesuffix("."),
        ) from error
    if (
        not isinstance(found, type)
        or not issubclass(found, Bot)
        or inspect.isabstract(found)
        or not isinstance(getattr(found, "name", None), str)
    ):
        raise _broken(
            point,
            (
                "The bot {bot!r} ({where}) is not a subclass of Bot with a name and a choose "
                "method: correct or uninstall it."
            ),
        )
    return found
