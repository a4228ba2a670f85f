"""Weighing answers by playing on from them, in worlds that could be the real one.

Each iteration deals the unknown cards anew, gives one answer there and lets the game end. Which
answer is the next to be tried follows UCB1 (Auer, Cesa-Bianchi, Fischer 2002): the one that may
still be the best, for what is known of it so far.
"""

from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import Final

from engine.bots.base import Weighed
from engine.bots.rollout import finish
from engine.bots.worlds import Worlds
from engine.position import ranking
from engine.view import View

CURIOSITY: Final = 0.5
"""How much the uncertainty about an answer counts against its mean."""


def weigh(
    view: View, worlds: Worlds, rng: Random, goes_on: Callable[[int], bool]
) -> tuple[Weighed, ...]:
    """Return the legal answers, the best first, after as many iterations as `goes_on` allows."""
    me = view.turn
    legal = list(view.legal)
    rng.shuffle(legal)
    tried = [0] * len(legal)
    sums = [0.0] * len(legal)
    made = 0
    while goes_on(made):
        if made < len(legal):
            pick = made
        else:
            logarithm = log(made)
            pick = max(
                range(len(legal)),
                key=lambda each: (
                    sums[each] / tried[each] + CURIOSITY * sqrt(logarithm / tried[each])
                ),
            )
        world = worlds.sample()
        world.advance(legal[pick])
        finish(world, rng.random)
        winners = ranking(world)[0]
        tried[pick] += 1
        sums[pick] += 1 / len(winners) if me in winners else 0.0
        made += 1
    weighed = [
        Weighed(action, total / number if number else 0.0, number)
        for action, total, number in zip(legal, sums, tried, strict=True)
    ]
    return tuple(sorted(weighed, key=lambda each: (-each.tried, -each.share)))
