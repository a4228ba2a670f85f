"""Moves through the steps of a replay, by hand or automatically.

This module receives the time, and has no timer and no screen.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from driflamme_tui.model.game_progress import ProgressStep as TurningPoint
from driflamme_tui.model.game_progress import progress_of
from engine.events import Event
from engine.ranking import owners_of
from engine.replaying import ALL, Eyes, Onlooker, Replay, beyond

SPEEDS_S: Final = (6.0, 3.0, 1.5, 0.8, 0.3)
"""Seconds for each step during playback, by speed from slow to fast."""

USUAL_SPEED: Final = 3
"""The speed at the beginning, counted from 1."""


@dataclass
class Playback:
    """A replay and its present step. The callers pass the time `now` in seconds."""

    replay: Replay
    eyes: Eyes = ALL
    step: int = 0
    speed: int = USUAL_SPEED
    playing: bool = False
    looks_ahead: bool = False
    """True if the reader went to the position before a decision, to think about it. The decision
    that texts are about is then the next one.
    """
    _due: float = field(default=0.0, repr=False)
    """The time of the next step during playback."""

    def go(self, step: int) -> bool:
        """Go to a step, or to the nearest one; return True if the step changed."""
        self.looks_ahead = False
        before, self.step = self.step, max(0, min(self.replay.last, step))
        return self.step != before

    def go_before(self, decision: int) -> None:
        """Go to the position in which the decision of a step was made."""
        self.go(decision - 1)
        self.looks_ahead = True

    @property
    def decision(self) -> int:
        """The step of the decision that texts are about: it led here, or is made here."""
        return self.step + self.looks_ahead

    # Playback

    def play(self, now: float) -> None:
        """Start playback, or stop it. At the end of the game, start from the beginning."""
        self.playing = not self.playing
        if self.playing and self.step == self.replay.last:
            self.go(0)
        self._due = now + SPEEDS_S[self.speed - 1]

    def stop(self) -> None:
        """Stop playback."""
        self.playing = False

    def hurry(self, speed: int, now: float) -> None:
        """Change the speed of playback to one of `SPEEDS_S`, counted from 1."""
        self.speed = speed
        self._due = now + SPEEDS_S[speed - 1]

    def advance(self, now: float) -> bool:
        """Go one step forward if its time has come; return True if the step changed.

        At the end, stop playback.
        """
        if not self.playing or now < self._due:
            return False
        self._due = now + SPEEDS_S[self.speed - 1]
        moved = self.go(self.step + 1)
        self.playing = self.step < self.replay.last
        return moved

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the next step; None if playback is stopped."""
        return max(0.0, self._due - now) if self.playing else None

    # Navigation

    @cached_property
    def turning_points(self) -> dict[int, TurningPoint]:
        """The turning points of the game, by step; empty for an unfinished game."""
        happened: list[Event] = self.replay.events_until(self.replay.last, ALL)
        went = progress_of(happened, self.replay.pools(self.replay.last))
        if went is None:
            return {}
        owners = owners_of(self.replay.record.settings, len(self.replay.families))
        return {self.replay.step_of(each.reason): each for each in went.turning_points(owners)}

    def eyes_called(self, name: str) -> Eyes | None:
        """Return the eyes of a family at the table, of "all" or of "public".

        Returns None for other names.
        """
        onlookers: dict[str, Eyes] = {each.value: each for each in Onlooker}
        if name in self.replay.families:
            return self.replay.families.index(name)
        return onlookers.get(name)

    def other_eyes(self) -> Eyes:
        """Return the eyes after the present ones; after the last ones, the first."""
        eyes = self.replay.eyes()
        return eyes[(eyes.index(self.eyes) + 1) % len(eyes)]

    def found(self, token: str) -> int | None:
        """Return the next step with a decision like `token`; None for "", or if none follows."""
        return self.replay.find(token, self.step, self.eyes) if token else None

    def another(self, marks: tuple[int, ...], by: int) -> int | None:
        """Return the next step in `marks`, or with `by` = -1 the previous one.

        Returns None if no mark lies in that direction.
        """
        if not any(mark > self.step if by > 0 else mark < self.step for mark in marks):
            return None
        return beyond(marks, self.step, by, self.replay.last)
