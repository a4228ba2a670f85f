"""Animates events at the table: once automatically, and again on request.

`motion_frames.py` decides which frames show an event.
"""

from collections.abc import Container, Sequence
from typing import Final

from msgspec.structs import replace

from driflamme_tui.model.earlier_views import view_before
from driflamme_tui.model.motion_frames import (
    SURPRISE_S,
    Frame,
    Reel,
    Weight,
    frames_of,
)
from driflamme_tui.wording.game.event_words import Line, TableNames, log_lines, renumbers
from engine.cards import Seat
from engine.events import AmbushSprung, Eliminated, Event, Moved, Stole
from engine.views import View
from netcode.client.session import Session

SINCE_S: Final = 1.0
"""Seconds after each event in a repetition."""


class Animation:
    """Runs the animation, and stores the reader's last answer, where a repetition begins."""

    def __init__(self) -> None:
        """Start without frames."""
        self.reel = Reel()
        self.surprises: dict[int, Weight] = {}
        """The weights of surprising events.

        The key is the number of events up to and including the surprising one.
        """
        self.since: tuple[View, int] | None = None
        """The view at the reader's last answer, and the number of events at that time.

        Before any answer, the view is the first one; for a spectator, the last one of the previous
        round. None before the first view.
        """
        self.has_answered = False
        """True if the reader's last answer in this game is known, or the program has followed the
        game from its first event.
        """
        self._shown: View | None = None
        """The view at the end of the last animation; None before the first view."""

    def begin_at(self, view: View) -> None:
        """Use a view as the starting point of the next events."""
        self._shown = view

    def see(
        self,
        view: View,
        session: Session,
        now: float,
        pace_s: float,
        *,
        wanted: bool,
        answered: int | None = None,
    ) -> None:
        """Store a new view, and animate new events if `wanted`.

        A view of another game resets the reader's last answer. At the reader's turn, a running
        repetition ends.

        Args:
            view: The new view.
            session: The session with all events of the game.
            now: The time, on the app's clock.
            pace_s: Seconds of the pause after an ordinary event of another player.
            wanted: True if events should be animated.
            answered: The number of events before the last answer of a reader who comes back to a
                running game; None if that is unknown.
        """
        before, self._shown = self._shown, view
        if self.since is None or not _follows(view, session, *self.since):
            self.since, self.surprises = (view, len(session.events)), {}
            self.has_answered = not session.events
            then = None if answered is None else view_before(view, session.events, answered)
            if then is not None and answered is not None:
                self.since, self.has_answered = (then, answered), True
        elif before is not None and before.round != view.round and not view.viewers:
            self.since = before, session.fresh
        if self.reel.again and view.turn in view.viewers:
            self.reel.skip()
        fresh = session.events[session.fresh :]
        try:
            owners = session.owners()
            frames = frames_of(before, fresh, session.fresh, pace_s, owners) if before else []
        except IndexError:
            # The former view was of another game, or the host has sent only a part of the events,
            # so show nothing.
            frames = []
        self.surprises |= {
            each.event_count: each.weight for each in frames if each.weight in SURPRISE_S
        }
        if frames and wanted:
            self.reel.feed(frames, now)
        elif not self.reel.again:
            self.reel.skip()

    def has_news(self, session: Session) -> bool:
        """Return True if something has happened since the reader's last answer."""
        return len(session.events) > (0 if self.since is None else self.since[1])

    def answered(self, view: View, session: Session) -> None:
        """Store the view at the reader's answer. The next repetition begins there."""
        self.since, self.has_answered = (view, len(session.events)), True

    def again(
        self,
        view: View,
        session: Session,
        now: float,
        *,
        wanted: bool,
        is_stepped: bool = False,
    ) -> bool:
        """Show the events since the reader's last answer again, in slow motion.

        If animation is not `wanted`, show only the last frame of each event. If `is_stepped`, each
        event waits for the reader's key. Returns False if these events have no frames.
        """
        before, count = self.since or (view, len(session.events))
        frames: list[Frame] = []
        try:
            events = session.events[count:]
            frames = frames_of(before, events, count, SINCE_S, session.owners(), again=True)
        except IndexError:
            pass
        if not wanted:
            frames = list({frame.event_count: frame for frame in frames}.values())
        if frames:
            self.reel.show_again(frames, now, is_stepped=is_stepped)
        return bool(frames)

    def stays(
        self,
        view: View,
        happened: Sequence[Event],
        log: list[Line],
        table: TableNames,
        overdue: Container[int] = (),
    ) -> Line | None:
        """Return the line of the most important event since the reader's last answer.

        Returns None before the first view, after the game, and if no player has acted since then.

        If positions have changed since that event, its line in `log` is replaced by one without
        positions. `overdue` has the indexes of events whose decision a bot made because the time
        was up.
        """
        if self.since is None or view.over:
            return None
        _before, count = self.since
        # Events against the reader come first, then the most surprising ones; among equal events
        # choose the last. If no event is surprising, choose the last event that has a player.
        weighed = [
            (
                _strikes(happened[number - 1], view.viewers),
                self.surprises.get(number, Weight.ORDINARY).value,
                number,
            )
            for number, (seat, sentence) in enumerate(log[count:], count + 1)
            if sentence and seat is not None
        ]
        if not weighed:
            return None
        at = max(weighed)[-1] - 1
        if any(map(renumbers, happened[at:])):
            plain = replace(table, numbered=False)
            log[at] = log_lines(happened[: at + 1], plain, at, overdue)[0]
        return log[at]

    def changes(self, view: View) -> list[int]:
        """Return each seat's gain or loss of influence since the reader's last answer.

        The list is empty before the first answer, and after the game.
        """
        if self.since is None or view.over:
            return []
        before, _count = self.since
        return [now - then for now, then in zip(view.pools, before.pools, strict=True)]


def _follows(view: View, session: Session, before: View, count: int) -> bool:
    """Return True if a view may continue the game of an earlier view."""
    return view.families == before.families and count <= len(session.events)


def _strikes(event: Event, readers: Sequence[Seat]) -> bool:
    """Return True if another player's event harms or moves a card of the reader."""
    match event:
        case Eliminated(victim=struck) | Moved(owner=struck) | AmbushSprung(attacker=struck):
            pass
        case Stole(victim=struck, influence=influence) if influence:
            pass
        case _:
            return False
    return struck in readers and event.seat not in readers
