"""What the searching bots have learned from games between bots: `learned.json`, read once.

`scripts/lib/teach_bots.py` writes it. Cards stand there by letter: one that it says nothing about
counts as much as chance would have it.
"""

import json
from pkgutil import get_data
from typing import Final

from engine.bots.beliefs import Traits
from engine.bots.win_expectation import Weights

# Half the time to import all bots is saved by not asking `importlib.resources`.
_LEARNED: Final = json.loads(get_data("engine.bots", "learned.json") or b"{}")

BELIEFS: Final[Traits] = _LEARNED["beliefs"]
"""What each trait of a place says of the card hidden there (see `beliefs.py`)."""

WIN_EXPECTATION: Final[Weights] = _LEARNED["win_expectation"]
"""What each thing that a seat has counts when a round begins (see `win_expectation.py`)."""
