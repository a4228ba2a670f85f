"""What the searching bots have learned from games between bots: `learned.json`, read once.

`scripts/lib/teach_bots.py` writes it.
"""

import json
from importlib.resources import files
from typing import Final

from engine.bots.beliefs import Traits
from engine.bots.evaluation import Weights

_LEARNED: Final = json.loads(
    files("engine.bots").joinpath("learned.json").read_text(encoding="utf-8")
)

BELIEFS: Final[Traits] = _LEARNED["beliefs"]
"""What a hidden card is likely to be."""

EVALUATION: Final[Weights] = _LEARNED["evaluation"]
"""What each seat may hope for when a round begins."""
