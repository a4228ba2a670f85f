"""Where one is in a game that is looked back at, and how it plays by itself.

It is told the time, and has no timer and no screen of its own.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from driflamme_tui.model.game_progress import ProgressStep as TurningPoint
from driflamme_tui.model.game_progress import progress_of
from engine.events import Event
from engine.ranking import owners_of
from engine.replaying import ALL, Eyes, Replay, beyond

SPEEDS_S: Final = (6.0, 3.0, 1.5, 0.8, 0.3)
"""How long each step stays while the game plays by itself, from the slowest speed."""

USUAL_SPEED: Final = 3
"""The speed that a game begins with, counted from 1."""


@dataclass
class Playback:
    """A replay, and the step of it that is shown."""

    replay: Replay
    eyes: Eyes = ALL
    step: int = 0
    speed: int = USUAL_SPEED
    playing: bool = False
    _due: float = field(default=0.0, repr=False)
    """When the next step is to be shown, while it plays."""

    def go(self, step: int) -> bool:
        """Go to a step, or as near as there is one; whether that is another than before."""
        before, self.step = self.step, max(0, min(self.replay.last, step))
        return self.step != before

    # By itself

    def play(self, now: float) -> None:
        """Begin to play, from the beginning if it is at the end; or stop."""
        self.playing = not self.playing
        if self.playing and self.step == self.replay.last:
            self.step = 0
        self._due = now + SPEEDS_S[self.speed - 1]

    def stop(self) -> None:
        """Play no more."""
        self.playing = False

    def hurry(self, speed: int, now: float) -> None:
        """Play at another speed from now on."""
        self.speed = speed
        self._due = now + SPEEDS_S[speed - 1]

    def advance(self, now: float) -> bool:
        """Go a step on if it is time; whether it was. At the end it stops."""
        if not self.playing or now < self._due:
            return False
        self._due = now + SPEEDS_S[self.speed - 1]
        moved = self.go(self.step + 1)
        self.playing = self.step < self.replay.last
        return moved

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds the next step is to be shown; None while it does not play."""
        return max(0.0, self._due - now) if self.playing else None

    # Where to go

    @cached_property
    def turning_points(self) -> dict[int, TurningPoint]:
        """What decided the game, by step; nothing for a game that was not ended."""
        happened: list[Event] = self.replay.told_until(self.replay.last, ALL)
        went = progress_of(happened, self.replay.pools(self.replay.last))
        if went is None:
            return {}
        owners = owners_of(self.replay.record.settings, len(self.replay.families))
        return {self.replay.step_of(each.events[0]): each for each in went.turning_points(owners)}

    def another(self, marks: tuple[int, ...], by: int) -> int | None:
        """Return the next of some steps, or the one before; None if there is none."""
        if not any(mark > self.step if by > 0 else mark < self.step for mark in marks):
            return None
        return beyond(marks, self.step, by, self.replay.last)
