"""A bot that looks ahead, and takes every possible deal of the unknown cards for equally likely."""

from typing import ClassVar

from engine.bots.base import SearchingBot, Weighed
from engine.bots.search import weigh
from engine.bots.worlds import Worlds
from engine.view import View


class Sharp(SearchingBot):
    """Tries its answers in imagined games and takes the one that wins most of them."""

    name = "sharp"
    iterations: ClassVar[int] = 150

    def weigh(self, view: View) -> tuple[Weighed, ...]:
        """Return every legal answer with what it promises, the best first."""
        return weigh(view, Worlds(view, self.rng), self.rng, self.goes_on)
