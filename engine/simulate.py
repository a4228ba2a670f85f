"""Many games between bots, each of which can be played again from its number alone.

The randomness of a game comes from the seed of its series and its number in it, so the games
of a series may be played in any order, or at the same time, and stay the same. Nothing is
written here: lines of a trace go to whoever asked for them.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import sqrt
from random import Random
from typing import Final

from engine.actions import Action
from engine.bots import Bot, bot_class, make_bot
from engine.bots.random_bot import RandomBot
from engine.cards import FAMILIES, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, Seat
from engine.edition import EDITIONS
from engine.game import Deal, Game
from engine.legal import IllegalAction, why_not
from engine.position import ranking
from engine.record import trace_deal, trace_result, trace_step
from engine.view import view

WriteLine = Callable[[str], object]
"""Takes one line of a trace, without its line break."""

NORMAL_95: Final = 1.959963984540054
"""Standard deviations on either side of a normal mean between which 95 % lie."""


@dataclass(frozen=True, slots=True)
class Series:
    """What is to be played: every game follows from this and its number, counted from 0."""

    games: int
    players: int | None = None
    """3 to 5, or None: each in turn."""
    edition: int | None = None
    """1 or 2, or None: each in turn."""
    seed: int = 0
    bots: tuple[str, ...] = ()
    """Names of the bots that play (see `seating`); none means that all are `random`."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range, UnknownBotError for a name that no bot has."""
        if self.games < 1:
            raise ValueError(f"a series has 1 game or more, not {self.games}")
        if self.players not in (None, *range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1)):
            raise ValueError(f"a game has 3 to 5 players, not {self.players}")
        if self.edition not in (None, *EDITIONS):
            raise ValueError(f"there is no edition {self.edition}")
        for name in self.bots:
            bot_class(name)

    def kind(self, number: int) -> tuple[int, int, int]:
        """Return the players and the edition of a game, and how many games before it had both.

        Mixed players and editions take turns, so that there are as many games of each kind.
        """
        players = (
            range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1) if self.players is None else [self.players]
        )
        kinds = list(product(players, EDITIONS if self.edition is None else [self.edition]))
        earlier, kind = divmod(number, len(kinds))
        return *kinds[kind], earlier

    def seating(self, number: int) -> tuple[str, ...]:
        """Return the name of the bot in each seat of a game.

        Fewer names than seats are filled up with `random`, so one name alone plays against
        random bots. From one game of a kind to the next everybody moves on by one seat: in as
        many games as there are names, each name has been in each seat once. With more names
        than seats, they take turns at sitting out.
        """
        players, _, earlier = self.kind(number)
        names = self.bots + (RandomBot.name,) * (players - len(self.bots))
        return tuple(names[(seat + earlier) % len(names)] for seat in range(players))

    def deal(self, number: int) -> Deal:
        """Return the cards and the first player, who is random, of a game."""
        players, edition, _ = self.kind(number)
        return Deal.shuffled(self.rng(number, "deal"), FAMILIES[:players], EDITIONS[edition])

    def rng(self, number: int, use: str) -> Random:
        """Return the randomness of one game for one use, independent of every other."""
        return Random(f"driflamme {self.seed} {number} {use}")


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game of a series."""

    number: int
    deal: Deal
    bots: tuple[str, ...]
    """By seat."""
    actions: tuple[Action, ...]
    """Every decision, in order."""
    end: Game

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won; more than one share the victory."""
        return ranking(self.end)[0]


def simulate(series: Series, trace: WriteLine | None = None) -> Iterator[Played]:
    """Play every game of a series, writing its trace as it goes."""
    for number in range(series.games):
        yield play_game(series, number, trace)


def play_game(series: Series, number: int, trace: WriteLine | None = None) -> Played:
    """Play one game of a series; raises IllegalAction if a bot breaks the rules."""
    deal = series.deal(number)
    names = series.seating(number)
    bots: list[Bot] = [
        make_bot(name, series.rng(number, f"seat {seat}")) for seat, name in enumerate(names)
    ]
    game = Game.start(deal)
    actions: list[Action] = []
    if trace is not None:
        trace(trace_deal(number, deal))
    while not game.over:
        action = bots[game.turn].choose(view(game, game.turn))
        refusal = None if action in game.legal else why_not(game, action)
        if refusal is not None:
            raise IllegalAction(refusal)
        if trace is not None:
            trace(trace_step(game, action))
        actions.append(action)
        game.advance(action)
    if trace is not None:
        trace(trace_result(game))
    return Played(number, deal, names, tuple(actions), game)


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot did in a series, all its seats taken together."""

    bot: str
    seats: int
    """How many times it sat down; more than once in a game if it was named so often."""
    wins: float
    """A victory shared by so many seats counts as that part of one for each of them."""
    par: float
    """The share of wins that falls to each seat if all play equally well."""

    @property
    def share(self) -> float:
        """Wins for each time that it sat down."""
        return self.wins / self.seats

    @property
    def interval(self) -> tuple[float, float]:
        """The share between which bounds the bot's true strength lies, 95 times in 100."""
        return wilson_interval(self.wins, self.seats)


class Tally:
    """Adds up the games of a series as they are finished."""

    def __init__(self) -> None:
        self.games = 0
        self.decisions = 0
        """Real ones: those where a bot had two answers or more."""
        self._seats: Counter[str] = Counter()
        self._wins: dict[str, float] = {}
        self._par: dict[str, float] = {}

    def add(self, played: Played) -> None:
        """Count one more game."""
        self.games += 1
        self.decisions += len(played.actions)
        for seat, bot in enumerate(played.bots):
            won = 1 / len(played.winners) if seat in played.winners else 0.0
            self._seats[bot] += 1
            self._wins[bot] = self._wins.get(bot, 0.0) + won
            self._par[bot] = self._par.get(bot, 0.0) + 1 / len(played.bots)

    def standings(self) -> list[Standing]:
        """Return how each bot did, the best first."""
        found = [
            Standing(bot, seats, self._wins[bot], self._par[bot] / seats)
            for bot, seats in self._seats.items()
        ]
        return sorted(found, key=lambda standing: (-standing.share, standing.bot))


def wilson_interval(wins: float, seats: int) -> tuple[float, float]:
    """Return the Wilson score interval, at 95 %, of a share of wins (Wilson 1927).

    Parts of a win, and a bot's several seats in one game, are counted as if each seat had won
    or lost alone. A seat's share varies less than that, and of seats in one game only one wins,
    so the interval is, if anything, too wide.
    """
    share = wins / seats
    squared = NORMAL_95**2 / seats
    middle = (share + squared / 2) / (1 + squared)
    reach = sqrt(share * (1 - share) * squared + squared**2 / 4) / (1 + squared)
    return max(0.0, middle - reach), min(1.0, middle + reach)
