"""The replay of a game: the table itself, with a transport instead of the prompt.

All contents are limited to the knowledge of the chosen eyes at that step; `engine.replaying`
ensures this.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from driflamme_tui.drawing.layout import QueueSpace
from driflamme_tui.drawing.table_state import Cursor, PanelText, TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.replay.playback import Playback
from driflamme_tui.replay.record_files import saved
from driflamme_tui.screens.countdown import soonest
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
from driflamme_tui.study.replay_zones import ReplayZones
from driflamme_tui.study.sittings import PastSitting
from driflamme_tui.study.teacher import Advice, Teacher, decisions, may_judge
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.choices.teacher_words import thinking
from driflamme_tui.wording.game.result_words import turning_point
from driflamme_tui.wording.program.past_game_words import heading, player_names
from engine.ranking import owners_of
from engine.replaying import ALL, PUBLIC, Eyes, Replay
from engine.views import View

if TYPE_CHECKING:
    from netcode.workers.worker_pool import WorkerPool


class ReplayScreen(TableScreen, commands=ReplayCommands, inherit_bindings=False):
    """The present step of a game, the ways through it, and the teacher's judgements."""

    zones: ReplayZones

    def __init__(
        self, replay: Replay, eyes: Eyes = ALL, step: int = 0, *, taught: bool = False
    ) -> None:
        """Start at a step with these eyes; `taught` is True if the teacher judges at once."""
        self._past, self.playback = PastSitting(replay), Playback(replay, eyes)
        super().__init__(self._past, ReplayZones(self.playback))
        self._owners = owners_of(self.replay.record.settings, len(self.replay.families))
        deliver = partial(self.deliver, self.show)
        self.teacher = Teacher(replay, self.make_pool, deliver, there=taught)
        self.playback.go(step)
        self._show_step(happens=self.playback.step in self.playback.turning_points)
        self._explains = True
        """True if the reason of a turning point is shown."""

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now."""
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
        """Return the entries for arrows while looking, or the teacher's while it judges."""
        if self.look.on:
            along = ReplayCommands.back, ReplayCommands.on
            return {along: _("move along"), ReplayCommands.leave: _("done")}
        if not self.teacher.there:
            return {}
        words = self.entry_words
        return {entry: words(entry) for entry in (ReplayCommands.teach, ReplayCommands.why)}

    def entry_words(self, entry: Entry) -> str:
        """Return the words of an entry in the key bar."""
        if entry == ReplayCommands.play and self.playback.playing:
            return _("stop")
        if entry == ReplayCommands.leave and self.zones.is_charted:
            return _("done")
        if entry == ReplayCommands.teach and self.teacher.there:
            return _("stop teacher")
        return super().entry_words(entry)

    def is_news(self, entry: Entry) -> bool:
        """Return True for the teacher's entry while it judges."""
        return super().is_news(entry) or (entry == ReplayCommands.teach and self.teacher.there)

    @property
    def has_answers(self) -> bool:
        """True if these eyes can see possible answers at this step."""
        return bool(self.replay.legal(self.playback.step, self.playback.eyes))

    @property
    def goes_on(self) -> bool:
        """True if the game is not over at this step."""
        return not self.replay.games[self.playback.step].over

    # Steps

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the next frame, or the next step of a running replay."""
        return soonest(super().next_change(now), self.playback.next_change(now))

    def tick(self) -> None:
        """Advance a running replay if it is time."""
        before = self.playback.step
        if self.playback.advance(self.terminal.clock()):
            self._look(happens=self.playback.step == before + 1)
        else:
            super().tick()

    def _look(self, *, happens: bool = False, explains: bool = False) -> None:
        """Show the present step, with its pictures if it `happens` now."""
        self.pictures.reel.skip()
        self._show_step(happens=happens)
        self._explains = explains
        self.session_changed()

    def _show_step(self, *, happens: bool) -> None:
        step, eyes = self.playback.step, self.playback.eyes
        happens = happens and step > 0
        if happens:
            self.pictures.begin_at(self.replay.seen(step - 1, eyes))
        self._past.look(step, eyes, follows=happens)

    def begins(self, view: View) -> None:
        """Make room for the stacks of this step, and keep the cursor if its stack still exists."""
        self.zones.space = self._queue_space()
        # In a replay every past event is in the list of events.
        self.pictures.since = None
        look = self.look
        if look.on and look.cursor is not None and look.cursor.index >= len(view.queue):
            look.cursor = Cursor(len(view.queue) - 1) if view.queue else None

    def _queue_space(self) -> QueueSpace:
        """Return the room for the round's stacks up to this step, and for possible ones."""
        step, space = self.playback.step, QueueSpace()
        begun = max((each for each in self.replay.rounds if each <= step), default=0)
        for each in range(begun, step + 1):
            space = space.after(self.replay.seen(each, self.playback.eyes))
        return space

    def go(self, step: int, *, happens: bool = False) -> None:
        """Go to a step, and explain a turning point.

        The next step, and one that `happens`, is shown with its pictures.
        """
        before = self.playback.step
        self.playback.stop()
        self.playback.go(step)
        self._look(happens=happens or self.playback.step == before + 1, explains=True)

    def action_step(self, by: int) -> None:
        """Go one step forward or back; while looking, go along the cards."""
        if self.look.on:
            self.action_walk(by)
        else:
            self.go(self.playback.step + by)

    def action_round(self, by: int) -> None:
        """Go to the beginning of the next round, or of this or the previous one."""
        self.go(self.replay.another_round(self.playback.step, by))

    def action_edge(self, side: int) -> None:
        """Go to the deal or to the end."""
        self.go(0 if side < 0 else self.replay.last)

    def _another(self, steps: Iterable[int], by: int) -> None:
        """Go to the next or previous of some steps, or show that there is none."""
        step = self.playback.another(tuple(steps), by)
        if step is None:
            self.show_notice(no_more(by))
        else:
            self.go(step, happens=True)

    def action_elimination(self, by: int) -> None:
        """Go to the next or previous elimination."""
        self._another(self.replay.eliminations, by)

    def action_turning(self, by: int) -> None:
        """Go to the next or previous turning point."""
        self._another(self.playback.turning_points, by)

    @property
    def sentence(self) -> str:
        """The result of the last key or click, or else the reason of a turning point."""
        return self.notice or self._turning_words()

    def _turning_words(self) -> str:
        """Return the reason of a turning point; "" if this step is none, or if it is not wanted."""
        point = self.playback.turning_points.get(self.playback.step)
        if point is None or not self._explains:
            return ""
        return " ".join(turning_point(point, self.names, self.replay.families, self._owners))

    def action_find(self) -> None:
        """Ask for a decision, and go to the next one like it."""

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
        """Go to the clicked step."""
        self.go(step)

    def action_play(self) -> None:
        """Start the replay, or stop it."""
        self.playback.play(self.terminal.clock())
        self._look()

    def action_speed(self, speed: int) -> None:
        """Play at this speed."""
        self.playback.hurry(speed, self.terminal.clock())
        if self.playback.playing:
            self.session_changed()
        else:
            self.action_play()

    # Eyes

    def action_eyes(self, whose: str) -> None:
        """Show the knowledge of a family or of the public, or open all cards."""
        onlookers: dict[str, Eyes] = {"all": ALL, "public": PUBLIC}
        if whose in onlookers:
            self._look_with(onlookers[whose])
        elif whose in self.replay.families:
            self._look_with(self.replay.families.index(whose))
        else:
            self.show_notice(_("That family was not at the table."))

    # A click on a player has the same effect.
    action_player = action_eyes

    def action_other_eyes(self) -> None:
        """Switch to the next eyes."""
        eyes = self.replay.eyes()
        self._look_with(eyes[(eyes.index(self.playback.eyes) + 1) % len(eyes)])

    def _look_with(self, eyes: Eyes) -> None:
        self.playback.eyes = eyes
        self.word_anew()
        self._look()

    # Details

    def action_teach(self) -> None:
        """Show the teacher's judgements, or hide them."""
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
        """Show the chart as large as possible, or the cards again."""
        self.zones.is_charted = not self.zones.is_charted
        self.show()

    def covered(self) -> None:
        """Stop a running replay below an overlay."""
        self.playback.stop()
        self.session_changed()

    def action_why(self) -> None:
        """Show the teacher's whole judgement of the last decision."""
        if self.judged is None:
            # While the teacher thinks, the transport shows this if no other text takes its row.
            self._explains = self._explains and not self._judging
            self.show_notice("" if self._judging else _("The teacher says nothing here."))
            return
        _answer, *reasons = taught_sentences(self.judged, self._prompter(), "\n  ")
        self.lay_over(why_overlay(self._advice()[0], reasons))

    def action_answers(self) -> None:
        """List the possible answers, and the given one."""
        step, eyes = self.playback.step, self.playback.eyes
        answers = self.replay.legal(step, eyes)
        if self.replay.games[step].over:
            self.show_notice(_("The game is over: there is nothing to answer."))
        elif not answers:
            self.show_notice(_("This seat cannot see the cards of the player who is asked."))
        else:
            turn = self.replay.games[step].turn
            at_question = replace(self.state(), view=self.replay.seen(step, turn))
            given = self.replay.token(step + 1) if step < self.replay.last else ""
            self.lay_over(AnswersOverlay(at_question, answers, given))

    def action_board(self) -> None:
        """Open the analysis board at this step, with these eyes."""
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
        """Write the record of the game into a file, and show its path."""
        space = self.size.width - 2
        sentence, good = saved(self.replay.record, self.terminal.folder, space)
        self.show_notice(sentence, good=good)

    def action_share(self) -> None:
        """Copy a summary of the game for others, and write a picture of this step."""
        # The last notice does not belong into the picture.
        self._explains = False
        self.show_notice("")
        share(self.app, self.replay, self.glyphs)

    def action_leave(self) -> None:
        """Stop looking, close the chart, or leave the replay."""
        if self.look.on:
            self.action_look()
        elif self.zones.is_charted:
            self.action_chart()
        else:
            self.leave_at_once()

    def make_pool(self) -> "WorkerPool":
        """Return the teacher's worker pool, which needs only one process."""
        from netcode.workers.worker_pool import WorkerPool

        return WorkerPool(1)

    async def on_unmount(self) -> None:
        """Stop the teacher."""
        await self.teacher.close()

    # Drawing

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
        """Draw the transport and the chart, and let the teacher judge this step first."""
        teacher, eyes = self.teacher, self.playback.eyes
        teacher.teach(eyes, self.playback.step)
        self._show_transport(state)
        self.zones.chart.lost = None
        if teacher.there:
            judged = teacher.advice.keys() & decisions(self.replay, eyes)
            self.zones.chart.lost = {step: teacher.advice[step].lost for step in sorted(judged)}
        self.zones.chart.redraw()

    def _show_transport(self, state: TableState) -> None:
        transport, session = self.zones.transport, self._past.session
        transport.state = state
        # The decision comes first; its effects are in the list of events.
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
        """The players' names by seat, at the time of this step's decision."""
        return player_names(self.replay.record, max(0, self.playback.step - 1))

    @property
    def _judging(self) -> bool:
        """True if the teacher judges the decision of this step."""
        judges = may_judge(self.replay, self.playback.step, self.playback.eyes)
        return self.teacher.there and judges

    @property
    def judged(self) -> Advice | None:
        """The teacher's judgement of that decision; None until it has one."""
        return self.teacher.advice.get(self.playback.step) if self._judging else None

    def _prompter(self) -> Prompter:
        """Return the object that words the last decision, limited to the knowledge at that time."""
        step = self.playback.step
        seen = self.replay.seen(step - 1, self.replay.games[step - 1].turn)
        return Prompter(seen, self.names, self.glyphs)

    def _advice(self) -> list[str]:
        """Return the teacher's judgement in several lengths, the longest first."""
        advice = self.judged
        if advice is not None:
            return judgements(self.replay, advice, self._prompter())
        return [thinking(failed=self.teacher.given_up)] if self._judging else []

    def _why(self) -> PanelText | None:
        """Return the teacher's reasons; if a notice covers its answer, include that too."""
        advice = self.judged
        if advice is None:
            return None
        _answer, *reasons = taught_sentences(advice, self._prompter())
        if self.sentence:
            reasons[:1] = [" ".join((self._advice()[0], *reasons[:1]))]
        return PanelText(_("Teacher"), reasons[0], rows=reasons[1:]) if reasons else None
