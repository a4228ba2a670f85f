"""Looking back at a game: the table itself, with a transport in the place of the prompt.

Everything shown is what the chosen eyes could know at that step; `engine.replaying` sees to that.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from driflamme_tui.drawing.layout import QueueRoom
from driflamme_tui.drawing.table_state import Cursor, PanelText, TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.replay.playback import Playback
from driflamme_tui.replay.record_files import saved
from driflamme_tui.screens.overlays.shared_overlay import share
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.study.replay_commands import ReplayCommands
from driflamme_tui.study.replay_overlays import (
    AnswersOverlay,
    FindOverlay,
    position_overlay,
    why_overlay,
)
from driflamme_tui.study.replay_words import judgements, no_more, nothing_to_teach, taught_sentences
from driflamme_tui.study.sittings import PastSitting
from driflamme_tui.study.teacher import Advice, Teacher, decisions, may_judge
from driflamme_tui.study.transport import Transport
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.progress_chart import ProgressChart
from driflamme_tui.widgets.table.zones import Part, Row
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.choices.teacher_words import thinking
from driflamme_tui.wording.game.result_words import turning_point
from driflamme_tui.wording.program.past_game_words import heading, player_names
from engine.ranking import owners_of
from engine.replaying import ALL, PUBLIC, Eyes, Replay
from engine.views import View

CHART_ROWS: Final = 7
"""Rows below the hand from which the chart stands there by itself."""
CHART_LEAST: Final = 40
"""Minimum width of that chart, in columns."""
CHART_PART: Final = 0.55
"""The part of all columns that it has on a wider screen."""


if TYPE_CHECKING:
    from netcode.workers.worker_pool import WorkerPool


class ReplayScreen(TableScreen, commands=ReplayCommands, inherit_bindings=False):
    """Where one is in a game, the ways through it, and what the teacher says."""

    def __init__(
        self, replay: Replay, eyes: Eyes = ALL, step: int = 0, *, taught: bool = False
    ) -> None:
        """Begin at a step, with somebody's eyes; `taught` is whether the teacher is there."""
        self._past = PastSitting(replay)
        super().__init__(self._past)
        self.below_queue = self._transport = Transport(id="transport")
        self._chart = ProgressChart(id="course")
        self.others = (self._chart,)
        self.playback = self._transport.playback = self._chart.playback = Playback(replay, eyes)
        self._owners = owners_of(self.replay.record.settings, len(self.replay.families))
        self.charted = False
        """Whether the chart stands in the place of the cards in hand."""
        told = partial(self.deliver, self.show)
        self.teacher = Teacher(replay, self.make_pool, told, there=taught)
        self.playback.go(step)
        self._past.look(self.playback.step, eyes, follows=False)
        self._explains = True
        """Whether it is said why this step is a turning point, if it is one."""

    def is_possible(self, command: Command) -> bool:
        """Return whether what a command needs is true now."""
        match command:
            case ReplayCommands.play | ReplayCommands.find:
                return bool(self.replay.last)
            case ReplayCommands.turning:
                return bool(self.playback.turning_points)
            case ReplayCommands.answers:
                return self.has_answers
            case ReplayCommands.board:
                return self.goes_on
            case ReplayCommands.why:
                return self.judged is not None
            case ReplayCommands.share:
                return self.replay.over
            case ReplayCommands.up | ReplayCommands.down:
                return self.look.on
        return super().is_possible(command)

    @property
    def replay(self) -> Replay:
        """The game."""
        return self.playback.replay

    def first_entries(self) -> Mapping[Entry, str]:
        """Return what the arrows do while looking, or that the teacher is there."""
        if self.look.on:
            along = ReplayCommands.back, ReplayCommands.on
            return {along: _("move along"), ReplayCommands.leave: _("done")}
        if not self.teacher.there:
            return {}
        words = self.entry_words
        return {entry: words(entry) for entry in (ReplayCommands.teach, ReplayCommands.why)}

    def entry_words(self, entry: Entry) -> str:
        """Return what the key bar calls something now."""
        if entry == ReplayCommands.play and self.playback.playing:
            return _("stop")
        if entry == ReplayCommands.leave and self.charted:
            return _("done")
        if entry == ReplayCommands.teach and self.teacher.there:
            return _("stop teacher")
        return super().entry_words(entry)

    def is_news(self, entry: Entry) -> bool:
        """Whether the teacher is there."""
        return super().is_news(entry) or (entry == ReplayCommands.teach and self.teacher.there)

    @property
    def has_answers(self) -> bool:
        """Whether somebody was asked something here."""
        return bool(self.replay.legal(self.playback.step, self.playback.eyes))

    @property
    def goes_on(self) -> bool:
        """Whether the game went on from here."""
        return not self.replay.games[self.playback.step].over

    # From step to step

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds the picture changes, or a game that plays goes on."""
        changes = super().next_change(now), self.playback.next_change(now)
        return min((change for change in changes if change is not None), default=None)

    def tick(self) -> None:
        """Go on with a game that plays by itself, if it is time."""
        before = self.playback.step
        if self.playback.advance(self.terminal.clock()):
            self._look(before)
        else:
            super().tick()

    def _look(self, before: int = -1, *, explains: bool = False) -> None:
        """See where one is now; a step on from the one seen before is told in pictures."""
        step, eyes = self.playback.step, self.playback.eyes
        self.pictures.reel.skip()
        self._past.look(step, eyes, follows=0 < step == before + 1)
        self._explains = explains
        self.session_changed()

    def begins(self, view: View) -> None:
        """Have the room for the cards of this step; what was looked at still is, if it is there."""
        self.queue_room = self._room()
        # Of the past all stands among the events.
        self.pictures.since = None
        look = self.look
        if look.on and look.cursor is not None and look.cursor.index >= len(view.queue):
            look.cursor = Cursor(len(view.queue) - 1) if view.queue else None

    def _room(self) -> QueueRoom:
        """Return the room that the round has needed up to this step and may need."""
        step, room = self.playback.step, QueueRoom()
        begun = max((each for each in self.replay.rounds if each <= step), default=0)
        for each in range(begun, step + 1):
            room = room.after(self.replay.seen(each, self.playback.eyes))
        return room

    def go(self, step: int) -> None:
        """Go to a step, and say so if it is a turning point; one on is told in pictures."""
        before = self.playback.step
        self.playback.stop()
        self.playback.go(step)
        self._look(before, explains=True)

    def action_step(self, by: int) -> None:
        """Go a step on or back; or along the cards that are looked at."""
        if self.look.on:
            self.action_walk(by)
        else:
            self.go(self.playback.step + by)

    def action_round(self, by: int) -> None:
        """Go to the next round, or back to the beginning of one."""
        self.go(self.replay.another_round(self.playback.step, by))

    def action_edge(self, side: int) -> None:
        """Go to the deal, or to the end."""
        self.go(0 if side < 0 else self.replay.last)

    def _another(self, steps: Iterable[int], by: int) -> None:
        """Go to the next of some steps, or to the one before; say so if there is none."""
        step = self.playback.another(tuple(steps), by)
        if step is None:
            self.show_notice(no_more(by))
        else:
            self.go(step)

    def action_elimination(self, by: int) -> None:
        """Go to the next elimination, or to the one before."""
        self._another(self.replay.eliminations, by)

    def action_turning(self, by: int) -> None:
        """Go to the next turning point, or to the one before."""
        self._another(self.playback.turning_points, by)

    @property
    def sentence(self) -> str:
        """What the last key or click came to, or else why this step is a turning point."""
        return self.notice or self._turning_words()

    def _turning_words(self) -> str:
        """Return why this step is a turning point, or "" if it is none, or not to be said."""
        point = self.playback.turning_points.get(self.playback.step)
        if point is None or not self._explains:
            return ""
        return " ".join(turning_point(point, self.names, self.replay.families, self._owners))

    def action_find(self) -> None:
        """Ask for a decision, and go to the next such."""

        def found(token: str | None) -> None:
            if token is None:
                return
            step = self.replay.find(token, self.playback.step, self.playback.eyes)
            if step is None:
                self.show_notice(
                    _("From this seat, no decision can be seen to be {token}.", token=token)
                )
            else:
                self.go(step)

        self.playback.stop()
        self.app.push_screen(FindOverlay(), found)

    def action_seek(self, step: int) -> None:
        """Go to the step that was clicked."""
        self.go(step)

    def action_play(self) -> None:
        """Let the game play by itself, or stop."""
        self.playback.play(self.terminal.clock())
        self._look()

    def action_speed(self, speed: int) -> None:
        """Play at a speed."""
        self.playback.hurry(speed, self.terminal.clock())
        if self.playback.playing:
            self.session_changed()
        else:
            self.action_play()

    # Whose eyes

    def action_eyes(self, whose: str) -> None:
        """Look with the eyes of a family, of everybody, or with all cards open."""
        onlookers: dict[str, Eyes] = {"all": ALL, "public": PUBLIC}
        if whose in onlookers:
            self._look_with(onlookers[whose])
        elif whose in self.replay.families:
            self._look_with(self.replay.families.index(whose))
        else:
            self.show_notice(_("That family was not at the table."))

    # A click on a player does the same.
    action_player = action_eyes

    def action_other_eyes(self) -> None:
        """Look with the next eyes."""
        eyes = self.replay.eyes()
        self._look_with(eyes[(eyes.index(self.playback.eyes) + 1) % len(eyes)])

    def _look_with(self, eyes: Eyes) -> None:
        self.playback.eyes = eyes
        self.word_anew()
        self._look()

    # Looking closer

    def action_teach(self) -> None:
        """Say what the teacher would have played, or stop saying so."""
        if not self.teacher.there and self.playback.eyes is PUBLIC:
            self.show_notice(_("The teacher needs the view of a seat, or all cards open."))
            return
        self.teacher.there = not self.teacher.there
        self.teacher.stop()
        self.notice, self._explains = "", False
        step, eyes = self.playback.step, self.playback.eyes
        if self.teacher.there and not may_judge(self.replay, step, eyes):
            decided = self.names[self.replay.games[step - 1].turn] if step else ""
            judged = self.names[eyes] if isinstance(eyes, int) else ""
            self.notice, self.good = nothing_to_teach(decided, judged), True
        self.show()

    def action_look(self) -> None:
        """Start or stop looking at cards with the arrow keys."""
        self.playback.stop()
        super().action_look()

    def action_chart(self) -> None:
        """Show the chart as large as there is room, or the cards again."""
        self.charted = not self.charted
        self.show()

    def covered(self) -> None:
        """Let the game not go on meanwhile."""
        self.playback.stop()
        self.session_changed()

    def action_why(self) -> None:
        """Show all that the teacher says of the last decision."""
        if self.judged is None:
            # While it thinks it says so itself, where nothing else stands in its place.
            self._explains = self._explains and not self._judging
            self.show_notice("" if self._judging else _("The teacher says nothing here."))
            return
        _answer, *reasons = taught_sentences(self.judged, self._prompter(), "\n  ")
        self.lay_over(why_overlay(self._advice()[0], reasons))

    def action_answers(self) -> None:
        """List what could be answered, and what was."""
        step, eyes = self.playback.step, self.playback.eyes
        answers = self.replay.legal(step, eyes)
        if self.replay.games[step].over:
            self.show_notice(_("The game is over: there is nothing to answer."))
        elif not answers:
            self.show_notice(_("This seat cannot see the cards of the player who is asked."))
        else:
            turn = self.replay.games[step].turn
            asked = replace(self.state(), view=self.replay.seen(step, turn))
            given = self.replay.token(step + 1) if step < self.replay.last else ""
            self.lay_over(AnswersOverlay(asked, answers, given))

    def action_board(self) -> None:
        """Play on from here on the analysis board, with these eyes."""
        from driflamme_tui.study.judged_screens import BoardScreen
        from driflamme_tui.study.local_table import board_of

        step, eyes = self.playback.step, self.playback.eyes
        if not self.goes_on:
            self.show_notice(_("The game is over: there is nothing to answer."))
            return
        seat = eyes if isinstance(eyes, int) else None
        self.lay_over(BoardScreen(board_of(self.replay, step, seat), taught=self.teacher.there))

    def action_position(self) -> None:
        """Show the position in notation, and copy it."""
        line = self.replay.line(self.playback.step, self.playback.eyes)
        self.app.copy_to_clipboard(line)
        program = self.terminal.copies_with
        self.lay_over(position_overlay(line, program, whole=self.playback.eyes is ALL))

    def action_save(self) -> None:
        """Write the record of the game into a file, and say where."""
        room = self.size.width - 2
        sentence, good = saved(self.replay.record, self.terminal.folder, room)
        self.show_notice(sentence, good=good)

    def action_share(self) -> None:
        """Copy what to tell others of the game, and write a picture of this step."""
        # What an earlier key came to is no part of the picture.
        self._explains = False
        self.show_notice("")
        share(self.app, self.replay, self.glyphs)

    def action_leave(self) -> None:
        """Stop looking, lay the chart aside, or leave the game."""
        if self.look.on:
            self.action_look()
        elif self.charted:
            self.action_chart()
        else:
            self.leave_at_once()

    def make_pool(self) -> "WorkerPool":
        """Return the processes that the teacher thinks in: one is enough."""
        from netcode.workers.worker_pool import WorkerPool

        return WorkerPool(1)

    async def on_unmount(self) -> None:
        """Let the teacher go."""
        await self.teacher.close()

    # What is shown

    def present(self, state: TableState) -> TableState:
        """Return the present moment, as these eyes see it."""
        eyes = self.playback.eyes
        return replace(
            state,
            heading=heading(self.replay.record)[::-1],
            laid_open=eyes is ALL,
            hand_of=eyes if isinstance(eyes, int) else None,
            beside=self._why(),
        )

    def draw_others(self, state: TableState) -> None:
        """Share out what there is, and draw it."""
        teacher, eyes = self.teacher, self.playback.eyes
        teacher.teach(eyes, self.playback.step)
        self._show_transport(state)
        self._chart.lost = None
        if teacher.there:
            judged = teacher.advice.keys() & decisions(self.replay, eyes)
            self._chart.lost = {step: teacher.advice[step].lost for step in sorted(judged)}
        self._chart.redraw()

    def _show_transport(self, state: TableState) -> None:
        transport, session = self._transport, self._past.session
        transport.state = state
        # What somebody decided comes first; what it led to stands among the events.
        first = len(session.events) - len(self.replay.happened[self.playback.step])
        seat, sentence = self.event_lines.lines[first]
        sign = "" if seat is None else f"{state.prompter.tag(seat)} "
        transport.happened = f"{sign}{sentence}"
        now = replace(state, view=self.view)
        transport.coming = "" if now.view.over else now.prompter.waiting()
        transport.advice = self._advice()
        transport.notice = self.sentence
        transport.good = self.good or not self.notice
        transport.redraw()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat, who held them when this step was decided."""
        return player_names(self.replay.record, max(0, self.playback.step - 1))

    @property
    def _judging(self) -> bool:
        """Whether the teacher is there and judges the decision that led here."""
        judges = may_judge(self.replay, self.playback.step, self.playback.eyes)
        return self.teacher.there and judges

    @property
    def judged(self) -> Advice | None:
        """What it thinks of that decision, once it has thought."""
        return self.teacher.advice.get(self.playback.step) if self._judging else None

    def _prompter(self) -> Prompter:
        """Return what words the last decision: what was there to be known then, and no more."""
        step = self.playback.step
        seen = self.replay.seen(step - 1, self.replay.games[step - 1].turn)
        return Prompter(seen, self.names, self.glyphs)

    def _advice(self) -> list[str]:
        """Return what the teacher says of the decision that led here, the longest first."""
        advice = self.judged
        if advice is not None:
            return judgements(self.replay, advice, self._prompter())
        return [thinking(failed=self.teacher.given_up)] if self._judging else []

    def _why(self) -> PanelText | None:
        """Return what the teacher says beside its answer, and that too where a notice stands."""
        advice = self.judged
        if advice is None:
            return None
        _answer, *reasons = taught_sentences(advice, self._prompter())
        if self.sentence:
            reasons[:1] = [" ".join((self._advice()[0], *reasons[:1]))]
        return PanelText(_("Teacher"), reasons[0], rows=reasons[1:]) if reasons else None

    def middle(self, state: TableState) -> list[Row]:
        """Return the table, without the hand and maybe the Queue where the chart has their rows."""
        queue, asked, *hand = super().middle(state)
        if not self.charted:
            return [queue, asked, *hand]
        layout = state.layout
        rows = layout.hand_height + layout.events_height + layout.air
        return [queue, asked] if rows >= CHART_ROWS else [asked]

    def beside_hand(self, state: TableState) -> list[Part]:
        """Return the help, if the hand leaves room for it."""
        whole = self.hand_width(state) >= state.layout.width
        return [] if whole else super().beside_hand(state)

    def bottom(self, state: TableState) -> list[Row]:
        """Return the events with the chart beside them, or the chart alone."""
        return [(None, [(self._chart, None)])] if self.charted else super().bottom(state)

    def beside_events(self, state: TableState) -> list[Part]:
        """Return the chart, where there is room for it."""
        layout = state.layout
        if layout.events_height < CHART_ROWS or layout.width < 2 * CHART_LEAST:
            return []
        return [(self._chart, max(CHART_LEAST, int(layout.width * CHART_PART)))]
