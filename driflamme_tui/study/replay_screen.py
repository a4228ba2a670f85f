"""Shows the replay of a game: the table itself, with controls instead of the prompt.

All contents are limited to the knowledge of the chosen eyes at the present step; `engine.replaying`
ensures this.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.replay.judging import Advice, Review, usual_seat
from driflamme_tui.replay.playback import Playback
from driflamme_tui.replay.record_files import save_in_folder
from driflamme_tui.screens.countdown import soonest
from driflamme_tui.screens.overlays.shared_overlay import share
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.study.local_seats import PastSeat
from driflamme_tui.study.mistakes_overlay import MistakesOverlay, Wish
from driflamme_tui.study.replay_commands import ReplayCommands
from driflamme_tui.study.replay_overlays import (
    AnswersOverlay,
    FindOverlay,
    position_overlay,
    why_overlay,
)
from driflamme_tui.study.replay_words import no_more, not_found
from driflamme_tui.study.replay_zones import ReplayZones
from driflamme_tui.study.step_texts import StepJudgement, StepTexts
from driflamme_tui.study.teacher import Teacher, one_worker
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.mistake_words import (
    accuracy_sentence,
    finding,
    progress_sentence,
    whose_decisions,
)
from driflamme_tui.wording.program.past_game_words import heading
from engine.cards import Seat
from engine.replaying import ALL, Eyes, Replay
from engine.views import View


class ReplayScreen(TableScreen, commands=ReplayCommands, inherit_bindings=False):
    """Shows the present step of a game, the ways through the game, and the teacher's judgements."""

    has_many_keys = True
    zones: ReplayZones

    def __init__(
        self,
        replay: Replay,
        eyes: Eyes = ALL,
        step: int = 0,
        *,
        taught: bool = False,
        own: Sequence[Seat] = (),
        learns: bool = False,
    ) -> None:
        """Start at a step with these eyes.

        Args:
            replay: The game.
            eyes: The first eyes: a seat, the public, or all cards open.
            step: The step to show first.
            taught: True if the teacher's judgements are shown from the start.
            own: The reader's seats; () if unknown.
            learns: True to open the review at once. Closing the review then leaves the replay.
        """
        self._past, self.playback = PastSeat(replay), Playback(replay, eyes)
        super().__init__(self._past, ReplayZones(self.playback))
        self._own, self._learns = own, learns
        self._judged = False
        """True if the reader has been shown the result of the review."""
        deliver = partial(self.deliver, self._show_judgement)
        self.teacher = Teacher(replay, one_worker, deliver, there=taught)
        self._texts = StepTexts(self.playback)
        self.judgement = StepJudgement(
            self.playback, self.teacher, self._texts, lambda: self.glyphs
        )
        self.playback.go(step)
        self._show_step(happens=self.playback.step in self.playback.turning_points)
        self._explains = True
        """True if the reason for a turning point is shown."""

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Most commands need the data that they show."""
        match command:
            case ReplayCommands.play | ReplayCommands.find:
                return bool(self.replay.last)
            case ReplayCommands.turning:
                return bool(self.playback.turning_points)
            case ReplayCommands.answers:
                return not self._texts.no_answers()
            case ReplayCommands.board:
                return self.goes_on or self.present_mistake is not None
            case ReplayCommands.mistake | ReplayCommands.review:
                return bool(self.replay.last)
            case ReplayCommands.why:
                return self.judgement.advice is not None
            case ReplayCommands.share:
                return self.replay.over
            case ReplayCommands.up | ReplayCommands.down:
                return self.look.on
        return super().is_possible(command)

    @property
    def replay(self) -> Replay:
        """The replayed game with all its steps."""
        return self.playback.replay

    def first_entries(self) -> Mapping[Entry, str]:
        """Return the first entries of the key bar, each with its label.

        While looking these are the arrows, and while judgements are shown the teacher's entries. At
        a mistake the entries to try again and to the next mistake replace the first of them. While
        judgements are hidden, return {}.
        """
        if self.look.on:
            along = ReplayCommands.back, ReplayCommands.on
            return {along: _("move along"), ReplayCommands.leave: _("done")}
        words = self.entry_words
        shown = [ReplayCommands.teach, ReplayCommands.why]
        if self.present_mistake is not None:
            shown[:1] = [ReplayCommands.board, ReplayCommands.mistake]
        return {entry: words(entry) for entry in shown} if self.teacher.there else {}

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry in the key bar, in the present state of the replay."""
        if entry == ReplayCommands.play and self.playback.playing:
            return _("stop")
        if entry == ReplayCommands.board and self.present_mistake is not None:
            return _("try again")
        if entry == ReplayCommands.leave and self.zones.is_charted:
            return _("done")
        if entry == ReplayCommands.teach and self.teacher.there:
            return _("stop teacher")
        return super().entry_words(entry)

    def is_news(self, entry: Entry) -> bool:
        """Return True for the teacher's entry while judgements are shown, except at a mistake."""
        teaches = entry == ReplayCommands.teach and self.teacher.there
        # At a mistake, do not highlight the entry: other entries lead on from the mistake.
        return super().is_news(entry) or (teaches and self.present_mistake is None)

    @property
    def goes_on(self) -> bool:
        """True if the game is not over at this step."""
        return not self.replay.games[self.playback.step].over

    # Steps

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the next picture or the next step; None if none is due."""
        return soonest(super().next_change(now), self.playback.next_change(now))

    def tick(self) -> None:
        """Go to the next step of a running replay if it is due; otherwise show the next picture."""
        before = self.playback.step
        if self.playback.advance(self.terminal.clock()):
            self._look(happens=self.playback.step == before + 1)
        else:
            super().tick()

    def _look(self, *, happens: bool = False, explains: bool = False) -> None:
        """Show the present step; with `happens`, animate its events.

        With `explains`, also show the sentence about a turning point.
        """
        self.animation.reel.skip()
        self._show_step(happens=happens)
        self._explains = explains
        self.session_changed()

    def _show_step(self, *, happens: bool) -> None:
        step, eyes = self.playback.step, self.playback.eyes
        happens = happens and step > 0
        if happens:
            self.animation.begin_at(self.replay.seen(step - 1, eyes))
        self._past.look(step, eyes, follows=happens)

    def begins(self, view: View) -> None:
        """Make space for the stacks of this step.

        If the stack at the cursor is gone, put the cursor on the last stack.
        """
        self.zones.make_space()
        # Keep no earlier events in sight, since the list of events of a replay has all of them.
        self.animation.since = None
        look = self.look
        if look.on and look.cursor is not None and look.cursor.index >= len(view.queue):
            look.cursor = Cursor(len(view.queue) - 1) if view.queue else None

    def go(self, step: int, *, happens: bool = False) -> None:
        """Stop the automatic replay, and go to a step. Explain a turning point.

        With `happens`, or if the step is the next one, animate its events.
        """
        before = self.playback.step
        self.playback.stop()
        self.playback.go(step)
        self._look(happens=happens or self.playback.step == before + 1, explains=True)

    def action_step(self, by: int) -> None:
        """Go `by` steps forward, or back if `by` is negative.

        While looking, look `by` cards further.
        """
        if self.look.on:
            self.action_walk(by)
        else:
            self.go(self.playback.step + by)

    def action_round(self, by: int) -> None:
        """Go to the beginning of the next round.

        With `by` = -1, go to the beginning of this round. At that step already, go to the beginning
        of the round before.
        """
        self.go(self.replay.another_round(self.playback.step, by))

    def action_edge(self, side: int) -> None:
        """Go to the deal if `side` is negative, otherwise to the end."""
        self.go(0 if side < 0 else self.replay.last)

    def _another(self, steps: Iterable[int], by: int) -> None:
        """Go to the next or previous of these steps. If there is none, show a notice."""
        step = self.playback.another(tuple(steps), by)
        if step is None:
            self.show_notice(no_more(by))
        else:
            self.go(step, happens=True)

    def action_elimination(self, by: int) -> None:
        """Go to the next or previous elimination. If there is none, show a notice."""
        self._another(self.replay.eliminations, by)

    def action_turning(self, by: int) -> None:
        """Go to the next or previous turning point. If there is none, show a notice."""
        self._another(self.playback.turning_points, by)

    @property
    def sentence(self) -> str:
        """The effect of the last key or click, or else the reason for a turning point, or ""."""
        return self.notice or (self._texts.turning_point() if self._explains else "")

    # Mistakes

    @property
    def review(self) -> Review | None:
        """The review of a player's decisions; None until the reader requests one."""
        return self.teacher.review

    @property
    def present_mistake(self) -> Advice | None:
        """The mistake that led to the present step, or is made there.

        None at other steps, with the eyes of another seat, and until the review is done.
        """
        review, playback = self.review, self.playback
        if review is None or not review.is_done or playback.eyes != review.seat:
            return None
        return next((each for each in review.mistakes if each.step == playback.decision), None)

    def _judged_seat(self) -> Seat | None:
        """Return the viewer's seat.

        For a viewer without a seat, return the seat of the last review; before any review, the
        usual seat. Returns None if the reader must choose a seat first.
        """
        eyes = self.playback.eyes
        if isinstance(eyes, int):
            return eyes
        return self.review.seat if self.review is not None else usual_seat(self.replay, self._own)

    def _begin_review(self) -> Review | None:
        """Begin or continue a review, and return it.

        If no player is chosen, show a notice and return None.
        """
        seat = self._judged_seat()
        if seat is None:
            self.show_notice(whose_decisions())
            return None
        before = self.review
        review = self.teacher.begin_review(seat)
        if review is not before:
            self._judged = review.is_done
        return review

    def action_review(self) -> None:
        """Judge the decisions of a player; show the accuracy and the costliest decisions.

        If no player is chosen, show a notice.
        """
        review = self._begin_review()
        if review is None:
            return
        overlay = MistakesOverlay(review, lambda: self.teacher.given_up)

        def wished(wish: Wish | None) -> None:
            if wish is not None:
                self._go_to_mistake(review, wish.step)
                if wish.is_try:
                    self.action_board()
            elif self._learns:
                # The reader opened the replay only for the list of mistakes.
                self.leave_at_once()
            self._learns = False

        self.covered()
        self.app.push_screen(overlay, wished)

    def _go_to_mistake(self, review: Review, step: int) -> None:
        """Go to the position before a mistake, where the reader can think about the answer."""
        self.teacher.there = True
        if self.playback.eyes != review.seat:
            self.playback.eyes = review.seat
            self.word_anew()
        self.playback.stop()
        self.playback.go_before(step)
        self._look()

    def action_mistake(self, by: int) -> None:
        """Go to the next or previous of the costliest decisions, wrapping around at the ends.

        If this player has no finished review, or one without mistakes, show the review instead.
        """
        review, step = self.review, self.playback.decision
        wanted = self._judged_seat()
        if review is None or wanted != review.seat or not review.is_done or not review.mistakes:
            self.action_review()
            return
        steps = sorted(each.step for each in review.mistakes)
        ahead = [each for each in steps if each > step] if by > 0 else []
        behind = [each for each in steps[::-1] if each < step] if by < 0 else []
        self._go_to_mistake(review, (ahead or behind or steps[:: 1 if by > 0 else -1])[0])

    def _show_judgement(self) -> None:
        """Show a new judgement on this screen, and in the list of mistakes if that is open.

        If it is not open, a notice shows the result of the review once.
        """
        review = self.review
        if isinstance(self.app.screen, MistakesOverlay):
            self.app.screen.deliver(self.app.screen.sync)
        elif review is not None and review.is_done and not self._judged:
            self.show_notice(f"{accuracy_sentence(review)} {finding(review)}", good=True)
        self._judged = review is not None and review.is_done
        self.show()

    def action_find(self) -> None:
        """Ask for the beginning of a decision in notation, and go to the next decision that fits.

        The automatic replay stops. If the present eyes see no such decision, show a notice.
        """

        def found(token: str | None) -> None:
            step = self.playback.found(token or "")
            if step is not None:
                self.go(step)
            elif token is not None:
                self.show_notice(not_found(token))

        self.playback.stop()
        self.app.push_screen(FindOverlay(), found)

    def action_seek(self, step: int) -> None:
        """Go to the clicked step."""
        self.go(step)

    def action_play(self) -> None:
        """Start the automatic replay, or stop it. At the end, start from the deal."""
        self.playback.play(self.terminal.clock())
        self._look()

    def action_speed(self, speed: int) -> None:
        """Set the speed from 1 to 5, and start the automatic replay if it does not run yet."""
        self.playback.hurry(speed, self.terminal.clock())
        if self.playback.playing:
            self.session_changed()
        else:
            self.action_play()

    # Eyes

    def action_eyes(self, whose: str) -> None:
        """Show the knowledge of a family (by its letter) or of the "public", or "all" cards.

        For a family that was not at the table, show a notice.
        """
        eyes = self.playback.eyes_called(whose)
        if eyes is None:
            self.show_notice(_("That family was not at the table."))
        else:
            self._look_with(eyes)

    # A click on a player chooses the eyes of that player.
    action_player = action_eyes

    def action_other_eyes(self) -> None:
        """Show the knowledge of the next eyes; after the last ones, of the first."""
        self._look_with(self.playback.other_eyes())

    def _look_with(self, eyes: Eyes) -> None:
        self.playback.eyes = eyes
        self.word_anew()
        self._look()

    # Details

    def action_teach(self) -> None:
        """Show the teacher's judgements, or hide them. If the eyes may see none, show a notice."""
        if refusal := self.judgement.needs_eyes():
            self.show_notice(refusal)
            return
        self.notice, self._explains = self.judgement.toggle(), False
        self.good = bool(self.notice)
        self.show()

    def action_look(self) -> None:
        """Stop the automatic replay, and start or stop looking at cards with the arrow keys."""
        self.playback.stop()
        super().action_look()

    def action_chart(self) -> None:
        """Show the chart as large as possible, or the cards again."""
        self.zones.is_charted = not self.zones.is_charted
        self.show()

    def covered(self) -> None:
        """Stop the automatic replay, since an overlay is about to cover the screen."""
        self.playback.stop()
        self.session_changed()

    def action_why(self) -> None:
        """Show the teacher's whole judgement of the decision of this step.

        Without a judgement, show a sentence about the teacher's state or about the step.
        """
        judgement = self.judgement
        if judgement.advice is not None:
            self.lay_over(why_overlay(judgement.sentences()[0], judgement.reasons("\n  ")))
            return
        # The controls show that the teacher is thinking only if there is no other text, so remove
        # the other text.
        self._explains = self._explains and not judgement.is_due
        self.show_notice("" if judgement.is_due else _("The teacher says nothing here."))

    def action_answers(self) -> None:
        """List the possible answers, with the given one highlighted.

        If the game is over, or if these eyes cannot see the answers, show a notice with the reason
        instead.
        """
        refusal = self._texts.no_answers()
        if refusal:
            self.show_notice(refusal)
            return
        replay, step = self.replay, self.playback.step
        seen = replay.seen(step, replay.games[step].turn)
        given = replay.token(step + 1) if step < replay.last else ""
        answers = replay.legal(step, self.playback.eyes)
        self.lay_over(AnswersOverlay(replace(self.state(), view=seen), answers, given))

    def action_board(self) -> None:
        """Open the analysis board at this step, with these eyes.

        At a mistake, open the board before the decision, with the knowledge of its player. After
        the game, show a notice.
        """
        from driflamme_tui.study.local_table import board_of
        from driflamme_tui.study.puzzle_screens import BoardScreen

        step, eyes = self.playback.step, self.playback.eyes
        if (mistake := self.present_mistake) is not None:
            turn = self.replay.games[mistake.step - 1].turn
            board = board_of(self.replay, mistake.step - 1, turn, hides_others=True)
            self.lay_over(BoardScreen(board))
            return
        if not self.goes_on:
            self.show_notice(self._texts.no_answers())
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
        """Write the record of the game into a file, and show its path or the error."""
        space = self.size.width - 2
        sentence, good = save_in_folder(self.replay.record, self.terminal.folder, space)
        self.show_notice(sentence, good=good)

    def action_share(self) -> None:
        """Copy a summary of the game for others, and show the copied text."""
        # Remove the last notice, since it belongs to an earlier key.
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

    def on_mount(self) -> None:
        """Open the review at once if the replay was opened for it."""
        if self._learns:
            self.call_later(self.action_review)

    async def on_unmount(self) -> None:
        """Close the teacher, which stores the judgements of the review."""
        await self.teacher.close()

    # Drawing

    def present(self, state: TableState) -> TableState:
        """Return the state for the replay, as the chosen eyes see it."""
        eyes = self.playback.eyes
        return replace(
            state,
            heading=heading(self.replay.record)[::-1],
            laid_open=eyes is ALL,
            hand_of=eyes if isinstance(eyes, int) else None,
            beside=self.judgement.panel(is_covered=bool(self.sentence)),
        )

    def draw_others(self, state: TableState) -> None:
        """Draw the controls and the chart, and let the teacher judge this step first."""
        zones, texts, judgement = self.zones, self._texts, self.judgement
        self.teacher.teach(self.playback.eyes, self.playback.decision)
        zones.transport.show(
            state,
            texts.happened(state, self.event_lines.lines),
            texts.coming(state, self.view),
            advice=judgement.sentences(),
            notice=self.sentence,
            progress=progress_sentence(self.review) if self.review is not None else "",
            good=self.good or not self.notice,
        )
        zones.chart.lost = judgement.losses()
        zones.chart.redraw()
