"""The game itself: rules, views, notation, records and bots, in plain Python.

Only `arena` and `training`, which measure and train bots, write files, read clocks or start
processes. Other modules do no input or output, except that they load installed bots and the data
files of this package. No module imports network or screen code.

Callers pass randomness in as a `random.Random`. This module exports the names that users of the
engine need first. Modules of the engine import each other directly, and no bot imports from here.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.game import Deal, Game
    from engine.notation import parse_position
    from engine.views import view

__all__ = ["Deal", "Game", "parse_position", "view"]


def __getattr__(name: str) -> object:
    """Import an exported name on first use, so that a command that prints help loads no game."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from engine import game, notation, views

    return next(vars(each)[name] for each in (game, views, notation) if name in vars(each))
