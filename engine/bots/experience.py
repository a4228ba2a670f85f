"""Learning during one search when a card had better be revealed.

Rules of thumb begin, and what came of it takes over (PUCT, Rosin 2011, in the form of Silver et al.
2017). A seat and a card say who decides, and about what; of the searching seat's own cards it is
kept apart which answer the iteration began with. It is a search tree that forgets the order of what
happened, and so learns from far fewer iterations than one that does not.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from engine.bots.rollout import Chance, reveals
from engine.cards import Card, Seat
from engine.game import Game

CURIOSITY: Final = 0.3
"""How much a rule of thumb, and that something was seldom tried, count against what came of it."""

ALIKE: Final = 10
"""How many kinds of situations there are, by how often the rules of thumb reveal a card there."""

_Key = tuple[int, Seat, Card, int, int]


class _Record:
    """What leaving and revealing have brought so far."""

    __slots__ = "leaving", "left", "revealed", "revealing"

    def __init__(self) -> None:
        self.left = 0
        self.leaving = 0.0
        self.revealed = 0
        self.revealing = 0.0


class Experience:
    """What the iterations of one search have taught about leaving and revealing."""

    def __init__(self, mine: Sequence[Seat], chance: Chance) -> None:
        self._mine = mine
        self._chance = chance
        self._records: dict[_Key, _Record] = {}
        self._answer = 0
        self._path: list[tuple[_Record, bool, Seat]] = []

    def begin(self, answer: int) -> None:
        """Begin an iteration, with the answer of this number."""
        self._answer = answer
        self._path = []

    def reveals(self, game: Game) -> bool:
        """Return whether to reveal the card that is asked about in this iteration."""
        seat = game.turn
        likely = reveals(game)
        own = self._answer if seat in self._mine else -1
        key = own, seat, game.queue[game.at][1], game.round, int(likely * ALIKE)
        record = self._records.get(key)
        if record is None:
            record = self._records[key] = _Record()
        tried = record.left + record.revealed
        if tried == 0:
            reveal = self._chance() < likely
        else:
            # What has not been tried yet is taken to be as good as the rest.
            mean = (record.leaving + record.revealing) / tried
            leaving = record.leaving / record.left if record.left else mean
            revealing = record.revealing / record.revealed if record.revealed else mean
            curiosity = CURIOSITY * sqrt(tried)
            reveal = revealing + curiosity * likely / (1 + record.revealed) > (
                leaving + curiosity * (1 - likely) / (1 + record.left)
            )
        self._path.append((record, reveal, seat))
        return reveal

    def learn(self, values: Sequence[float]) -> None:
        """End the iteration, in which this came of it for each seat."""
        for record, revealed, seat in self._path:
            if revealed:
                record.revealed += 1
                record.revealing += values[seat]
            else:
                record.left += 1
                record.leaving += values[seat]
