"""Shows tables that judge answers: puzzles, and the analysis board.

The panel below the hand shows a task, the quality of the given answer, or a bot's judgement of each
answer.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from driflamme_tui.drawing.layout import (
    COMFORTABLE_HEIGHT,
    COMFORTABLE_WIDTH,
    PROMPT,
    QueueSpace,
)
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import SessionCommands
from driflamme_tui.keymap.table_commands import COMPANY, AloneCommands, TableCommands
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.screens.table.table_zones import TableZones
from driflamme_tui.seat.teacher_requests import TeacherRequest
from driflamme_tui.study.local_seats import LocalSeat
from driflamme_tui.study.local_table import LocalTable, PuzzleTable
from driflamme_tui.study.replay_overlays import position_overlay
from driflamme_tui.study.study_words import (
    board_heading,
    nothing_to_undo,
    only_own_cards,
    puzzle_task,
    puzzle_title,
    score_sentence,
    verdict,
    what_is_thought,
)
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.study_panel import LowerPanel, PanelContents
from driflamme_tui.widgets.table.zone_layout import Row
from driflamme_tui.wording.choices.teacher_words import thinking
from engine.notation import format_position
from engine.views import View
from netcode.protocol.messages import Start
from netcode.workers.questions import Weight


class PuzzleCommands(AloneCommands, prefix="puzzle"):
    """The commands of a puzzle. There is no list of events, since a puzzle has no events."""

    without = (*COMPANY, TableCommands.events)


class BoardCommands(AloneCommands, prefix="board"):
    """Commands of the analysis board: undo, judgements, eyes, and a copy of the position."""

    without = (*COMPANY, TableCommands.other_hand)
    undo = Command(
        "u,backspace",
        "undo",
        "undo your last answer",
        "undo",
        repeats=True,
    )
    think = Command(
        "t",
        "think",
        "show or hide what the strongest bot thinks of each answer",
        "teacher",
        follows=SessionCommands.talk,
    )
    eyes = Command(
        "",
        "eyes",
        "see and answer for one family only, or for all again",
        "view",
        shares=TableCommands.look_on,
    )
    position = Command("", "position", "see the position in notation, and copy it", "position")
    bar = (
        "confirm* back undo* think* eyes look look_on events since known up/down left/right size "
        "leave_table"
    )


class JudgedZones(TableZones):
    """The zones of a table, and a panel of judged answers in the rows of the events."""

    def __init__(
        self, is_judging: Callable[[], bool], is_crowded: Callable[[TableState], bool]
    ) -> None:
        """Make the zones.

        Args:
            is_judging: Returns True while the panel is shown.
            is_crowded: Returns True if the panel also needs the rows of the hand for this state.
        """
        self.answers = LowerPanel(id="answers")
        super().__init__(others=(self.answers,))
        self._is_judging, self._is_crowded = is_judging, is_crowded

    def kept_rows(self, height: int) -> int:
        """Return the number of rows for the panel; 0 while it is hidden."""
        return self.answers.kept_rows(height) if self._is_judging() else 0

    def middle(self, state: TableState) -> list[Row]:
        """Return Queue, prompt and hand. A crowded screen leaves out the hand."""
        queue, prompt, *hand = super().middle(state)
        is_crowded = self._is_crowded(state)
        return [queue, (PROMPT, prompt[1])] if is_crowded else [queue, prompt, *hand]

    def bottom(self, state: TableState) -> list[Row]:
        """Return the panel, or else the events."""
        return [(None, [(self.answers, None)])] if self._is_judging() else super().bottom(state)


class _JudgedScreen(TableScreen):
    """A table with a panel of judged answers below the hand."""

    zones: JudgedZones

    def __init__(self, table: LocalTable) -> None:
        zones = JudgedZones(self.is_judging, self.is_crowded)
        super().__init__(LocalSeat(table), zones)

    def is_judging(self) -> bool:
        """Return True while the panel is shown."""
        return True

    def judgement(self) -> PanelContents:
        """Return the contents of the panel. Each subclass must override this method."""
        raise TypeError("whoever judges answers says what of them is shown")

    def draw_others(self, state: TableState) -> None:
        """Draw the panel."""
        self.zones.answers.show(self.judgement(), self.prompter())

    def is_crowded(self, state: TableState) -> bool:
        """Return True if the panel also needs the rows of the hand.

        On a small screen the panel needs them while it shows judged answers without a question. The
        answers then name the cards.
        """
        layout = state.layout
        tight = layout.width < COMFORTABLE_WIDTH or layout.height < COMFORTABLE_HEIGHT
        return tight and bool(self.judgement().answers) and state.question is None


class PuzzleScreen(_JudgedScreen, commands=PuzzleCommands, inherit_bindings=False):
    """Shows puzzles, one after another: the task, then the quality of the answer."""

    def __init__(self, puzzles: PuzzleTable) -> None:
        super().__init__(puzzles)
        self._puzzles = puzzles

    def question(self, view: View) -> Question | None:
        """Return the question, or None after an answer."""
        return None if self._puzzles.given else super().question(view)

    def present(self, state: TableState) -> TableState:
        """Return the state for the puzzle.

        After an answer, the prompt shows whether it was right.
        """
        state = replace(state, heading=(_("puzzle"),))
        if not self._puzzles.given:
            return state
        return replace(state, question=None, is_animated=True, log=[(None, verdict(self._puzzles))])

    def judgement(self) -> PanelContents:
        """Return the title of the puzzle, the score, and the task.

        After an answer, return the judged answers too.
        """
        puzzles, glyphs = self._puzzles, self.glyphs
        confirm = key(TableCommands.confirm, glyphs)
        on = _("{key} shows another puzzle", key=confirm) if puzzles.given else ""
        return PanelContents(
            puzzle_title(puzzles),
            score_sentence(puzzles),
            puzzle_task(),
            answers=puzzles.puzzle.answers if puzzles.given else (),
            given=puzzles.given,
            mark=glyphs.cross,
            next_label=on,
        )

    def action_confirm(self) -> None:
        """Confirm the present choice. After an answer, go to another puzzle.

        Just after a change of the contents, go to no other puzzle.
        """
        if self.look.on or not self._puzzles.given:
            super().action_confirm()
        elif not self.answering.guarded:
            # Reset sizes and animation, since they belong to the earlier position.
            self.zones.space, self.animation.since = QueueSpace(), None
            self.player_seat.send(Start())

    def action_back(self) -> None:
        """Stop looking, or drop the present choice. After an answer leave the puzzles."""
        if self._puzzles.given and not self.look.on:
            self.action_leave()
        else:
            super().action_back()

    @property
    def may_confirm(self) -> bool:
        """True if there is something to confirm, or another puzzle to go to."""
        return bool(self._puzzles.given) or super().may_confirm

    def first_entries(self) -> Mapping[Entry, str]:
        """Return the entry for another puzzle, or the entries for the present puzzle."""
        if not self._puzzles.given or self.look.on:
            return super().first_entries()
        return {TableCommands.confirm: _("another puzzle")}


class BoardScreen(_JudgedScreen, commands=BoardCommands, inherit_bindings=False):
    """The analysis board, with a bot's judgement of each answer."""

    def __init__(self, board: LocalTable, *, taught: bool = False) -> None:
        """Show a board. With `taught`, show the judgements at once."""
        super().__init__(board)
        self._board = board
        self.taught = taught
        """True if the bot's judgements are shown."""
        self._thoughts = TeacherRequest()
        self._weights: dict[str, tuple[Weight, ...]] = {}
        """The teacher's judgements, by the position as in `_line`."""
        self._line = ""
        """The present position in notation, with the knowledge of the asked player; "" before the
        first drawing.
        """

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now.

        Undoing needs an answer, and changing the eyes needs a board without hidden cards.
        """
        match command:
            case BoardCommands.undo:
                return self._board.can_undo
            case BoardCommands.eyes:
                return not self._board.hides_others
        return super().is_possible(command)

    # Drawing

    def is_judging(self) -> bool:
        """Return True if the judgements are shown."""
        return self.taught

    def answers(self) -> Sequence[tuple[str, float]]:
        """Return the answers that the teacher has tried, with their chances of victory.

        The teacher's own answer is first, then the others, best first. Returns [] until the teacher
        has judged the position, and while judgements are hidden.
        """
        is_shown = self.taught and self.player_seat.session.revision == self._board.revision
        weights = self._weights.get(self._line, ()) if is_shown else ()
        # A rarely tried answer may look better than the teacher's own answer by chance, so limit
        # all values to that of the teacher's answer.
        most = weights[0][1] if weights else 0.0
        shares = [(token, min(share, most)) for token, share, tried in weights if tried]
        return [*shares[:1], *sorted(shares[1:], key=lambda each: -each[1])]

    def begins(self, view: View) -> None:
        """Drop the teacher's work on the last position, and let it judge the new one."""
        self._thoughts.forget()
        self._line = format_position(self._board.seen())
        self._teach()

    def _teach(self) -> None:
        """Let the teacher judge this position, if judgements are shown and it is not judged yet."""
        wanted = self.taught and self.answering.question is not None
        if wanted and self._line not in self._weights:
            deliver = partial(self.deliver, self._show_thought)
            self._thoughts.ask(self._board.seen(), (), self._board.workers, deliver)

    def _show_thought(self) -> None:
        if self._thoughts.thought is not None:
            self._weights[self._line] = self._thoughts.thought.weights
        self.show()

    def present(self, state: TableState) -> TableState:
        """Return the state with the board's heading.

        After a game, show the undo key instead of a result.
        """
        undo = key(BoardCommands.undo, state.glyphs)
        after = _("{key} undoes an answer", key=undo)
        return replace(state, heading=board_heading(self._board), after=after)

    def is_crowded(self, state: TableState) -> bool:
        """Return True if judged answers are shown, and also need the rows of the hand."""
        return self.taught and super().is_crowded(state)

    def judgement(self) -> PanelContents:
        """Return the judged answers, and a sentence about the family whose knowledge counts.

        Until there are answers, the sentence about the state of the teacher replaces them.
        """
        over = self.view.over
        waits = "" if over else thinking(failed=self._line in self._weights)
        title, knowledge = what_is_thought(self._board)
        return PanelContents(
            title,
            knowledge,
            waits,
            answers=self.answers(),
            given=self._chosen(),
            mark=self.glyphs.chosen_mark[0],
        )

    def _chosen(self) -> str:
        """Return the chosen answer, or the best one with the chosen card.

        Returns "" if nothing is chosen, or if no judged answer begins with the choice.
        """
        question = self.answering.question
        choice = None if question is None else question.choice
        if choice is None:
            return ""
        if choice.action is not None:
            return str(choice.action)
        begin = choice.card or f"{choice.position}>"
        return next((token for token, _share in self.answers() if token.startswith(begin)), "")

    # Actions

    def is_news(self, entry: Entry) -> bool:
        """Return True for the teacher's entry while judgements are shown."""
        return super().is_news(entry) or (entry == BoardCommands.think and self.taught)

    @property
    def may_confirm(self) -> bool:
        """True if there is something to confirm. After a game, True only while looking."""
        return self.look.on if self.view.over else super().may_confirm

    def _anew(self, change: Callable[[], object]) -> None:
        """Change the board: drop the present question, and build the lines of all events again."""
        self.answering.question = None
        self.word_anew()
        change()

    def action_undo(self) -> None:
        """Undo the last answer. Without one, show a notice."""
        if self._board.can_undo:
            self._anew(self._board.undo)
        else:
            self.notice = nothing_to_undo()
            self.show()

    def action_eyes(self) -> None:
        """Let the reader see and answer for one family only, or again for all.

        Where other cards must stay hidden, show the reason instead.
        """
        if self._board.hides_others:
            self.notice = only_own_cards()
            self.show()
        else:
            self._anew(self._board.change_eyes)

    # At a table for two, the key for the other hand changes the eyes.
    action_other_hand = action_eyes

    def action_think(self) -> None:
        """Show the teacher's judgements and request missing ones, or hide and drop the requests."""
        self.taught = not self.taught
        if not self.taught:
            self._thoughts.forget()
        self._teach()
        self.show()

    def action_position(self) -> None:
        """Show the position in notation, and copy it."""
        line = format_position(self.view)
        self.app.copy_to_clipboard(line)
        program = self.terminal.copies_with
        self.lay_over(position_overlay(line, program, whole=self._board.seat is None))

    def action_confirm(self) -> None:
        """Confirm the present choice. After a game do nothing: a board has no result screen."""
        if not self.view.over or self.look.on:
            super().action_confirm()
