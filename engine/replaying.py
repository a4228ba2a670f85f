"""A whole game to look back at: every position, what led to it, and who could know what then.

A `Replay` is made of a record and never changes; it knows no screen and says nothing in words.
Steps count decisions: step 0 is the deal, step 7 what stands on the table after the seventh.
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
    """Somebody without a seat who looks back at a game."""

    PUBLIC = "public"
    """Sees what everybody at the table could see."""
    ALL = "all"
    """Sees every card."""


PUBLIC: Final = Onlooker.PUBLIC
"""The eyes of a spectator."""
ALL: Final = Onlooker.ALL
"""The eyes of somebody who sees every card."""

Eyes: TypeAlias = Seat | Onlooker
"""Whose eyes a game is seen with: a seat's player's, as they were then, everybody's, or all's."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A game, and every step of it.

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
    """The position of each step; one more than there are decisions."""
    actions: tuple[Action, ...]
    """The decisions; `actions[n]` leads from step n to step n + 1."""
    happened: tuple[tuple[Event, ...], ...]
    """What led to the position of each step."""

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
        """The last step: how many decisions there are."""
        return len(self.actions)

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        return self.games[-1].over

    @property
    def families(self) -> str:
        """The families, by seat."""
        return self.record.deal.families

    def eyes(self) -> tuple[Eyes, ...]:
        """Return all eyes that the game can be seen with."""
        return (ALL, *range(len(self.families)), PUBLIC)

    def viewer(self, eyes: Eyes) -> Viewer:
        """Return whose view eyes have: a seat's together with the others of its player's."""
        if isinstance(eyes, Onlooker):
            return None
        return owner_of(owners_of(self.record.settings, len(self.families)), eyes)

    def _knows(self, eyes: Eyes, seat: Seat) -> bool:
        """Whether eyes see the cards of a seat."""
        return eyes is ALL or seat in seats_of(self.viewer(eyes))

    # What there was to see

    def seen(self, step: int, eyes: Eyes) -> View:
        """Return the table at a step."""
        game = self.games[step]
        seen = view(game, self.viewer(eyes))
        if eyes is ALL:
            seen.queue, seen.hands, seen.aside = game.queue.copy(), [*game.hands], [*game.aside]
        return seen

    def line(self, step: int, eyes: Eyes = ALL) -> str:
        """Return the position of a step in notation, with `?` for what these eyes cannot know."""
        return format_position(self.seen(step, eyes))

    def told(self, step: int, eyes: Eyes) -> tuple[Event, ...]:
        """Return what led to a step."""
        events = self.happened[step]
        if eyes is ALL:
            return events
        viewer = self.viewer(eyes)
        return tuple(project(each, viewer) for each in events)

    def told_until(self, step: int, eyes: Eyes) -> list[Event]:
        """Return what happened from the deal to a step."""
        return [event for number in range(step + 1) for event in self.told(number, eyes)]

    def token(self, step: int, eyes: Eyes = ALL) -> str:
        """Return the decision that led to a step, from 1 on, as these eyes could know it."""
        action = self.actions[step - 1]
        if isinstance(action, Place) and not self._knows(eyes, self.games[step - 1].turn):
            return f"{UNKNOWN}{str(action)[1:]}"
        return str(action)

    def legal(self, step: int, eyes: Eyes = ALL) -> tuple[Action, ...]:
        """Return the answers that were legal at a step, or none if these eyes could not know."""
        game = self.games[step]
        return game.legal if self._knows(eyes, game.turn) else ()

    def pools(self, step: int) -> tuple[int, ...]:
        """Return everybody's influence at a step."""
        return tuple(self.games[step].pools)

    # Where to go

    @property
    def rounds(self) -> tuple[int, ...]:
        """The step with which each round begins."""
        return tuple(self._steps_with(RoundBegan))

    @property
    def eliminations(self) -> tuple[int, ...]:
        """The steps that eliminated a card."""
        return tuple(self._steps_with(Eliminated))

    def _steps_with(self, kind: type[Event]) -> Iterator[int]:
        for step, events in enumerate(self.happened):
            if any(isinstance(event, kind) for event in events):
                yield step

    def step_of(self, event: Event) -> int:
        """Return the step to which this very event led; an equal one is not enough."""
        return next(
            step
            for step, events in enumerate(self.happened)
            if any(each is event for each in events)
        )

    def another_round(self, step: int, by: int) -> int:
        """Return where the next round begins, or the end; with -1 this one, or the one before."""
        marks = (*self.rounds, self.last)
        return beyond(marks, step, by, self.last)

    def find(self, token: str, step: int, eyes: Eyes = ALL) -> int | None:
        """Return the next step to which a decision led, going on from the start after the end.

        A token is that of the notation, or the beginning of one: `x` finds any elimination. None if
        there is none that these eyes can know.
        """
        following = [*range(step + 1, self.last + 1), *range(1, step + 1)]
        return next(
            (each for each in following if token and self.token(each, eyes).startswith(token)),
            None,
        )


def beyond(marks: Sequence[int], step: int, by: int, last: int) -> int:
    """Return the next of some steps, in their order, or the one before; else the end or 0."""
    if by > 0:
        after = bisect_right(marks, step)
        return marks[after] if after < len(marks) else last
    before = [mark for mark in marks if mark < step]
    return before[-1] if before else 0
