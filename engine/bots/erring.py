"""Bots that err as people do: they see what `master` sees, and often choose something else.

They choose any answer that is not too far behind the best; worse answers are rarer.
"""

from typing import ClassVar

from engine.actions import Action
from engine.bots.master import Master
from engine.views import View


class Learner(Master):
    """A bot that knows the good answers, and often chooses a slightly worse one."""

    name = "learner"
    iterations: ClassVar[int] = 200
    slack: ClassVar[float] = 0.25
    """Maximum loss of a decision, as a share of the victory."""

    def choose(self, view: View) -> Action:
        """Return an answer that is good enough; better ones are more frequent."""
        weighed = self.weigh(view)
        best = weighed[0].share
        near = [each for each in weighed if each.tried and best - each.share < self.slack]
        odds = [self.slack - max(0.0, best - each.share) for each in near]
        return self.rng.choices(near, odds)[0].action if near else weighed[0].action


class Novice(Learner):
    """A beginner who knows little more than the rules."""

    name = "novice"
    slack: ClassVar[float] = 0.4
