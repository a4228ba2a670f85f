"""What happens at the table, told in pictures: once by itself, and again when that is asked for.

Any key and any click ends them. Which pictures tell an event is for `motion_frames.py` to say.
"""

from typing import Final

from textual import events

from driflamme_tui.model.motion_frames import SURPRISE_S, Weight, frames_again, frames_of
from driflamme_tui.screens.table.table_hints import TableHints
from driflamme_tui.screens.table.table_summary import follows
from driflamme_tui.text.i18n import _
from engine.view import View

SINCE_S: Final = 1.0
"""How long the table is left alone after each event that is told again."""


class TablePictures(TableHints):
    """Shows what others have done, step by step."""

    def __init__(self) -> None:
        super().__init__()
        self._surprises: dict[int, Weight] = {}
        """Which events of the game were surprises, by how many had happened with them."""
        self._pictured: View | None = None
        """The view that the last pictures led to."""

    def _picture(self, view: View) -> None:
        """Let what has just happened be told in pictures, if pictures are wanted."""
        session, before = self.services.session, self._pictured
        self._pictured = view
        pace_s = self.services.settings.pace
        if self.answered_at is None or not follows(view, session.events, *self.answered_at):
            self.answered_at, self._surprises = (view, len(session.events)), {}
        elif before is not None and before.round != view.round and not view.viewers:
            self.answered_at = before, session.fresh
        if self._reel.again and view.turn in view.viewers:
            self._reel.skip()
        fresh = session.events[session.fresh :]
        try:
            owners = session.owners()
            frames = frames_of(before, fresh, session.fresh, pace_s, owners) if before else []
        except IndexError:
            # It was another game, or the host told only part of it.
            frames = []
        self._surprises |= {each.told: each.weight for each in frames if each.weight in SURPRISE_S}
        if frames and self.pictures_wanted() and self.services.lost is None:
            self._reel.feed(frames, self.services.clock())
        elif not self._reel.again:
            self._reel.skip()

    def action_since(self) -> None:
        """Tell again, slowly, what has happened since the reader's last answer."""
        session = self.services.session
        view, told = self.answered_at or (self.view, len(session.events))
        try:
            frames = frames_again(view, session.events[told:], told, SINCE_S, session.owners())
        except IndexError:
            frames = []
        if not frames:
            self._refuse(_("Nothing has happened since your last answer."))
            return
        if not self.pictures_wanted():
            frames = list({frame.told: frame for frame in frames}.values())
        self.notice = ""
        self._reel.tell_again(frames, self.services.clock())
        self.show()
        self._wait_for_change()

    def skip_pictures(self) -> None:
        """Show the table as it is; the key or click that asked for it confirms nothing."""
        if self._reel.skip():
            self.writing_ended()
            self.show()

    def on_key(self, event: events.Key) -> None:
        """Any key ends the pictures, and does nothing else to those that are shown again."""
        if self._reel.again:
            event.stop()
        self.skip_pictures()

    def on_mouse_up(self) -> None:
        """So does any click, before it becomes one."""
        self.skip_pictures()
