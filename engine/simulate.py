"""Many games between bots, each of which can be played again from its number alone.

The randomness of a game comes from the seed of its series and its number in it, so the games
of a series may be played in any order, or at the same time, and stay the same. Nothing is
written here: lines of a trace go to whoever asked for them.

>>> series = Series(games=20, players=4, edition=2, seed=3, bots=("steady", "random"))
>>> tally = BotTally()
>>> for played in simulate(series):
...     tally.add(played)
...
>>> [(standing.bot, standing.seats, standing.wins) for standing in tally.standings()]
[('steady', 20, 19.0), ('random', 60, 1.0)]
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
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
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.legal import IllegalAction, why_not
from engine.notation import format_position
from engine.ranking import ranking
from engine.record import trace_deal, trace_result, trace_step
from engine.view import project, view
from engine.words import N_, ExplainedError

WriteLine = Callable[[str], object]
"""Takes one line of a trace, without its line break."""

MakeBot = Callable[[str, Random], Bot]
"""Makes the bot of a name, for one seat of one game."""

NORMAL_95: Final = 1.959963984540054
"""How many standard deviations either side of a normal mean 95 % lie within."""

SAME: Final = 1e-9
"""The squared difference of wins, for each seat, below which it comes from rounding."""


@dataclass(frozen=True, slots=True)
class Series:
    """What is to be played: every game follows from this and its number, counted from 0."""

    games: int
    players: int | None = None
    """How many seats a game has, 3 to 5; None is each in turn."""
    edition: int | None = None
    """The edition that is played, 1 or 2; None is each in turn."""
    seed: int = 0
    bots: tuple[str, ...] = ()
    """Names of the bots that play (see `seating`); none means that all are `random`."""
    same_deals: bool = False
    """Whether a deal is played once in each rotation of the seats, before the next is dealt."""

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

        Fewer names than seats are filled up with `random`; with more, they take turns at sitting
        out. From one game of a kind to the next everybody moves on by one seat: in as many games as
        there are names, each name has been in each seat once. With `same_deals`, who sits beside
        whom is drawn anew for each deal.
        """
        players, _, earlier = self.kind(number)
        names = [*self.bots, *(RandomBot.name,) * (players - len(self.bots))]
        if self.same_deals:
            self.rng(self.deal_number(number), "order").shuffle(names)
        return tuple(names[(seat + earlier) % len(names)] for seat in range(players))

    def deal_number(self, number: int) -> int:
        """Return which deal is played in a game, counted from 0 in the games of its kind."""
        players, _, earlier = self.kind(number)
        return earlier // players if self.same_deals else number

    def deal(self, number: int) -> Deal:
        """Return the cards and the first player, who is random, of a game."""
        players, edition, _ = self.kind(number)
        rng = self.rng(self.deal_number(number), "deal")
        return Deal.shuffled(rng, FAMILIES[:players], EDITIONS[edition])

    def rng(self, number: int, use: str) -> Random:
        """Return the randomness of one game for one use, independent of every other."""
        return Random(f"driflamme {self.seed} {number} {use}")


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game of a series."""

    number: int
    deal: Deal
    bots: tuple[str, ...]
    """The bot in each seat."""
    actions: tuple[Action, ...]
    """Every decision, in order."""
    end: Game

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won; more than one share the victory."""
        return ranking(self.end)[0]


class BotFailedError(ExplainedError):
    """A bot broke down in the middle of a game, or broke the rules."""


def simulate(series: Series, trace: WriteLine | None = None) -> Iterator[Played]:
    """Play every game of a series, writing its trace as it goes."""
    for number in range(series.games):
        yield play_game(series, number, trace)


def play_game(
    series: Series, number: int, trace: WriteLine | None = None, make: MakeBot = make_bot
) -> Played:
    """Play one game of a series; raises BotFailedError if a bot does not give a legal answer."""
    deal = series.deal(number)
    names = series.seating(number)
    bots: list[Bot] = [
        make(name, series.rng(number, f"seat {seat}")) for seat, name in enumerate(names)
    ]
    game = Game.start(deal)
    actions: list[Action] = []
    events: list[Event] = [RoundBegan(1, deal.first)]
    told = [0] * len(bots)
    listening = [type(bot).observe is not Bot.observe for bot in bots]
    if trace is not None:
        trace(trace_deal(number, deal))
    while not game.over:
        try:
            seat = game.turn
            if listening[seat]:
                news = [project(event, seat) for event in events[told[seat] :]]
                bots[seat].observe(news)
                told[seat] = len(events)
            action = bots[seat].choose(view(game, seat))
            refusal = None if action in game.legal else why_not(game, action)
            if refusal is not None:
                raise IllegalAction(refusal)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise BotFailedError(
                N_("The bot {bot!r} failed in game {game}, at {position} ({why})."),
                bot=names[game.turn],
                game=number,
                position=format_position(game),
                why=why,
            ) from error
        if trace is not None:
            trace(trace_step(game, action))
        actions.append(action)
        game.advance(action, events if any(listening) else None)
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
    worth: float
    """How many seats, if each had won or lost alone, would leave as much to chance."""

    @property
    def share(self) -> float:
        """Wins for each time that it sat down."""
        return self.wins / self.seats

    @property
    def interval(self) -> tuple[float, float]:
        """The share between which bounds the bot's true strength lies, 95 times in 100."""
        return wilson_interval(self.share * self.worth, self.worth)


class BotTally:
    """Adds up games as they are finished; what was played with one deal belongs together."""

    def __init__(self) -> None:
        self.games = 0
        self.decisions = 0
        """How many times a bot had two answers or more."""
        self._deals: dict[str, dict[Hashable, tuple[int, float]]] = {}
        """By bot and deal, its seats and its wins."""
        self._par: dict[str, float] = {}

    def add(self, played: Played) -> None:
        """Count one more game, the only one of its deal."""
        self.count(played.bots, played.winners, len(played.actions), played.number)

    def count(
        self, bots: Sequence[str], winners: Sequence[Seat], decisions: int, deal: Hashable
    ) -> None:
        """Count one more game, by who sat where, the seats that won, and what says its deal."""
        self.games += 1
        self.decisions += decisions
        for seat, bot in enumerate(bots):
            won = 1 / len(winners) if seat in winners else 0.0
            deals = self._deals.setdefault(bot, {})
            seats, wins = deals.get(deal, (0, 0.0))
            deals[deal] = (seats + 1, wins + won)
            self._par[bot] = self._par.get(bot, 0.0) + 1 / len(bots)

    def standings(self) -> list[Standing]:
        """Return how each bot did, the best first."""
        found = []
        for bot, its_deals in self._deals.items():
            deals = list(its_deals.values())
            seats, wins = sum(seats for seats, _ in deals), sum(wins for _, wins in deals)
            par = self._par[bot] / seats
            found.append(Standing(bot, seats, wins, par, independent_seats(deals)))
        return sorted(found, key=lambda standing: (-standing.share, standing.bot))


def independent_seats(deals: Sequence[tuple[int, float]]) -> float:
    """Return how many seats that win or lose alone would leave as much to chance as these deals.

    A deal is its seats and its wins, and counts as one draw: the variance of a ratio over such
    clusters (Cochran 1977, 6.3) says how much the share of wins moves from deal to deal, and for
    few deals Student's quantile stands for the normal one. Where nothing moves, a deal is worth one
    seat.
    """
    count = len(deals)
    seats = sum(seats for seats, _ in deals)
    share = sum(wins for _, wins in deals) / seats
    squares = sum((wins - share * seats) ** 2 for seats, wins in deals)
    if count < 2 or squares < SAME * seats:
        return count
    variance = squares * count / (count - 1) / seats**2
    return share * (1 - share) / variance * (NORMAL_95 / student_95(count - 1)) ** 2


def student_95(degrees: int) -> float:
    """Return the bound of the middle 95 % of Student's distribution; from 2 degrees on to 3 %.

    The first terms of its expansion about the normal one (Abramowitz and Stegun 1964, 26.7.5).
    """
    z = NORMAL_95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3


def wilson_interval(wins: float, seats: float) -> tuple[float, float]:
    """Return the Wilson score interval, at 95 %, of a share of wins (Wilson 1927).

    >>> [round(bound, 3) for bound in wilson_interval(wins=19, seats=20)]
    [0.764, 0.991]
    """
    share = wins / seats
    squared = NORMAL_95**2 / seats
    middle = (share + squared / 2) / (1 + squared)
    reach = sqrt(share * (1 - share) * squared + squared**2 / 4) / (1 + squared)
    return max(0.0, middle - reach), min(1.0, middle + reach)
