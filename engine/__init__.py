"""The game itself: rules, views, notation, records and bots, in plain Python.

The rules, views, notation and records do no input or output, read no clock and start no task, nor
does a bot that chooses; `arena` and `training` do, which measure and train bots. Nothing here knows
of a network or a screen. Randomness is always handed in as a `random.Random`. With these names one
begins; modules of the engine import each other, and no bot imports them from here.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.game import Deal, Game
    from engine.notation import parse_position
    from engine.views import view

__all__ = ["Deal", "Game", "parse_position", "view"]


def __getattr__(name: str) -> object:
    """Import what one begins with when it is used: a command line's help needs no game."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from engine import game, notation, views

    return next(vars(each)[name] for each in (game, views, notation) if name in vars(each))
