"""What a bot is: something that answers a view with an action.

A bot is handed a `View` and nothing else, so it cannot cheat; it does no input or output, reads no
clock, and leaves nothing to chance but by the `random.Random` it was made with.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import ClassVar, NamedTuple, TypeAlias

from engine.actions import Action
from engine.events import Event
from engine.views import View

KeepGoing: TypeAlias = Callable[[int], bool]
"""Returns whether a search goes on; it is called between two iterations with the number made."""


class Bot(ABC):
    """One seat's player in one game.

    A bot is made anew for each seat of each game, so it may remember what it has seen. A bot
    made with an equal `Random` and shown equal views gives equal answers, unless its
    `keep_going` looks at something else.

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
    """What the lobby and the command line call the bot."""

    def __init__(self, rng: Random, keep_going: KeepGoing | None = None) -> None:
        self.rng = rng
        self.keep_going = keep_going
        """Says how long to think; None is as long as the level does by itself, always the same.
        A bot that does not search has no use for it."""

    def observe(self, events: Sequence[Event]) -> None:  # noqa: B027 - a bot need not listen
        """Be told what has happened since the last time, as its seat may know it; before `choose`.

        After a break a bot that is made anew is told all from the beginning.
        """

    @abstractmethod
    def choose(self, view: View) -> Action:
        """Return one of the answers in `view.legal`, of which there are two or more.

        `view.viewer == view.turn`, and the view is for the bot to keep and to change.
        """


class Weighed(NamedTuple):
    """What a search found out about one answer."""

    action: Action
    share: float
    """The part of the victory to expect after it, from 0 to 1; a shared one counts in parts."""
    tried: int
    """How many iterations that expectation is the mean of; 0 if none began with it,
    and then nothing is known of its share."""


class SearchingBot(Bot):
    """A bot that weighs its answers by looking ahead, and can tell how much each is worth."""

    iterations: ClassVar[int]
    """How many iterations it makes for a decision when it has no `keep_going`."""
    given: Action | None = None
    """An answer that is to be judged, and therefore tried."""

    @abstractmethod
    def weigh(self, view: View) -> tuple[Weighed, ...]:
        """Return every answer in `view.legal` with what it promises, the best first."""

    def choose(self, view: View) -> Action:
        """Return the answer that promises most."""
        return self.weigh(view)[0].action

    def goes_on(self, made: int) -> bool:
        """Return whether to make another iteration after so many."""
        if self.keep_going is None:
            return made < self.iterations
        return self.keep_going(made)
