"""Plays games of the newest generation, alone and with earlier ones, at every kind of table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Final

from engine.actions import Action
from engine.arena.contest import Budget, play_out
from engine.bots import Bot, make_bot
from engine.cards import FAMILIES
from engine.edition import EDITIONS
from engine.events import Event
from engine.game import Deal
from engine.position import PLACE
from engine.ranking import owners
from engine.record import Record
from engine.views import View

TABLES: Final = tuple(product(((3, False), (4, False), (5, False), (4, True)), EDITIONS))
"""The kinds of tables: number of seats, True if two players own all seats, and the edition."""

NEWEST: Final = 0.6
"""Probability that a seat gets the newest generation; otherwise it gets a random bot of the
league.
"""

EXPLORED_ROUNDS: Final = (1, 1, 1, 2, 2, 3, 0, 0, 0, 0, 0, 0)
"""The rounds from which chance draws the one in which a player places at random; 0 means no round.
Answers that are never tried would be judged by luck, and the luckiest would seem best. Later rounds
have enough variety.
"""


class Exploring(Bot):
    """A bot that places at random in one round, and otherwise plays like another bot."""

    def __init__(self, rng: Random, bot: Bot, round: int) -> None:
        super().__init__(rng)
        self.bot = bot
        self.round = round

    def observe(self, events: Sequence[Event]) -> None:
        """Pass the events on to the other bot."""
        self.bot.observe(events)

    def choose(self, view: View) -> Action:
        """Return a random placement in the chosen round; otherwise the other bot's answer."""
        if view.question == PLACE and view.round == self.round:
            return self.rng.choice(view.legal)
        return self.bot.choose(view)


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """One game of self-play, with everything that a worker needs to play it."""

    number: int
    seed: int
    league: tuple[str, ...]
    """Names of bots, the newest generation last."""
    iterations: int
    exploited: str = ""
    """The bot in all seats except one player's seats, when the newest generation learns to beat
    that bot; "" otherwise.
    """

    def play(self) -> tuple[int, str]:
        """Play the game, and return its number and its `Record` as JSON.

        Raises BotFailedError if a bot crashes or returns an illegal answer.

        The record's setting `bots` names each player's bot by its index in the league. The league
        only grows, so an index keeps its meaning.
        """
        rng = Random(f"training {self.seed} {self.number}")
        (seats, two), edition = TABLES[self.number % len(TABLES)]
        everybody = owners(seats, two=two)
        keep_going = Budget(self.iterations).keep_going()
        names = [self._name(rng) for _ in everybody]
        if self.exploited:
            names = [self.exploited] * len(everybody)
            names[rng.randrange(len(names))] = self.league[-1]
        bots = [make_bot(name, Random(rng.getrandbits(64)), keep_going) for name in names]
        deal = Deal.shuffled(rng, FAMILIES[:seats], EDITIONS[edition])
        explorers = [Exploring(rng, bot, rng.choice(EXPLORED_ROUNDS)) for bot in bots]
        played = play_out(self.number, deal, tuple(names), explorers)
        seated = ",".join(str(self.league.index(name)) for name in names)
        tokens = tuple(action.token for action in played.actions)
        record = Record(deal, tokens, {"two": two, "bots": seated})
        return self.number, record.to_json()

    def _name(self, rng: Random) -> str:
        return self.league[-1] if rng.random() < NEWEST else rng.choice(self.league)
