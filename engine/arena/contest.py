"""Plays games between bots, and chooses the games of a contest.

A `Series` is a range of numbered games. A `Contest` consists of deals. Each deal is played once in
each rotation of the seats. So luck with cards and seats is equal for all bots. All randomness comes
from the seed and the number of a game or deal. So games may be played in any order and on any
machine. This module writes no file. Callers that want the lines of a trace pass a function.

>>> from engine.arena.summary import BotTally
>>> series = Series(games=20, players=4, edition=2, seed=3, bots=("steady", "random"))
>>> tally = BotTally()
>>> for played in simulate(series):
...     tally.add(played)
...
>>> [(score.bot, score.seats, score.wins) for score in tally.scores()]
[('steady', 20, 19.0), ('random', 60, 1.0)]
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Final

from engine.actions import Action
from engine.bots import Bot, KeepGoing, bot_class, make_bot
from engine.bots.random_bot import RandomBot
from engine.cards import FAMILIES, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, Seat
from engine.edition import EDITIONS
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.legal import IllegalAction, why_not
from engine.notation import format_position
from engine.ranking import each_alone, owners, places, ranking
from engine.record import trace_deal, trace_result, trace_step
from engine.texts import ExplainedError
from engine.views import project, view

WriteLine = Callable[[str], object]
"""A function that receives one line of a trace, without its line break."""

MakeBot = Callable[[str, Random], Bot]
"""A function that returns the bot of a name, for one seat of one game."""

Watch = Callable[[Game, Action], object]
"""A function that receives each decision before the game executes it."""

SIZES: Final = range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1)
"""The possible numbers of seats in a game."""

FEWEST_BOTS: Final = 2
"""Minimum number of different bots in a contest, since a bot against itself measures nothing."""


class BotFailedError(ExplainedError):
    """Raised if a bot crashed during a game, or broke the rules."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game, with its bots and decisions."""

    number: int
    deal: Deal
    bots: tuple[str, ...]
    """The bot of each player: one for each seat, or two at a table for two."""
    actions: tuple[Action, ...]
    """Every decision, in order."""
    end: Game

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won, as if each seat had its own owner. Several share the victory."""
        return ranking(self.end)[0]


def play_out(
    number: int, deal: Deal, names: tuple[str, ...], bots: Sequence[Bot], watch: Watch | None = None
) -> PlayedGame:
    """Play a deal to its end; `names` and `bots` have one item for each player.

    Two bots play at a table for two, where their seats alternate. `watch` receives each decision.
    Raises BotFailedError if a bot crashes or returns an illegal answer.
    """
    seats = len(deal.families)
    everybody = owners(seats, two=len(bots) == 2)
    player_of = {seat: player for player, own in enumerate(everybody) for seat in own}
    game = Game.start(deal)
    actions: list[Action] = []
    events: list[Event] = [RoundBegan(1, deal.first)]
    event_counts = [0] * len(bots)
    listening = [type(bot).observe is not Bot.observe for bot in bots]
    while not game.over:
        player = player_of[game.turn]
        own = everybody[player]
        try:
            if listening[player]:
                news = [project(event, own) for event in events[event_counts[player] :]]
                bots[player].observe(news)
                event_counts[player] = len(events)
            action = bots[player].choose(view(game, own))
            refusal = None if action in game.legal else why_not(game, action)
            if refusal is not None:
                raise IllegalAction(refusal)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise BotFailedError(
                "The bot {bot!r} failed in game {game}, at {position} ({why}): correct it, or "
                "leave it out.",
                bot=names[player],
                game=number,
                position=format_position(game),
                why=why,
            ) from error
        if watch is not None:
            watch(game, action)
        actions.append(action)
        game.advance(action, events if any(listening) else None)
    return PlayedGame(number, deal, names, tuple(actions), game)


def seeded_rng(seed: int, number: int, use: str) -> Random:
    """Return the random generator for one use in a game or deal, independent of all others."""
    return Random(f"driflamme {seed} {number} {use}")


@dataclass(frozen=True, slots=True)
class Series:
    """A range of games with numbers from 0. The fields and the number of a game fix its deal."""

    games: int
    players: int | None = None
    """Number of seats, 3 to 5; with None the numbers alternate."""
    edition: int | None = None
    """The edition, 1 or 2; with None the editions alternate."""
    seed: int = 0
    bots: tuple[str, ...] = ()
    """Names of the bots (see `seating`). An empty tuple stands for `random` in every seat."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range, and UnknownBotError for an unknown bot."""
        if self.games < 1:
            raise ValueError(f"a series has 1 game or more, not {self.games}")
        if self.players not in (None, *SIZES):
            raise ValueError(f"a game has 3 to 5 players, not {self.players}")
        if self.edition not in (None, *EDITIONS):
            raise ValueError(f"there is no edition {self.edition}")
        for name in self.bots:
            bot_class(name)

    def kind(self, number: int) -> tuple[int, int, int]:
        """Return the players and edition of a game, and the number of earlier games with both.

        If the number of players or the edition is None, the possible combinations take turns.
        """
        sizes = SIZES if self.players is None else (self.players,)
        editions = EDITIONS if self.edition is None else (self.edition,)
        kinds = [*itertools.product(sizes, editions)]
        earlier, kind = divmod(number, len(kinds))
        return *kinds[kind], earlier

    def seating(self, number: int) -> tuple[str, ...]:
        """Return the name of the bot in each seat of a game.

        Missing names become `random`; surplus names sit out in turn. From one game to the next with
        the same players and edition, every bot moves by one seat. After as many of these games as
        there are names, each bot has sat in each seat once.
        """
        players, _, earlier = self.kind(number)
        names = [*self.bots, *(RandomBot.name,) * (players - len(self.bots))]
        return tuple(names[(seat + earlier) % len(names)] for seat in range(players))

    def deal(self, number: int) -> Deal:
        """Return the cards and the random first player of a game."""
        players, edition, _ = self.kind(number)
        rng = seeded_rng(self.seed, number, "deal")
        return Deal.shuffled(rng, FAMILIES[:players], EDITIONS[edition])


def simulate(series: Series, trace: WriteLine | None = None) -> Iterator[PlayedGame]:
    """Yield every game of a series, played to its end; `trace` receives the lines of the trace.

    Raises BotFailedError if a bot crashes or returns an illegal answer.
    """
    for number in range(series.games):
        yield play_game(series, number, trace)


def play_game(
    series: Series, number: int, trace: WriteLine | None = None, make: MakeBot = make_bot
) -> PlayedGame:
    """Play game `number` of a series.

    `make` creates the bot of each seat; `trace` receives the lines of the game's trace. Raises
    BotFailedError if a bot crashes or returns an illegal answer.
    """
    deal, names = series.deal(number), series.seating(number)
    bots = _seated(series.seed, number, names, make)
    if trace is None:
        return play_out(number, deal, names, bots)
    trace(trace_deal(number, deal))
    played = play_out(number, deal, names, bots, lambda game, done: trace(trace_step(game, done)))
    trace(trace_result(played.end))
    return played


def _seated(seed: int, number: int, names: Sequence[str], make: MakeBot) -> list[Bot]:
    return [make(name, seeded_rng(seed, number, f"seat {at}")) for at, name in enumerate(names)]


@dataclass(frozen=True, slots=True)
class Budget:
    """The limit of a bot's thinking for each decision: seconds, or a number of iterations.

    If both are None, the bot's own number of iterations applies. If both are given, only seconds
    count.
    """

    iterations: int | None = None
    seconds: float | None = None
    """Seconds of real time; None for no time limit. A game with such a limit cannot be repeated
    exactly.
    """

    def keep_going(self) -> KeepGoing | None:
        """Return the limit as a function for a new bot; None if the bot's own number applies."""
        if self.seconds is None:
            return None if self.iterations is None else self.iterations.__gt__
        seconds, before, until = self.seconds, 0, 0.0

        def goes_on(made: int) -> bool:
            nonlocal before, until
            now = monotonic()
            if made <= before:
                # Each decision starts its own timer: `made` counts iterations from the beginning of
                # a decision.
                until = now + seconds
            before = made
            return now < until

        return goes_on


NO_LIMIT: Final = Budget()
"""The budget with which bots use their own number of iterations."""


@dataclass(frozen=True, slots=True)
class Job:
    """One deal of a contest, with everything that a worker needs to play it."""

    players: int
    edition: int
    bots: tuple[str, ...]
    """The bots of the deal, one for each seat. The deal decides which bot gets which seat."""
    deal: int
    """The number of the deal, from 0. Deals with equal numbers have equal cards in every
    line-up.
    """
    seed: int = 0
    budget: Budget = NO_LIMIT

    def cards(self) -> Deal:
        """Return the cards and the random first player."""
        rng = seeded_rng(self.seed, self.deal, "deal")
        return Deal.shuffled(rng, FAMILIES[: self.players], EDITIONS[self.edition])

    def seatings(self) -> list[tuple[str, ...]]:
        """Return the seatings of all rotations; each lists the bot in each seat."""
        names = [*self.bots]
        seeded_rng(self.seed, self.deal, "order").shuffle(names)
        return [(*names[turn:], *names[:turn]) for turn in range(self.players)]

    def play(self) -> "DealResult":
        """Play the deal once in each rotation.

        Raises BotFailedError if a bot crashes or returns an illegal answer.
        """

        def make(name: str, rng: Random) -> Bot:
            return make_bot(name, rng, self.budget.keep_going())

        games = []
        for number, names in enumerate(self.seatings(), self.deal * self.players):
            bots = _seated(self.seed, number, names, make)
            played = play_out(number, self.cards(), names, bots)
            found = places(played.end, each_alone(self.players))
            influence = tuple(played.end.pools)
            games.append(GameResult(names, found, influence, len(played.actions)))
        return DealResult(self, tuple(games))


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game of a contest."""

    seats: tuple[str, ...]
    """The bot in each seat."""
    places: tuple[int, ...]
    """The place of the bot in each seat, from 1. Several seats may share a place."""
    influence: tuple[int, ...]
    """The influence of each seat at the end."""
    decisions: int
    """Number of decisions, of all seats, with two or more legal answers."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won. Several seats share the victory."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


@dataclass(frozen=True, slots=True)
class DealResult:
    """The results of one deal in all rotations."""

    job: Job
    games: tuple[GameResult, ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """The settings of a contest between bots."""

    bots: tuple[str, ...]
    games: int
    """Minimum number of games of each line-up. The contest rounds it up to whole deals."""
    players: tuple[int, ...] = (4,)
    editions: tuple[int, ...] = (2,)
    seed: int = 0
    pairs: tuple[tuple[str, str], ...] = ()
    """Pairs of bots: the first has one seat, the second has all others. Without pairs every bot
    meets every other.
    """
    budget: Budget = NO_LIMIT

    def __post_init__(self) -> None:
        """Raise ValueError for settings that fit no contest.

        A contest needs a game or more, and two different bots or more, each named once. Its pairs
        must consist of these bots, and its sizes and editions must exist.
        """
        if len(set(self.bots)) < FEWEST_BOTS or len(set(self.bots)) < len(self.bots):
            raise ValueError(f"a contest is between two bots or more, each named once: {self.bots}")
        if any(bot == other or not {bot, other} <= set(self.bots) for bot, other in self.pairs):
            raise ValueError(f"a pair is of two of the contest's bots: {self.pairs}")
        # Let the constructor of `Series` check players and edition.
        for players, edition in itertools.product(self.players, self.editions):
            Series(self.games, players, edition)

    def line_ups(self, players: int) -> list[tuple[str, ...]]:
        """Return the line-ups at tables of one size.

        With pairs, the bot that has one seat comes first. Without pairs, the line-ups together give
        every bot equally many seats. In one line-up these numbers differ by at most one.
        """
        if self.pairs:
            return [(bot, *(other,) * (players - 1)) for bot, other in self.pairs]
        everybody, over = divmod(players, len(self.bots))
        extras = itertools.combinations(self.bots, over)
        return [tuple(sorted(self.bots * everybody + extra)) for extra in extras]

    def deals(self, players: int) -> int:
        """Return the number of deals of each line-up at tables of one size."""
        return -(-self.games // players)

    def jobs(self) -> Iterator[Job]:
        """Yield all deals, in an order in which all line-ups advance together."""
        for deal in range(max(map(self.deals, self.players))):
            for players in self.players:
                if deal < self.deals(players):
                    for edition, bots in itertools.product(self.editions, self.line_ups(players)):
                        yield Job(players, edition, bots, deal, self.seed, self.budget)

    def missing(self, finished: Iterable[DealResult] = ()) -> list[Job]:
        """Return the deals of the contest that are not among the finished ones."""
        there = {result.job for result in finished}
        return [job for job in self.jobs() if job not in there]
