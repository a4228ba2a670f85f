"""Defines a replay: a whole game with its positions, its events, and each viewer's knowledge.

A `Replay` is made from a record and is immutable. It needs no screen and contains no text. Steps
count decisions: step 0 is the deal, and step 7 is the position after the seventh decision.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engine.actions import Action, Place
from engine.cards import UNKNOWN, Seat
from engine.events import Eliminated, Event, RoundBegan
from engine.game import Game
from engine.notation import format_position
from engine.ranking import owner_of, owners_of
from engine.record import Record, replay
from engine.views import View, Viewer, project, seats_of, view


class Onlooker(Enum):
    """A viewer of a replay who has no seat."""

    PUBLIC = "public"
    """A viewer who sees only the cards that were public at the table."""
    ALL = "all"
    """A viewer who sees every card."""


PUBLIC: Final = Onlooker.PUBLIC
ALL: Final = Onlooker.ALL

Eyes: TypeAlias = Seat | Onlooker
"""A viewer of a replay: a seat, `PUBLIC` or `ALL`.

A seat sees only the cards that its player saw during the game.
"""


@dataclass(frozen=True, slots=True)
class Replay:
    """A game with every step.

    >>> from random import Random
    >>> from engine.game import Deal
    >>> played = Replay.of(Record(Deal.shuffled(Random(1), "rbg"), ("S>", "L>", "A>", "+")))
    >>> played.last, played.over
    (4, False)
    >>> print(played.line(2, eyes=1))
    2 1 g* r?,bl *r1:??????:???:-,b1:ASHXMC:PFD:-,g1:???????:???:-
    >>> played.token(2, eyes=1), played.token(2, eyes=PUBLIC)
    ('L>', '?>')
    >>> played.find("+", step=0)
    4
    """

    record: Record
    games: tuple[Game, ...]
    """The positions before the first decision and after each decision."""
    actions: tuple[Action, ...]
    """The decisions; `actions[n]` leads from step n to step n + 1."""
    happened: tuple[tuple[Event, ...], ...]
    """The events of each step. The events of step n lead from step n - 1 to step n."""

    @classmethod
    def of(cls, record: Record) -> "Replay":
        """Replay a record; raises RecordError at the step that breaks the rules."""
        deal = record.deal
        games, actions = [record.shown(record.start())], []
        happened: list[tuple[Event, ...]] = [(RoundBegan(1, deal.first),)]
        for step in replay(record):
            games.append(step.after)
            actions.append(step.action)
            happened.append(step.events)
        return cls(record, tuple(games), tuple(actions), tuple(happened))

    @property
    def last(self) -> int:
        """The number of the last step, which is the number of decisions."""
        return len(self.actions)

    @property
    def over(self) -> bool:
        """True if the game was played to its end."""
        return self.games[-1].over

    @property
    def families(self) -> str:
        """The families in seat order."""
        return self.record.deal.families

    def eyes(self) -> tuple[Eyes, ...]:
        """Return all possible viewers of the game."""
        return (ALL, *range(len(self.families)), PUBLIC)

    def viewer(self, eyes: Eyes) -> Viewer:
        """Return the viewer for `views.view`: all seats of the player at a seat.

        Returns None for `PUBLIC` and for `ALL`. For `ALL`, `seen` adds the hidden cards itself.
        """
        if isinstance(eyes, Onlooker):
            return None
        return owner_of(owners_of(self.record.settings, len(self.families)), eyes)

    def _knows(self, eyes: Eyes, seat: Seat) -> bool:
        """Return True if these eyes see the cards of a seat."""
        return eyes is ALL or seat in seats_of(self.viewer(eyes))

    # Views

    def seen(self, step: int, eyes: Eyes) -> View:
        """Return the position of a step as these eyes see it."""
        game = self.games[step]
        seen = view(game, self.viewer(eyes))
        if eyes is ALL:
            seen.queue, seen.hands, seen.aside = game.queue.copy(), [*game.hands], [*game.aside]
        return seen

    def line(self, step: int, eyes: Eyes = ALL) -> str:
        """Return the position of a step in the notation, with `?` for cards that are hidden."""
        return format_position(self.seen(step, eyes))

    def events_at(self, step: int, eyes: Eyes) -> tuple[Event, ...]:
        """Return the events that led to a step, as these eyes see them."""
        events = self.happened[step]
        if eyes is ALL:
            return events
        viewer = self.viewer(eyes)
        return tuple(project(each, viewer) for each in events)

    def events_until(self, step: int, eyes: Eyes) -> list[Event]:
        """Return all events from the deal to a step, as these eyes see them."""
        return [event for number in range(step + 1) for event in self.events_at(number, eyes)]

    def token(self, step: int, eyes: Eyes = ALL) -> str:
        """Return the token of the decision that led to a step, as these eyes see it.

        The step must be 1 or more.
        """
        action = self.actions[step - 1]
        if isinstance(action, Place) and not self._knows(eyes, self.games[step - 1].turn):
            return f"{UNKNOWN}{str(action)[1:]}"
        return str(action)

    def legal(self, step: int, eyes: Eyes = ALL) -> tuple[Action, ...]:
        """Return the legal answers at a step; () if these eyes do not see the asked player's cards.

        After the end of the game there are no answers.
        """
        game = self.games[step]
        return game.legal if self._knows(eyes, game.turn) else ()

    def pools(self, step: int) -> tuple[int, ...]:
        """Return the influence of each seat at a step."""
        return tuple(self.games[step].pools)

    # Navigation

    @property
    def rounds(self) -> tuple[int, ...]:
        """The first step of each round."""
        return tuple(self._steps_with(RoundBegan))

    @property
    def eliminations(self) -> tuple[int, ...]:
        """The steps in which a card was eliminated."""
        return tuple(self._steps_with(Eliminated))

    def _steps_with(self, kind: type[Event]) -> Iterator[int]:
        for step, events in enumerate(self.happened):
            if any(isinstance(event, kind) for event in events):
                yield step

    def step_of(self, event: Event) -> int:
        """Return the step of this very event object. Equal events of other steps do not count."""
        return next(
            step
            for step, events in enumerate(self.happened)
            if any(each is event for each in events)
        )

    def another_round(self, step: int, by: int) -> int:
        """Return the first step of the next round; in the last round, return the last step.

        With `by` = -1, return the first step of the present round. If `step` is that step, return
        the first step of the round before; 0 at step 0.
        """
        marks = (*self.rounds, self.last)
        return beyond(marks, step, by, self.last)

    def find(self, token: str, step: int, eyes: Eyes = ALL) -> int | None:
        """Return the next step whose decision begins with `token`; the search wraps at the end.

        `x` finds any elimination. Returns None if these eyes know no such decision.
        """
        following = [*range(step + 1, self.last + 1), *range(1, step + 1)]
        return next(
            (each for each in following if token and self.token(each, eyes).startswith(token)),
            None,
        )


def beyond(marks: Sequence[int], step: int, by: int, last: int) -> int:
    """Return the next step in `marks`, or with `by` = -1 the previous one.

    Returns `last` if no mark follows, and 0 if no mark comes before.
    """
    if by > 0:
        after = bisect_right(marks, step)
        return marks[after] if after < len(marks) else last
    before = [mark for mark in marks if mark < step]
    return before[-1] if before else 0
