"""Bots that err as people do: they see what `master` sees, and often choose something else.

They take any answer that is not too far behind the best, a worse one less often.
"""

from typing import ClassVar

from engine.actions import Action
from engine.bots.master import Master
from engine.views import View


class Learner(Master):
    """Sees what is good, and often does something else that is not much worse."""

    name = "learner"
    iterations: ClassVar[int] = 200
    slack: ClassVar[float] = 0.25
    """How much of the victory a decision may give away at most."""

    def choose(self, view: View) -> Action:
        """Return one of the answers that are not too bad, the better ones more often."""
        weighed = self.weigh(view)
        best = weighed[0].share
        near = [each for each in weighed if each.tried and best - each.share < self.slack]
        odds = [self.slack - max(0.0, best - each.share) for each in near]
        return self.rng.choices(near, odds)[0].action if near else weighed[0].action


class Novice(Learner):
    """Knows the rules, and hardly more."""

    name = "novice"
    slack: ClassVar[float] = 0.4
