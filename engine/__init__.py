"""The game itself: rules, views, notation, records and bots, in plain Python.

Nothing here does input or output, reads a clock, starts a task or knows of a network or a
screen. Randomness is always handed in as a `random.Random`. With these names one begins; modules of
the engine import each other, and no bot imports them from here.
"""

from engine.game import Deal, Game
from engine.notation import parse_position
from engine.view import view

__all__ = ["Deal", "Game", "parse_position", "view"]
