"""The result: who won and why, what everybody had, and another game if they like."""

from typing import Final

from textual import events, on
from textual.app import ComposeResult

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import margin
from driflamme_tui.keymap.command_type import Entry
from driflamme_tui.keymap.screen_commands import ResultCommands
from driflamme_tui.replay.playback import Playback
from driflamme_tui.replay.record_files import saved
from driflamme_tui.screens.base.sharing import share
from driflamme_tui.screens.countdown import StartCount
from driflamme_tui.screens.result_drawing import GAPS, ResultPainter, ResultPicture
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.widgets.table.scrubber import ProgressChart, Seek
from driflamme_tui.wording.program.evening_words import game_words
from driflamme_tui.wording.program.table_settings_words import free_families
from engine.record import Record
from engine.replaying import Replay
from engine.view import View
from netcode.protocol.messages import BackToLobby, ChooseFamily, Lobby, SetReady

CHART_WIDTH: Final = 100
"""Columns from which the chart stands under everything else."""
LOWEST_CHART: Final = 8
"""Rows of the lowest chart: fewer would show no difference."""
HIGHEST_CHART: Final = 20
"""Rows of the highest chart beside anything else."""
GROWING_S: Final = 0.8
"""For how long bars grow to what they stand for."""
FRAME_S: Final = 1 / 12
"""How long each picture of that stays."""

TALK_ROWS: Final = 4
"""Rows of the chat on the smallest screen while one writes."""
FEWEST_TALK_ROWS: Final = 2
"""Rows of the chat where the result needs all others, once something was said."""
TALK_PART: Final = 5
"""On a larger screen the chat has one of so many rows."""
TALK_MOST: Final = 7
"""Rows of the chat at most, since the chart needs the room."""


class ResultScreen(SessionScreen, commands=ResultCommands):
    """What stays after a game until everybody has seen it."""

    course_shown = False
    """Whether the course of the game stands in the place of the ranking."""
    _shown: Lobby | None = None
    """What is shown of the table."""
    _playback: Playback | None = None
    """The game at its end, once there is a record of it."""
    _grows_from: float | None = None
    """When bars began to grow; None once they have."""

    def __init__(self) -> None:
        super().__init__()
        self.start_count = StartCount()

    def zones(self) -> ComposeResult:
        """A board, the chart under it, and the chat."""
        board, talk = super().zones()
        yield board
        yield ProgressChart(id="course")
        yield talk

    def on_mount(self) -> None:
        """Show what there is, the bars as they grow."""
        if self.app.animation_level != "none" and not self.services.line.slow:
            self._grows_from = self.services.clock()

    def sync(self) -> None:
        """Show what the session knows now."""
        session, lobby = self.services.session, self.lobby
        if session.view is None or not session.view.over:
            return
        before, lost = self._shown, self.services.lost is not None
        if before is not lobby:
            self._shown, self.notice = lobby, ""
        if stopped := self.start_count.follow(before, lobby, self.services.clock(), lost=lost):
            self.notice, self.good = stopped, False
        picture, height = self._result(session.view), self.size.height - 1
        rows = max(TALK_ROWS, min(TALK_MOST, height // TALK_PART))
        if not self.talking:
            # What was said gives way to what happened.
            rows = max(FEWEST_TALK_ROWS, min(rows, height - picture.needed()))
            if height >= picture.least():
                rows = min(rows, height - picture.least())
        there = self.talking or (bool(session.talk) and rows > 0)
        self.query_one(TalkPanel).display = there
        if there:
            self.show_talk(rows)
        self._divide(picture, height - rows * there)
        super().sync()

    def _result(self, view: View) -> ResultPicture:
        """Return what is to be drawn."""
        session = self.services.session
        return ResultPicture(
            view=view,
            lobby=self.lobby,
            names=session.names(),
            owners=session.owners(),
            events=session.events,
            playback=self.playback,
            glyphs=self.glyphs,
            width=self.size.width,
            grown=self._grown(),
            count=self.start_count.left(self.services.clock()),
            notice=self.told_notice(),
            sealed=session.sealed,
        )

    def draw(self, canvas: Canvas) -> None:
        """Draw the result, or how it came about."""
        view, lost = self.services.session.view, self.lost_title()
        if view is None:
            return
        self.draw_head(canvas, _("Result"), lost or game_words(self.lobby), alert=bool(lost))
        painter = ResultPainter(canvas, self._result(view))
        if self.course_shown:
            painter.paint_course()
        else:
            painter.paint()

    def _divide(self, picture: ResultPicture, height: int) -> None:
        """Divide the rows between what is drawn and the chart."""
        chart = self.query_one(ProgressChart)
        chart.playback = self.playback
        left = margin(self.size.width)
        rows = picture.needed() + GAPS
        if self.course_shown:
            rows = 3 + picture.view.players + len(picture.points(whole=True))
        rows = min(rows, height - LOWEST_CHART)
        beside = self.size.width >= CHART_WIDTH and rows >= picture.needed()
        chart.display = chart.playback is not None and (self.course_shown or beside)
        self.board.styles.height = rows if chart.display else "1fr"
        chart.styles.max_height = None if self.course_shown else HIGHEST_CHART
        chart.styles.margin = (0, left, 0, left - 1)
        chart.redraw()

    @property
    def playback(self) -> Playback | None:
        """The game to look back at, at its end; None while there is no record of it."""
        record = self.services.session.record
        if record is None:
            return None
        if self._playback is None or self._playback.replay.record is not record:
            self._playback = Playback(Replay.of(record))
            self._playback.go(self._playback.replay.last)
        return self._playback

    # Time

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds something that is shown changes by itself."""
        changes = [super().next_change(now), self.start_count.next_change(now)]
        changes.append(None if self._grows_from is None else FRAME_S)
        return min((change for change in changes if change is not None), default=None)

    def tick(self) -> None:
        """Show the present time, until bars have grown."""
        if self._grown() >= 1:
            self._grows_from = None
        super().tick()

    def on_key(self, _event: events.Key) -> None:
        """Let bars grow no more: whoever presses a key has seen enough of that."""
        self._grows_from = None
        self.board.redraw()

    def _grown(self) -> float:
        """Return which part of their length bars have."""
        if self._grows_from is None:
            return 1.0
        return min(1.0, (self.services.clock() - self._grows_from) / GROWING_S)

    def entry_words(self, entry: Entry) -> str:
        """Return what the key bar calls something now."""
        own = self.lobby.own_seat
        if entry == ResultCommands.again and (own is None or own.ready):
            return _("sit down") if own is None else _("not yet")
        return super().entry_words(entry)

    @property
    def may_play_again(self) -> bool:
        """Whether the reader has a seat, or can take one."""
        return self.lobby.you is not None or bool(free_families(self.lobby))

    @property
    def has_line(self) -> bool:
        """Whether the line to the table is there."""
        return not self.is_lost

    @property
    def has_moments(self) -> bool:
        """Whether moments are known that decided the game."""
        return self.playback is not None and bool(self.playback.turning_points)

    def _record(self) -> Record | None:
        """Return the record of the game, or say that there is none."""
        record = self.services.session.record
        if record is None:
            self.show_notice(_("The table has not sent the record of this game."))
        return record

    def action_replay(self) -> None:
        """Look back at the game that is over; while the line is lost, try it at once instead."""
        if not self.retries() and (record := self._record()) is not None:
            self.services.show_replay(record)

    @on(Seek)
    def _sought(self, message: Seek) -> None:
        if (record := self._record()) is not None:
            self.services.show_replay(record, message.step)

    def action_moment(self, number: str) -> None:
        """Look back at one of the moments that decided the game."""
        if (record := self._record()) is not None and self.playback is not None:
            steps = [*self.playback.turning_points][int(number) - 1 : int(number)]
            for step in steps:
                self.services.show_replay(record, step)

    def action_save(self) -> None:
        """Write the record of the game into a file, and say where."""
        if (record := self._record()) is not None:
            room = self.size.width - margin(self.size.width) - 1
            sentence, good = saved(record, self.services.folder, room)
            self.show_notice(self.glyphs.plain(sentence), good=good)

    def action_share(self) -> None:
        """Copy what to tell others of the game."""
        if self._record() is not None and self.playback is not None:
            self.show_notice("")
            share(self.app, self.playback.replay, self.glyphs)

    def action_again(self) -> None:
        """Say that one would like another game, or not after all; who watches sits down."""
        own, free = self.lobby.own_seat, free_families(self.lobby)
        if own is None and free:
            self.services.say(ChooseFamily(family=free[0]))
        elif own is not None:
            self.services.say(SetReady(ready=not own.ready))

    def action_table(self) -> None:
        """Look at the table as it was at the end."""
        self.services.show_result(False)

    def action_course(self) -> None:
        """Show how influence went over the game, or the ranking again."""
        self.course_shown = not self.course_shown and self.playback is not None
        self.sync()

    def action_lobby(self) -> None:
        """Go back to the lobby with everybody."""
        self.services.say(BackToLobby())
