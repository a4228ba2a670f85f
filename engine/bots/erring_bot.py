"""Bots that err as human players do: they search like `master`, but often choose a worse answer.

These bots consider every answer that is not too far behind the best. The worse an answer is, the
more rarely a bot chooses it.
"""

from typing import ClassVar

from engine.actions import Action
from engine.bots.master_bot import Master
from engine.views import View


class Learner(Master):
    """A bot that often chooses an answer slightly worse than the best."""

    name = "learner"
    iterations: ClassVar[int] = 200
    slack: ClassVar[float] = 0.25
    """Maximum loss of an answer that the bot may choose, as a share of the victory."""

    def choose(self, view: View) -> Action:
        """Return an answer less than `slack` worse than the best; better ones are more likely."""
        weighed = self.weigh(view)
        best = weighed[0].share
        near = [each for each in weighed if each.tried and best - each.share < self.slack]
        odds = [self.slack - max(0.0, best - each.share) for each in near]
        return self.rng.choices(near, odds)[0].action if near else weighed[0].action


class Novice(Learner):
    """A bot that chooses worse answers than `Learner`, as a beginner does."""

    name = "novice"
    slack: ClassVar[float] = 0.4
