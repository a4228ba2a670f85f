"""The baseline bot: every legal answer is equally likely."""

from engine.actions import Action
from engine.bots.base import Bot
from engine.views import View


class RandomBot(Bot):
    """Chooses a random legal answer."""

    name = "random"

    def choose(self, view: View) -> Action:
        """Return a random legal answer."""
        return self.rng.choice(view.legal)
