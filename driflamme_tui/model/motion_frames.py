"""Computes pictures of the table between two views: one or more for each event.

Pictures are only for display. The positions between two views are computed from the first view and
the events, as far as the reader may know them. The rules are not applied, so only the last view has
the right question.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine import events
from engine.actions import END, START
from engine.cards import UNKNOWN, Card, Seat
from engine.events import (
    AmbushSprung,
    Copied,
    Discarded,
    Eliminated,
    Event,
    Forced,
    Gained,
    Left,
    Moved,
    Placed,
    Revealed,
    Stole,
)
from engine.position import LEAVE_OR_REVEAL, PLACE, move_top
from engine.ranking import Owner, Owners, each_alone, total
from engine.views import View


def following(view: View, event: Event) -> View:
    """Return the view after an event. The given view stays unchanged.

    Raises IndexError if the event is impossible in the view.
    """
    then = copy(view)
    then.queue, then.hands = view.queue.copy(), view.hands.copy()
    then.out, then.pools = view.out.copy(), view.pools.copy()
    pay(event, then.pools)
    queue, at, seat = then.queue, getattr(event, "position", 0) - 1, getattr(event, "seat", -1)
    if not isinstance(event, Placed | AmbushSprung) and at >= 0:
        then.at, then.turn, then.question = at, seat, LEAVE_OR_REVEAL
    match event:
        case events.RoundBegan(round=number, first=first):
            then.round, then.first = number, first
            then.at, then.turn, then.question = -1, first, PLACE
        case Placed(card=card, spot=spot):
            hand = then.hands[seat]
            then.hands[seat] = hand[1:] if card == UNKNOWN else hand.replace(card, "")
            if spot in (START, END):
                queue.insert(at, (seat, card, False, 0, None))
            else:
                queue[at] = (seat, card, False, 0, queue[at])
            then.turn, then.question = seat, PLACE
        case events.ResolutionBegan():
            then.at, then.question = 0, LEAVE_OR_REVEAL
        case Left(influence=influence):
            queue[at] = (*queue[at][:3], influence, queue[at][4])
        case Revealed(card=card):
            queue[at] = seat, card, True, 0, queue[at][4]
        case Eliminated(target=target, victim_card=card):
            if _remove(then, target - 1, card) and target - 1 < at:
                then.at -= 1
        case Discarded(card=card):
            _remove(then, at, card)
        case Moved(target=target, destination=destination):
            then.at = move_top(queue, at, target - 1, destination - 1)
        case events.GameEnded():
            then.at = -1
    return then


def pay(event: Event, pools: list[int]) -> bool:
    """Apply an event to the pools; return True if it moved any influence."""
    match event:
        case events.Revealed():
            pools[event.seat] += event.taken
            return event.taken > 0
        case events.Gained() | events.AmbushSprung():
            pools[event.seat] += event.influence
            return event.influence > 0
        case events.Eliminated():
            pools[event.seat] += 1
            return True
        case events.Stole():
            pools[event.seat] += event.influence
            pools[event.victim] -= event.influence
            return event.influence > 0
    return False


def _remove(view: View, index: int, card: Card) -> bool:
    """Remove a top card from the Queue; return True if its whole stack is gone."""
    seat, _, _, _, covered = view.queue[index]
    view.out[seat] += card
    if covered is None:
        del view.queue[index]
        return True
    view.queue[index] = covered
    return False


PLACE_S: Final = 0.16
"""Seconds for which a placed card is shown reversed."""
LEAVE_S: Final = 0.12
"""Seconds for which a card that its owner leaves face down is shown reversed."""
TURN_S: Final = 0.08
"""Seconds for each of the three sides of a card that turns over: back, edge, face."""
STRIKE_S: Final = 0.16
"""Seconds for which an eliminated card is shown crossed out."""
GAP_S: Final = 0.12
"""Seconds for which the place of a removed card stays empty."""
COUNT_S: Final = 0.2
"""Seconds for which changed influence is shown reversed."""
POINT_S: Final = 0.16
"""Seconds for which a copied card is shown reversed."""
LIFT_S: Final = 0.12
"""Seconds for which a moved card is shown reversed at its old place."""
SET_S: Final = 0.2
"""Seconds for which a moved card is shown reversed at its new place."""


class Weight(Enum):
    """The importance of an event for everybody at the table; all but ORDINARY are surprises."""

    ORDINARY = 0
    LEAD = 1
    """The event's player takes the lead."""
    LOSS = 2
    """A card with much influence is removed."""
    AMBUSH = 3


SURPRISE_S: Final = {Weight.LEAD: 0.9, Weight.LOSS: 1.0, Weight.AMBUSH: 1.2}
"""Seconds for the most important picture of each kind of surprise."""
RICH: Final = 3
"""Minimum influence on a card that makes its loss a surprise."""

QUICK: Final = (Placed, Left)
"""Events with half the usual pause, because there is little to read."""

LONGEST_BACKLOG: Final = 3
"""Maximum number of waiting events when others arrive. If there are more, only surprises are shown
before the present table.
"""

LONGEST_CHAIN: Final = 7
"""Maximum number of events, arriving together, that are all shown in pictures. If there are more,
only surprises are shown.
"""

LONGEST_ABSENCE: Final = 24
"""Maximum number of events, arriving together, of which some are shown. If there are more, the
reader was away.
"""

MOST_SURPRISES: Final = 6
"""Maximum number of surprises that are shown after a backlog: the latest ones count."""
READ_S: Final = 0.8
"""Maximum seconds for each surprise after a backlog, just enough to read it."""


class Effect(Struct, frozen=True):
    """The highlights of one picture. Positions count from 1; 0 means none."""

    lit: int = 0
    """The position of a card that is shown reversed; 0 for none."""
    struck: int = 0
    """The position of a card that is shown crossed out; 0 for none."""
    edge: int = 0
    """The position of a card that is shown from its edge; 0 for none."""
    gap: int = 0
    """The position of a card that was just removed; 0 for none."""
    counted: frozenset[Seat] = frozenset()
    """The seats whose influence is shown reversed."""
    card: Card = ""
    """A card of the reader's hand that is shown reversed; "" for none."""


class Frame(Struct, frozen=True):
    """One picture of an event, or the pause after it."""

    view: View
    effect: Effect
    seconds: float
    event_count: int
    """Number of the game's events up to this picture, including its own."""
    weight: Weight = Weight.ORDINARY
    leads: bool = False
    """True if the event's player takes the lead by the event."""


def frames_of(
    view: View,
    events: Sequence[Event],
    event_count: int = 0,
    pace_s: float = 0,
    owners: Owners | None = None,
    *,
    again: bool = False,
) -> list[Frame]:
    """Return the pictures of events after a view.

    Args:
        view: The view before the events.
        events: The events, as the reader may know them.
        event_count: Number of the game's events before these.
        pace_s: Seconds of the pause after each visible ordinary event of another player; half as
            long if there is little to read. With 0 there are no pauses.
        owners: The owners of the seats; by default each player has one seat.
        again: True if the reader sees the events again. The pause then follows every event but a
            forced decision, and is half as long after a surprise.

    Raises:
        IndexError: The events do not follow on the view.
    """
    frames: list[Frame] = []
    for number, event in enumerate(events, event_count + 1):
        after = following(view, event)
        leads = takes_lead(view, event, after, owners)
        weight = weight_of(event, leads=leads)
        pictures = [
            Frame(seen, effect, seconds, number, weight, leads)
            for seen, effect, seconds in _event_frames(view, event, after)
        ]
        surprise = bool(pictures) and weight in SURPRISE_S
        if surprise:
            # The first picture of an elimination shows the card. The last picture of any other
            # event shows the effect.
            which = 0 if isinstance(event, Eliminated) else -1
            seconds = max(SURPRISE_S[weight], 0 if again else pace_s)
            pictures[which] = replace(pictures[which], seconds=seconds)
        others = getattr(event, "seat", None) not in view.viewers
        rests = not isinstance(event, Forced) if again else pictures and others and not surprise
        if pace_s and rests:
            rest_s = pace_s / 2 if surprise or isinstance(event, QUICK) else pace_s
            pictures.append(Frame(after, Effect(), rest_s, number))
        frames += pictures
        view = after
    return frames


def weight_of(event: Event, *, leads: bool) -> Weight:
    """Return an event's importance for everybody. `leads` is True if its player takes the lead."""
    match event:
        case AmbushSprung():
            return Weight.AMBUSH
        case Eliminated(influence=influence) if influence >= RICH:
            return Weight.LOSS
    return Weight.LEAD if leads else Weight.ORDINARY


def takes_lead(before: View, event: Event, after: View, owners: Owners | None = None) -> bool:
    """Return True if an event makes its player alone the one with the most influence.

    The first lead of a game does not count, since all players had the same influence before.
    Without `owners`, each player has one seat.
    """
    if before.pools == after.pools:
        return False
    everybody = owners or each_alone(before.players)
    led, leads = leaders(before, everybody), leaders(after, everybody)
    alone = len(leads) == 1 and getattr(event, "seat", None) in leads[0]
    return alone and leads != led and len(led) < len(everybody)


def leaders(view: View, everybody: Owners) -> list[Owner]:
    """Return the players who share the most influence."""
    most = max(total(view, owner) for owner in everybody)
    return [owner for owner in everybody if total(view, owner) == most]


def _event_frames(before: View, event: Event, after: View) -> Iterator[tuple[View, Effect, float]]:
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
            shown.at, shown.turn = before.at, before.turn
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
    """Yield the picture of a removed card: a gap, or the card below it reversed."""
    if len(after.queue) < len(before.queue):
        yield before, Effect(gap=position, counted=counted), GAP_S
    else:
        yield after, Effect(lit=position, counted=counted), GAP_S


class Reel:
    """The pictures that are still to be shown.

    The reel reads no clock: its callers pass the time `now` in seconds.
    """

    def __init__(self) -> None:
        self._frames: list[Frame] = []
        self._ends = 0.0
        self.again = False
        """True while events are shown a second time."""
        self._is_stepped = False
        """True while the last picture of each repeated event stays until `step`."""

    @property
    def frame(self) -> Frame | None:
        """The present picture; None if the table itself is shown."""
        return self._frames[0] if self._frames else None

    def feed(self, frames: Sequence[Frame], now: float) -> None:
        """Add the pictures of new events.

        If too many events wait, keep only surprises. After an absence, drop all pictures. Events
        that are shown again are never dropped.
        """
        shown, pending = self.frame, [*self._frames, *frames]
        happened = {frame.event_count for frame in pending}
        most = LONGEST_CHAIN if shown is None else LONGEST_BACKLOG
        if len(happened) > most and not self.again:
            pending = _surprises(pending) if len(happened) <= LONGEST_ABSENCE else []
        self._frames = pending
        if pending and pending[0] is not shown:
            self._ends = now + pending[0].seconds

    def show_again(self, frames: Sequence[Frame], now: float, *, is_stepped: bool = False) -> None:
        """Show pictures again from the beginning, in place of the present ones.

        Pictures that are fed meanwhile follow these, and none is left out. With `is_stepped`, each
        event waits for `step`.
        """
        self._frames, self.again, self._is_stepped = list(frames), True, is_stepped
        self._ends = now + frames[0].seconds if frames else now

    def skip(self) -> bool:
        """Drop all pictures; return False if there were none."""
        skipped = bool(self._frames)
        self._frames, self.again = [], False
        return skipped

    def step(self, now: float) -> bool:
        """Go to the first picture of the next event; return False if no event follows.

        From then on, each event of a repetition waits for the next step.
        """
        self._is_stepped = True
        event_count = self._frames[0].event_count if self._frames else 0
        self._frames = [frame for frame in self._frames if frame.event_count > event_count]
        if self._frames:
            self._ends = now + self._frames[0].seconds
        self.again = self.again and bool(self._frames)
        return bool(self._frames)

    def advance(self, now: float) -> bool:
        """Go to the picture that is due at `now`; return False if no picture is left."""
        while self._frames and now >= self._ends and not self._waits:
            self._frames = self._frames[1:]
            if self._frames:
                self._ends += self._frames[0].seconds
        self.again = self.again and bool(self._frames)
        return bool(self._frames)

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the next picture; None without one, or before a step."""
        return max(0.0, self._ends - now) if self._frames and not self._waits else None

    @property
    def _waits(self) -> bool:
        """True if the present picture stays until the next step."""
        if not (self.again and self._is_stepped):
            return False
        present, *later = (frame.event_count for frame in self._frames)
        return present not in later


def _surprises(frames: Sequence[Frame]) -> list[Frame]:
    """Return the pictures of the last surprises. If there are many, each is shorter."""
    surprises = [frame for frame in frames if frame.weight in SURPRISE_S]
    last = sorted({frame.event_count for frame in surprises})[-MOST_SURPRISES:]
    kept = [frame for frame in surprises if frame.event_count in last]
    if len(last) <= LONGEST_BACKLOG:
        return kept
    return [replace(each, seconds=min(each.seconds, READ_S)) for each in kept]
