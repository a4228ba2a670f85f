"""The pictures that an event is told in, and how long each stays.

How long depends on what kind of event it is and on nothing else, so that no pause betrays a card.
An event takes a third of a second at most; pictures can be skipped and never have to be seen.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from driflamme_tui.model.motion_steps import following
from engine.cards import Card, Seat
from engine.events import (
    AmbushSprung,
    Copied,
    Discarded,
    Eliminated,
    Event,
    Gained,
    Left,
    Moved,
    Placed,
    Revealed,
    Stole,
)
from engine.view import View

PLACE_S: Final = 0.16
"""How long a card that is put down is shown reversed."""
LEAVE_S: Final = 0.12
"""How long a card that is left is shown reversed."""
TURN_S: Final = 0.08
"""How long each of the three sides of a card that is turned over is shown: back, edge, face."""
STRIKE_S: Final = 0.16
"""How long a card that is eliminated is shown crossed out."""
GAP_S: Final = 0.12
"""How long the place of a card that has gone stays empty."""
COUNT_S: Final = 0.2
"""How long influence that changes hands is shown reversed."""
POINT_S: Final = 0.16
"""How long a card that is copied is shown reversed."""
LIFT_S: Final = 0.12
"""How long a card that is moved is shown reversed where it stood."""
SET_S: Final = 0.2
"""How long a card that is moved is shown reversed where it stands then."""

LONGEST_BACKLOG: Final = 3
"""How many events may still wait to be shown when others come; with more, the last picture is shown
at once: who is behind wants to know how things stand."""

LONGEST_CHAIN: Final = 7
"""How many events at once are told in pictures; with more, somebody has been away."""


class Effect(Struct, frozen=True):
    """What is set apart in one picture; positions count from 1, 0 is none."""

    lit: int = 0
    """The position of a card that is reversed."""
    struck: int = 0
    """The position of a card that is crossed out."""
    edge: int = 0
    """The position of a card that is seen from its edge."""
    gap: int = 0
    """The position of a card that has just gone."""
    counted: frozenset[Seat] = frozenset()
    """The seats whose influence is reversed."""
    card: Card = ""
    """A card of the reader's hand that is reversed."""


class Frame(Struct, frozen=True):
    """One picture."""

    view: View
    effect: Effect
    seconds: float
    told: int
    """How many of the game's events have happened when it is shown, its own included."""


def frames_of(view: View, events: Sequence[Event], told: int = 0, pace_s: float = 0) -> list[Frame]:
    """Return the pictures of events that follow on a view.

    Args:
        view: What stood on the table before.
        events: What happened then, as the reader may know it.
        told: How many events of the game came before these.
        pace_s: How long the table is left alone after each event of another player that is
            seen, in seconds.

    Raises IndexError if the events do not follow on the view.
    """
    frames: list[Frame] = []
    for number, event in enumerate(events, told + 1):
        after = following(view, event)
        pictures = [Frame(seen, effect, s, number) for seen, effect, s in _told(view, event, after)]
        others = getattr(event, "seat", None) not in view.viewers
        if pictures and pace_s and others:
            pictures.append(Frame(after, Effect(), pace_s, number))
        frames += pictures
        view = after
    return frames


def _told(before: View, event: Event, after: View) -> Iterator[tuple[View, Effect, float]]:
    match event:
        case Placed(position=position):
            yield after, Effect(lit=position), PLACE_S
        case Left(position=position):
            yield after, Effect(lit=position), LEAVE_S
        case Revealed(position=position, seat=seat, taken=taken):
            yield before, Effect(lit=position), TURN_S
            yield before, Effect(edge=position), TURN_S
            counted = frozenset({seat} if taken else ())
            yield after, Effect(lit=position, counted=counted), TURN_S
        case Gained(position=position, seat=seat, influence=influence) if influence:
            yield after, Effect(counted=frozenset({seat})), COUNT_S
        case Copied(target=target):
            yield after, Effect(lit=target), POINT_S
        case Eliminated(target=target, victim=victim, victim_card=card, seat=seat):
            shown = following(before, Revealed(victim, target, card, 0, 0))
            shown.at = before.at
            yield shown, Effect(struck=target), STRIKE_S
            paid = following(shown, Gained(seat, event.position, event.card, event.card, 1))
            yield from _gone(paid, after, target, frozenset({seat}))
        case AmbushSprung(seat=seat):
            yield after, Effect(counted=frozenset({seat})), COUNT_S
        case Discarded(position=position):
            yield from _gone(before, after, position, frozenset())
        case Stole(seat=seat, victim=victim, influence=influence) if influence:
            yield after, Effect(counted=frozenset({seat, victim})), COUNT_S
        case Moved(target=target, destination=destination):
            yield before, Effect(lit=target), LIFT_S
            yield after, Effect(lit=destination), SET_S


def _gone(
    before: View, after: View, position: int, counted: frozenset[Seat]
) -> Iterator[tuple[View, Effect, float]]:
    """Tell that a card has left the Queue: a gap, unless another card lay beneath it."""
    if len(after.queue) < len(before.queue):
        yield before, Effect(gap=position, counted=counted), GAP_S
    else:
        yield after, Effect(lit=position, counted=counted), GAP_S


class Reel:
    """The pictures still to be shown; it is told the time, and has no timer of its own."""

    def __init__(self) -> None:
        self._frames: list[Frame] = []
        self._ends = 0.0

    @property
    def frame(self) -> Frame | None:
        """The picture to be shown now; None for the table as it is."""
        return self._frames[0] if self._frames else None

    def feed(self, frames: Sequence[Frame], now: float) -> None:
        """Add the pictures of what has just happened; all are dropped if there are too many."""
        behind = bool(self._frames)
        pending = len({frame.told for frame in (*self._frames, *frames)})
        if pending > (LONGEST_BACKLOG if behind else LONGEST_CHAIN):
            self._frames = []
            return
        self._frames += frames
        if not behind and frames:
            self._ends = now + frames[0].seconds

    def skip(self) -> bool:
        """Drop all pictures; False if there were none."""
        skipped = bool(self._frames)
        self._frames = []
        return skipped

    def advance(self, now: float) -> bool:
        """Go on to the picture of a time; False if there is none any more."""
        while self._frames and now >= self._ends:
            self._frames = self._frames[1:]
            if self._frames:
                self._ends += self._frames[0].seconds
        return bool(self._frames)

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds the next picture is to be shown; None without one."""
        return max(0.0, self._ends - now) if self._frames else None
