"""Games of a league: the newest generation at tables of every kind, also with all before it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from engine.arena.budget import Budget
from engine.bots import make_bot
from engine.cards import FAMILIES
from engine.edition import EDITIONS
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.position import PLACE
from engine.ranking import owners
from engine.record import Record, RecordError
from engine.view import project, view

TABLES: Final = tuple(product(((3, False), (4, False), (5, False), (4, True)), EDITIONS))
"""The kinds of tables: seats, whether two players own them all, and the edition."""

NEWEST: Final = 0.6
"""How often a player of the league is its newest."""

EXPLORED: Final = (1, 1, 1, 2, 2, 3, 0, 0, 0, 0, 0, 0)
"""The rounds in one of which a player places as chance will have it, 0 for none: what is never
tried would be judged by luck, and the best of what luck has judged seems the best. Later rounds
have variety enough."""


class RunError(Exception):
    """A run that cannot go on; the sentence says why."""


class FinishedGame(NamedTuple):
    """A game that was played to learn from it."""

    number: int
    record: str
    """The game as a line of JSON (see `Record.to_json`). One of its settings is which bots played,
    by their place in the league, which only grows."""


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """One game to learn from: all that somebody must be told to play it."""

    number: int
    seed: int
    league: tuple[str, ...]
    """Names of bots, the newest generation last."""
    iterations: int
    exploited: str = ""
    """Who has all seats but those of one player, if the newest is to learn to beat it."""

    def play(self) -> FinishedGame:
        """Play it."""
        rng = Random(f"training {self.seed} {self.number}")
        (seats, two), edition = TABLES[self.number % len(TABLES)]
        everybody = owners(seats, two=two)
        keep_going = Budget(self.iterations).keep_going()
        names = [self._name(rng) for _ in everybody]
        if self.exploited:
            names = [self.exploited] * len(everybody)
            names[rng.randrange(len(names))] = self.league[-1]
        bots = [make_bot(name, Random(rng.getrandbits(64)), keep_going) for name in names]
        player_of = {seat: player for player, own in enumerate(everybody) for seat in own}
        deal = Deal.shuffled(rng, FAMILIES[:seats], EDITIONS[edition])
        game, events = Game.start(deal), list[Event]([RoundBegan(1, deal.first)])
        told = [0] * len(everybody)
        explored = [rng.choice(EXPLORED) for _ in everybody]
        tokens = []
        while not game.over:
            player = player_of[game.turn]
            own = everybody[player]
            bots[player].observe([project(event, own) for event in events[told[player] :]])
            told[player] = len(events)
            if game.asked == PLACE and game.round == explored[player]:
                action = rng.choice(game.legal)
            else:
                action = bots[player].choose(view(game, own))
            tokens.append(action.token)
            game.advance(action, events)
        played = ",".join(str(self.league.index(name)) for name in names)
        record = Record(deal, tuple(tokens), {"two": two, "bots": played})
        return FinishedGame(self.number, record.to_json())

    def _name(self, rng: Random) -> str:
        return self.league[-1] if rng.random() < NEWEST else rng.choice(self.league)


class GamesFile:
    """The games of a generation, a line each, in the order in which they were finished."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[int, Record]:
        """Return the games there are, by number; a line at which somebody was stopped is none."""
        text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        lines = text[: text.rfind("\n") + 1].splitlines()
        try:
            found = [FinishedGame(*json.loads(line)) for line in lines]
            return {number: Record.from_json(record) for number, record in sorted(found)}
        except (ValueError, TypeError, RecursionError, RecordError) as error:
            raise RunError(f"{self._path} does not hold games of a run.") from error

    def missing(self, games: Sequence[SelfPlay]) -> Iterator[SelfPlay]:
        """Yield those that are still to be played."""
        there = self.read()
        return (game for game in games if game.number not in there)

    def add(self, game: FinishedGame) -> None:
        """Write one more, whole and at once."""
        with self._path.open("r+b" if self._path.exists() else "w+b") as file:
            text = file.read()
            file.seek(text.rfind(b"\n") + 1)
            file.truncate()
            file.write(json.dumps(game).encode() + b"\n")
