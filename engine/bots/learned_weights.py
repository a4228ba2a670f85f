"""Loads the learned weights of searching bots, once.

`learned.json` and `grandmaster.json` are generations of one run of `scripts/train`. Each file names
the command that made it. The files name cards by their letters. A missing weight counts as 0: the
card is then as likely as by chance.
"""

import json
from functools import cache
from pathlib import Path
from pkgutil import get_data
from typing import Final, NamedTuple

from engine.bots.beliefs import Traits
from engine.bots.win_expectation import Weights
from engine.cards import ROUNDS

LARGEST: Final = 100.0
"""An upper bound of all weights. Sums of larger weights would overflow `exp`."""


class Learned(NamedTuple):
    """The weights of one generation. Its file may have other fields, such as its origin."""

    win_expectation: Weights
    """The weights of a seat's terms when a round begins (see `win_expectation.py`)."""
    beliefs: Traits
    """For each trait of a place, the weights of the cards that may be hidden there (see
    `beliefs.py`).
    """
    history: Traits
    """Like `beliefs`, for places whose history is known."""


def _of(text: str | bytes) -> Learned:
    found = json.loads(text)
    return Learned(*(found[name] for name in Learned._fields))


@cache
def learned_in(path: Path) -> Learned:
    """Return the weights in a file; raises OSError if it cannot be read.

    Invalid content raises ValueError, LookupError, TypeError, AttributeError or RecursionError.
    """
    learned = _of(path.read_text(encoding="utf-8"))
    weights, *traits = learned
    rows = [*weights, *(row for each in traits for row in each.values())]
    usable = all(abs(number) < LARGEST for row in rows for number in row.values())
    if len(weights) != ROUNDS + 1 or not usable:
        raise ValueError(path)
    return learned


# Read without `importlib.resources`, which would double the time to import all bots.
MASTER_WEIGHTS: Final = _of(get_data("engine.bots", "learned.json") or b"{}")
"""The weights of `master`, and of the erring bots `novice` and `learner`."""

GRANDMASTER_WEIGHTS: Final = _of(get_data("engine.bots", "grandmaster.json") or b"{}")
"""The weights of the bot `grandmaster`."""
