"""Random games for property tests: complete games, from dull to wild.

Hypothesis chooses the table, a seed, and how often players stack and reveal. With equal chances,
stacks of three and cascades would hardly occur.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st

from engine.actions import ON, REVEAL, Action, Place
from engine.cards import FAMILIES, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, Seat
from engine.edition import EDITIONS
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.position import Position
from engine.ranking import SEATS_OF_TWO
from engine.views import Viewer

Test = TypeVar("Test", bound=Callable[..., None])

FULL_EXAMPLES = 100
"""The profile's number of examples with which every property runs in full."""

FEWEST_EXAMPLES = 10
"""Minimum number of examples of a property, unless the property names fewer."""


@dataclass(frozen=True)
class Played:
    """A random game from the deal to its end."""

    deal: Deal
    games: list[Game]
    """Every position with a question, and the end of the game."""
    actions: list[Action]
    """The answer in each position except the last."""
    events: list[list[Event]]
    """The events of each answer."""

    def __repr__(self) -> str:
        return f"{self.deal} {' '.join(map(str, self.actions))}"

    def questions(self) -> Iterator[tuple[Game, list[Event]]]:
        """Yield each position with a question, with all events before it."""
        events_seen: list[Event] = [RoundBegan(1, self.deal.first)]
        for game, events in zip(self.games, self.events, strict=False):
            yield game, events_seen.copy()
            events_seen += events


def play_randomly(deal: Deal, rng: Random, stacking: float = 1, revealing: float = 1) -> Played:
    """Play a random game of a deal; the weights decide how often players stack and reveal."""
    game = Game.start(deal)
    played = Played(deal, [game], [], [])
    while game.legal:
        weights = [
            stacking
            if isinstance(action, Place) and action.spot == ON
            else revealing
            if action is REVEAL
            else 1
            for action in game.legal
        ]
        (action,) = rng.choices(game.legal, weights)
        events: list[Event] = []
        game = game.play(action, events)
        played.games.append(game)
        played.actions.append(action)
        played.events.append(events)
    return played


def random_game(seed: int, seats: int | None = None) -> Played:
    """Return a game that depends only on the seed, including its table."""
    rng = Random(seed)
    families = "".join(rng.sample(FAMILIES, seats or rng.randint(MINIMUM_PLAYERS, MAXIMUM_PLAYERS)))
    deal = Deal.shuffled(rng, families, EDITIONS[rng.choice((1, 2))])
    return play_randomly(deal, rng, rng.choice((0.2, 1, 5, 25)), rng.choice((0.2, 1, 3)))


def games() -> st.SearchStrategy[Played]:
    return st.integers(0, 2**32 - 1).map(random_game)


@st.composite
def moments(draw: st.DrawFn) -> tuple[Played, int]:
    """Draw any game, and the index of a position with a question."""
    played = draw(games())
    return played, draw(st.integers(0, len(played.actions) - 1))


@st.composite
def moments_for_two(draw: st.DrawFn) -> tuple[Played, int]:
    """Draw any game of four families for two players, and the index of a question in it."""
    played = random_game(draw(st.integers(0, 2**32 - 1)), SEATS_OF_TWO)
    return played, draw(st.integers(0, len(played.actions) - 1))


def everything(game: Game) -> dict[str, object]:
    """Return all values of a game by name, as copies."""
    values = {name: getattr(game, name) for name in (*Position.__slots__, *Game.__slots__)}
    return {name: tuple(each) if isinstance(each, list) else each for name, each in values.items()}


def viewers(game: Game) -> list[Seat | None]:
    return [None, *range(game.players)]


def joined_viewers(game: Game) -> list[Viewer]:
    """Return a spectator, each seat, and each pair of seats that one player could have."""
    return [*viewers(game), *(owner for owner in ((0, 2), (1, 3)) if owner[1] < game.players)]


def examples(number: int) -> Callable[[Test], Test]:
    """Return a decorator that runs a property on a share of this many examples.

    The Hypothesis profile determines the share: see `tests/conftest.py`.
    """
    share = settings().max_examples / FULL_EXAMPLES
    return settings(max_examples=max(min(number, FEWEST_EXAMPLES), round(number * share)))
