"""How a game went: everybody's influence round by round, and what decided it.

Computed from public events alone, once the game is over. It says nothing in words.
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
"""How many turning points are told at most: what everybody remembers of an evening."""

LEAD_SCALE: Final = 1.5
"""The lead in the last round with which one's prospects are e to 1."""


class ProgressStep(Struct, frozen=True):
    """What one card brought when it was resolved, to everybody."""

    round: int
    before: Pools
    after: Pools
    events: tuple[Event, ...]
    """The events that moved influence between pools, or out of the Queue into one."""

    @property
    def winner(self) -> Seat:
        """The seat that it brought most."""
        return max(range(len(self.after)), key=self.gain)

    def gain(self, seat: Seat) -> int:
        """Return what it brought a seat; below 0 for one that lost."""
        return self.after[seat] - self.before[seat]

    def weight(self, owners: Owners) -> float:
        """Return how much it moved everybody's prospects of winning."""
        before, after = (self._prospects(pools, owners) for pools in (self.before, self.after))
        return sum(abs(now - then) for then, now in zip(before, after, strict=True))

    def _prospects(self, pools: Pools, owners: Owners) -> list[float]:
        """Return everybody's part of the prospects: the less is to come, the more a lead is."""
        scale = LEAD_SCALE * sqrt(1 + ROUNDS - self.round)
        parts = [exp(sum(pools[seat] for seat in own) / scale) for own in owners]
        return [part / sum(parts) for part in parts]


class GameProgress(Struct):
    """A whole game, as influence goes."""

    rounds: list[Pools] = field(default_factory=list)
    """Everybody's influence at the start, and after each round."""
    steps: list[ProgressStep] = field(default_factory=list)

    def turning_points(self, owners: Owners | None = None) -> list[ProgressStep]:
        """Return the steps that decided most, in their order; each plays a seat unless told."""
        everybody = owners or each_alone(len(self.rounds[0]))
        heaviest = sorted(self.steps, key=lambda step: -step.weight(everybody))[:TURNING_POINTS]
        return [step for step in self.steps if any(step is each for each in heaviest)]

    def best(self, seat: Seat) -> int:
        """Return the most that one step brought a seat."""
        return max((step.gain(seat) for step in self.steps), default=0)


def place(pools: Sequence[int], seat: int) -> int:
    """Return a seat's, or a player's, place by influence alone; places may be shared."""
    return 1 + sum(other > pools[seat] for other in pools)


def progress_of(happened: Sequence[Event], final: Sequence[int]) -> GameProgress | None:
    """Return how a game went, or None if the events do not lead to the final pools.

    They do not when some are missing; a chart of them would be wrong.
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
"""Events that say what a card did; the resolution of a card that was face up begins with one."""


def _groups(happened: Sequence[Event]) -> Iterator[list[Event]]:
    """Give the events in groups: each card's resolution is one."""
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
