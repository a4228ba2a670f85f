"""What happens at the table, told in pictures: once by itself, and again when that is asked for.

Which pictures tell an event is for `motion_frames.py` to say.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

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
"""How long the table is left alone after each event that is told again."""


class Pictures:
    """What others have done, step by step, and since when."""

    def __init__(self) -> None:
        """Tell nothing yet."""
        self.reel = Reel()
        self.surprises: dict[int, Weight] = {}
        """Which events of the game were surprises, by how many had happened with them."""
        self.since: tuple[View, int] | None = None
        """What stood on the table when the reader answered last, and how many events had happened;
        or at the first sight of it, or what a spectator saw when the round began."""
        self.has_answered = False
        """Whether the reader has answered in this game since this program has seen it."""
        self._shown: View | None = None
        """The view that the last pictures led to."""

    def see(self, view: View, session: Session, now: float, pace_s: float, *, wanted: bool) -> None:
        """Let what has just happened be told, if pictures are wanted."""
        before, self._shown = self._shown, view
        if self.since is None or not _follows(view, session, *self.since):
            self.since, self.surprises = (view, len(session.events)), {}
            self.has_answered = not session.events
        elif before is not None and before.round != view.round and not view.viewers:
            self.since = before, session.fresh
        if self.reel.again and view.turn in view.viewers:
            self.reel.skip()
        fresh = session.events[session.fresh :]
        try:
            owners = session.owners()
            frames = frames_of(before, fresh, session.fresh, pace_s, owners) if before else []
        except IndexError:
            # It was another game, or the host told only part of it.
            frames = []
        self.surprises |= {each.told: each.weight for each in frames if each.weight in SURPRISE_S}
        if frames and wanted:
            self.reel.feed(frames, now)
        elif not self.reel.again:
            self.reel.skip()

    def answered(self, view: View, session: Session) -> None:
        """Take note that the reader answers now."""
        self.since, self.has_answered = (view, len(session.events)), True

    def again(self, view: View, session: Session, now: float, *, wanted: bool) -> bool:
        """Tell slowly what has happened since the reader's last answer; False if that is nothing.

        Where pictures are not wanted, each event is told in one.
        """
        before, told = self.since or (view, len(session.events))
        frames: list[Frame] = []
        try:
            events = session.events[told:]
            frames = frames_of(before, events, told, SINCE_S, session.owners(), again=True)
        except IndexError:
            pass
        if not wanted:
            frames = list({frame.told: frame for frame in frames}.values())
        if frames:
            self.reel.tell_again(frames, now)
        return bool(frames)

    def stays(
        self, view: View, happened: Sequence[Event], log: list[Line], table: TableNames
    ) -> Line | None:
        """Return what mattered most since the reader's last answer.

        Its line in the log names no positions any more once they have changed.
        """
        if self.since is None or view.over:
            return None
        _before, told = self.since
        # What was done to the reader comes first; of several as great a surprise the last; without
        # any what happened last to somebody.
        weighed = [
            (
                _strikes(happened[number - 1], view.viewers),
                self.surprises.get(number, Weight.ORDINARY).value,
                number,
            )
            for number, (seat, sentence) in enumerate(log[told:], told + 1)
            if sentence and seat is not None
        ]
        if not weighed:
            return None
        at = max(weighed)[-1] - 1
        if any(map(renumbers, happened[at:])):
            plain = replace(table, numbered=False)
            log[at] = log_lines(happened[: at + 1], plain, at)[0]
        return log[at]

    def changes(self, view: View) -> list[int]:
        """Return how much each seat has won or lost since the reader's last answer."""
        if self.since is None or view.over:
            return []
        before, _told = self.since
        return [now - then for now, then in zip(view.pools, before.pools, strict=True)]


def _follows(view: View, session: Session, before: View, told: int) -> bool:
    """Whether a view may be of the same game as an earlier one, after which so much was told."""
    return view.families == before.families and told <= len(session.events)


def _strikes(event: Event, readers: Sequence[Seat]) -> bool:
    """Whether an event is something that another does to a reader."""
    match event:
        case Eliminated(victim=struck) | Moved(owner=struck) | AmbushSprung(attacker=struck):
            pass
        case Stole(victim=struck, influence=influence) if influence:
            pass
        case _:
            return False
    return struck in readers and event.seat not in readers
