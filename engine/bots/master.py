"""The strongest bot: it thinks longest."""

from typing import ClassVar

from engine.bots.base import SearchingBot, Weighed
from engine.bots.search import weigh
from engine.bots.worlds import Worlds
from engine.view import View


class Master(SearchingBot):
    """Tries its answers in imagined games and takes the one that wins most of them."""

    name = "master"
    iterations: ClassVar[int] = 600

    def weigh(self, view: View) -> tuple[Weighed, ...]:
        """Return every legal answer with what it promises, the best first."""
        return weigh(view, Worlds(view, self.rng), self.rng, self.goes_on)
