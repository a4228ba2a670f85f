"""Defines the interface of bots: a bot answers a view with an action.

A bot receives only views, and the events that its seat may know, so it cannot cheat. It does no
input or output and reads no clock. All its randomness comes from the `random.Random` of its
constructor.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import ClassVar, NamedTuple, TypeAlias

from engine.actions import Action
from engine.events import Event
from engine.views import View

KeepGoing: TypeAlias = Callable[[int], bool]
"""A function that returns False when a search must end. The search calls it between iterations with
the number of iterations so far.
"""


class Bot(ABC):
    """The player of one seat in one game.

    Each seat of each game gets a new bot, so a bot may remember what it has seen. Bots with equal
    `Random`s answer equal views equally, unless their `keep_going` differs.

    >>> from engine.actions import REVEAL
    >>> from engine.notation import parse_view
    >>> class Hasty(Bot):
    ...     name = "hasty"
    ...     def choose(self, view):
    ...         return REVEAL if REVEAL in view.legal else self.rng.choice(view.legal)
    ...
    >>> line = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
    >>> print(Hasty(Random(1)).choose(parse_view(line, 1)))
    !
    """

    name: ClassVar[str]
    """The name of the bot in the lobby and on the command line."""

    def __init__(self, rng: Random, keep_going: KeepGoing | None = None) -> None:
        self.rng = rng
        self.keep_going = keep_going
        """The function that ends a search; with None, the bot's own number of iterations does.

        Bots that do not search ignore this field.
        """

    def observe(self, events: Sequence[Event]) -> None:  # noqa: B027 - a bot need not listen
        """Receive the events since the last call, as the bot's seat may know them.

        Call this before `choose`. A new bot that continues a game receives all events from the
        beginning.
        """

    @abstractmethod
    def choose(self, view: View) -> Action:
        """Return one of the answers in `view.legal`, which has at least two.

        The view belongs to the asked player: `view.viewer == view.turn`. The bot owns the view and
        may change it.
        """


class Weighed(NamedTuple):
    """An answer with the result of a search."""

    action: Action
    share: float
    """Expected share of the victory after the answer, from 0 to 1. Several winners share 1
    equally.
    """
    tried: int
    """Number of iterations that began with this answer. If it is 0, `share` is meaningless."""


class SearchingBot(Bot):
    """A bot that searches, and returns the expected result of each answer."""

    iterations: ClassVar[int]
    """Number of iterations for each decision if `keep_going` is None."""
    given: Action | None = None
    """An answer that the search always tries, so that it can be judged; None for no such answer."""

    @abstractmethod
    def weigh(self, view: View) -> tuple[Weighed, ...]:
        """Return every answer in `view.legal` with its expected result, best first."""

    def choose(self, view: View) -> Action:
        """Return the best answer."""
        return self.weigh(view)[0].action

    def goes_on(self, made: int) -> bool:
        """Return True if the search should make another iteration after `made` iterations."""
        if self.keep_going is None:
            return made < self.iterations
        return self.keep_going(made)
