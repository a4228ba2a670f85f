"""Computes the course of a game: everybody's influence by round, and the turning points.

This module uses the public events after the game, and contains no sentences.
"""

from collections.abc import Iterator, Sequence
from math import exp, sqrt
from typing import Final

from msgspec import Struct, field

from driflamme_tui.model.motion_frames import pay
from engine import events
from engine.cards import ROUNDS, Seat
from engine.events import Event
from engine.game import STARTING_INFLUENCE
from engine.ranking import Owners, each_alone

Pools = tuple[int, ...]
"""Everybody's influence, by seat."""

TURNING_POINTS: Final = 3
"""Maximum number of turning points."""

LEAD_SCALE: Final = 1.5
"""The lead in influence that makes the odds of winning e to 1 in the last round."""


_REASONS: Final = (
    events.AmbushSprung,
    events.Stole,
    events.Eliminated,
    events.Gained,
    events.Revealed,
)
"""The events that bring influence. The most telling kind comes first."""


class ProgressStep(Struct, frozen=True):
    """The effect of one card's resolution on everybody."""

    round: int
    before: Pools
    after: Pools
    events: tuple[Event, ...]
    """The events that moved influence between pools, or from the Queue into a pool."""

    @property
    def winner(self) -> Seat:
        """The seat that gained most; the first of several equal ones."""
        return max(range(len(self.after)), key=self.gain)

    @property
    def reason(self) -> Event:
        """The event of the winner that best explains the winner's gain."""
        own = [event for event in self.events if getattr(event, "seat", None) == self.winner]
        found = (event for kind in _REASONS for event in own if isinstance(event, kind))
        return next(found)

    def gain(self, seat: Seat) -> int:
        """Return a seat's gain; below 0 for a loss."""
        return self.after[seat] - self.before[seat]

    def weight(self, owners: Owners) -> float:
        """Return the sum of the absolute changes to everybody's chances of winning."""
        before, after = (self._prospects(pools, owners) for pools in (self.before, self.after))
        return sum(abs(now - then) for then, now in zip(before, after, strict=True))

    def _prospects(self, pools: Pools, owners: Owners) -> list[float]:
        """Return everybody's chance of winning.

        The fewer rounds are left, the more a lead counts.
        """
        scale = LEAD_SCALE * sqrt(1 + ROUNDS - self.round)
        parts = [exp(sum(pools[seat] for seat in own) / scale) for own in owners]
        return [part / sum(parts) for part in parts]


class GameProgress(Struct):
    """The influence in a whole game."""

    rounds: list[Pools] = field(default_factory=list)
    """Everybody's influence at the start, and after each round."""
    steps: list[ProgressStep] = field(default_factory=list)

    def turning_points(self, owners: Owners | None = None) -> list[ProgressStep]:
        """Return the most important steps, at most `TURNING_POINTS`, in the order of the game.

        Without `owners`, each player has one seat.
        """
        everybody = owners or each_alone(len(self.rounds[0]))
        heaviest = sorted(self.steps, key=lambda step: -step.weight(everybody))[:TURNING_POINTS]
        return [step for step in self.steps if any(step is each for each in heaviest)]

    def best(self, seat: Seat) -> int:
        """Return the highest gain of a seat in one step; 0 without a step."""
        return max((step.gain(seat) for step in self.steps), default=0)


def place(pools: Sequence[int], seat: int) -> int:
    """Return the place of a seat or player by influence alone. Several may share a place."""
    return 1 + sum(other > pools[seat] for other in pools)


def progress_of(happened: Sequence[Event], final: Sequence[int]) -> GameProgress | None:
    """Return the course of a game; None if some of its events are missing.

    A chart would then be wrong. Events are missing if they do not lead from the first round to the
    end of the game, or not to the final pools.
    """
    if not happened:
        return None
    went = GameProgress()
    pools = [STARTING_INFLUENCE] * len(final)
    went.rounds.append(tuple(pools))
    number = 0
    for group in _groups(happened):
        if isinstance(group[0], events.RoundBegan):
            number = group[0].round
            if number > 1:
                went.rounds.append(tuple(pools))
        before = tuple(pools)
        moving = tuple(event for event in group if pay(event, pools))
        if moving:
            went.steps.append(ProgressStep(number, before, tuple(pools), moving))
        if isinstance(group[0], events.GameEnded):
            went.rounds.append(tuple(pools))
    complete = (
        pools == list(final)
        and isinstance(happened[0], events.RoundBegan)
        and isinstance(happened[-1], events.GameEnded)
        and len(went.rounds) == number + 1
    )
    return went if complete else None


_DONE = events.Gained | events.Stole | events.Eliminated | events.NoEffect
"""The events of a card's effect. The resolution of a face-up card begins with such an event."""


def _groups(happened: Sequence[Event]) -> Iterator[list[Event]]:
    """Yield the events in groups. A round, a card's resolution and the end each begin a group."""
    group: list[Event] = []
    for event in happened:
        begins = isinstance(
            event, events.RoundBegan | events.GameEnded | events.Left | events.Revealed
        )
        if isinstance(event, _DONE):
            begins = not (
                group
                and isinstance(group[0], events.Revealed)
                and group[0].seat == event.seat
                and not any(isinstance(each, _DONE) for each in group)
            )
        if group and begins:
            yield group
            group = []
        group.append(event)
    if group:
        yield group
