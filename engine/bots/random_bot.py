"""The bot that any other must beat: every legal answer is as likely as the next."""

from engine.actions import Action
from engine.bots.base import Bot
from engine.views import View


class RandomBot(Bot):
    """Picks blindly among its legal answers."""

    name = "random"

    def choose(self, view: View) -> Action:
        """Return any legal answer."""
        return self.rng.choice(view.legal)
