"""What the searching bots have learned from games between bots, read once.

`learned.json` and `grandmaster.json` are generations of one run of `scripts/train`, each with the
command that made it. Cards stand there by letter: one of which it says nothing counts as much as
chance would have it.
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
"""What no weight reaches; exp of a few such would be beyond all numbers."""


class Learned(NamedTuple):
    """What a generation has learned; a file of it may say more, such as how it came about."""

    win_expectation: Weights
    """What each thing that a seat has counts when a round begins (see `win_expectation.py`)."""
    beliefs: Traits
    """What each trait of a place says of the card hidden there (see `beliefs.py`)."""
    history: Traits
    """The same, where it is known how the card came there and what was done with it since."""


def _of(text: str | bytes) -> Learned:
    found = json.loads(text)
    return Learned(*(found[name] for name in Learned._fields))


@cache
def learned_in(path: Path) -> Learned:
    """Return what a file holds.

    Raises OSError, ValueError, LookupError, TypeError, AttributeError or RecursionError.
    """
    learned = _of(path.read_text(encoding="utf-8"))
    weights, *traits = learned
    rows = [*weights, *(row for each in traits for row in each.values())]
    usable = all(abs(number) < LARGEST for row in rows for number in row.values())
    if len(weights) != ROUNDS + 1 or not usable:
        raise ValueError(path)
    return learned


# Half the time to import all bots is saved by not asking `importlib.resources`.
LEARNED: Final = _of(get_data("engine.bots", "learned.json") or b"{}")
"""What `master` has learned, and those who err."""

TRAINED: Final = _of(get_data("engine.bots", "grandmaster.json") or b"{}")
"""What `grandmaster` has learned."""
