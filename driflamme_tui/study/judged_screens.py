"""Tables where answers are judged: puzzles, and the analysis board.

Below the hand stands what is to be done, how good the answer was, or what a bot thinks of each.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from driflamme_tui.drawing.layout import (
    COMFORTABLE_HEIGHT,
    COMFORTABLE_WIDTH,
    PROMPT,
    QueueRoom,
)
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import SessionCommands
from driflamme_tui.keymap.table_commands import COMPANY, AloneCommands, TableCommands
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.teacher_requests import TeacherRequest
from driflamme_tui.study.local_table import LocalTable, PuzzleTable
from driflamme_tui.study.replay_overlays import position_overlay
from driflamme_tui.study.sittings import LocalSitting
from driflamme_tui.study.study_words import (
    board_heading,
    nothing_to_undo,
    puzzle_task,
    puzzle_title,
    score_sentence,
    verdict,
    what_is_thought,
)
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.lower_panels import LowerPanel, PanelTold
from driflamme_tui.widgets.table.zones import Row
from driflamme_tui.wording.choices.teacher_words import thinking
from engine.notation import format_position
from engine.views import View
from netcode.protocol.messages import Start
from netcode.workers.worker_main import Weight


class PuzzleCommands(AloneCommands, prefix="puzzle"):
    """What can be done with a puzzle: nothing has happened that could be told."""

    without = (*COMPANY, TableCommands.events)


class BoardCommands(AloneCommands, prefix="board"):
    """What can be done on the analysis board, beside what the table has."""

    without = (*COMPANY, TableCommands.other_hand)
    undo = Command(
        "u,backspace",
        "undo",
        "take your last answer back",
        "undo",
        repeats=True,
    )
    think = Command(
        "t",
        "think",
        "see what the strongest bot thinks of each answer, or stop that",
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
        "confirm back undo think eyes look look_on events since known up/down left/right size "
        "leave_table"
    )


class _JudgedScreen(TableScreen):
    """Has a panel of judged answers below the hand."""

    def __init__(self, table: LocalTable) -> None:
        super().__init__(LocalSitting(table))
        self._answers = LowerPanel(id="answers")
        self.others = (self._answers,)

    def kept_rows(self) -> int:
        """Return the rows that are kept for the panel."""
        return self._answers.kept_rows(self.size.height)

    def judgement(self) -> PanelTold:
        """Return what is shown."""
        raise TypeError("whoever judges answers says what of them is shown")

    def draw_others(self, state: TableState) -> None:
        """Show what there is."""
        self._answers.show(self.judgement(), self.prompter())

    def _crowded(self, state: TableState) -> bool:
        """Whether the answers have the rows of the hand too: they say what is in hand."""
        layout = state.layout
        tight = layout.width < COMFORTABLE_WIDTH or layout.height < COMFORTABLE_HEIGHT
        return tight and bool(self.judgement().answers) and state.question is None

    def middle(self, state: TableState) -> list[Row]:
        """Return Queue, prompt and hand; without the hand the prompt has but a sentence to say."""
        queue, asked, *hand = super().middle(state)
        return [queue, (PROMPT, asked[1])] if self._crowded(state) else [queue, asked, *hand]

    def bottom(self, state: TableState) -> list[Row]:
        """Return the answers, in the rows of the events."""
        return [(None, [(self._answers, None)])]


class PuzzleScreen(_JudgedScreen, commands=PuzzleCommands, inherit_bindings=False):
    """Puzzles, one after the other: what is to be done, or how good the answer was."""

    def __init__(self, puzzles: PuzzleTable) -> None:
        """Judge the answers to puzzles."""
        super().__init__(puzzles)
        self._puzzles = puzzles

    def question(self, view: View) -> Question | None:
        """Return what is asked: nothing once the answer is given."""
        return None if self._puzzles.given else super().question(view)

    def present(self, state: TableState) -> TableState:
        """Return the present moment; the bar of the prompt says whether the answer was right."""
        state = replace(state, heading=(_("puzzle"),))
        if not self._puzzles.given:
            return state
        return replace(state, question=None, telling=True, log=[(None, verdict(self._puzzles))])

    def judgement(self) -> PanelTold:
        """Return the puzzle's title, how many are solved, and below that what there is."""
        puzzles, glyphs = self._puzzles, self.glyphs
        confirm = key(TableCommands.confirm, glyphs)
        on = _("{key} goes on to another puzzle", key=confirm) if puzzles.given else ""
        return PanelTold(
            puzzle_title(puzzles),
            score_sentence(puzzles),
            puzzle_task(),
            answers=puzzles.puzzle.answers if puzzles.given else (),
            given=puzzles.given,
            mark=glyphs.cross,
            leads_on=on,
        )

    def action_confirm(self) -> None:
        """Confirm the present choice or, once it is judged, go on to another puzzle."""
        if self.look.on or not self._puzzles.given:
            super().action_confirm()
        elif not self.answering.guarded:
            # The sizes were chosen for the position that goes now, of which nothing was answered.
            self.queue_room, self.pictures.since = QueueRoom(), None
            self.sitting.say(Start())

    def action_back(self) -> None:
        """Stop looking, drop the present choice or, once it is judged, leave."""
        if self._puzzles.given and not self.look.on:
            self.action_leave()
        else:
            super().action_back()

    @property
    def may_confirm(self) -> bool:
        """Whether there is something to confirm, or another puzzle to go on to."""
        return bool(self._puzzles.given) or super().may_confirm

    def first_entries(self) -> Mapping[Entry, str]:
        """Return what goes on to another puzzle, or else with this one."""
        if not self._puzzles.given or self.look.on:
            return super().first_entries()
        return {TableCommands.confirm: _("another puzzle")}


class BoardScreen(_JudgedScreen, commands=BoardCommands, inherit_bindings=False):
    """The analysis board, and what a bot thinks of each answer."""

    def __init__(self, board: LocalTable, *, taught: bool = False) -> None:
        """Judge the answers at any position; `taught` is whether that is said at once."""
        super().__init__(board)
        self._board = board
        self.taught = taught
        """Whether it is said what a bot thinks."""
        self._thoughts = TeacherRequest()
        self._weights: dict[str, tuple[Weight, ...]] = {}
        """What the teacher thinks of answers, by what was known of the position."""
        self._line = ""
        """What whoever is asked knows of the position."""

    def is_possible(self, command: Command) -> bool:
        """Return whether what a command needs is true now."""
        match command:
            case BoardCommands.undo:
                return self._board.can_undo
        return super().is_possible(command)

    # What is shown

    def kept_rows(self) -> int:
        """Return the rows that are kept for the panel, while it is wanted."""
        return super().kept_rows() if self.taught else 0

    def answers(self) -> Sequence[tuple[str, float]]:
        """Return what the teacher thinks of each answer, once it has thought."""
        is_shown = self.taught and self.sitting.session.revision == self._board.revision
        weights = self._weights.get(self._line, ()) if is_shown else ()
        # What was tried little may look better than what it thinks best.
        most = weights[0][1] if weights else 0.0
        shares = [(token, min(share, most)) for token, share, tried in weights if tried]
        return [*shares[:1], *sorted(shares[1:], key=lambda each: -each[1])]

    def begins(self, view: View) -> None:
        """Begin with a new view, of which nobody has thought anything yet."""
        self._thoughts.forget()
        self._line = format_position(self._board.seen())
        self._teach()

    def _teach(self) -> None:
        """Have the teacher think, unless it has thought of the same before."""
        wanted = self.taught and self.answering.question is not None
        if wanted and self._line not in self._weights:
            told = partial(self.deliver, self._show_thought)
            self._thoughts.ask(self._board.seen(), (), self._board.workers, told)

    def _show_thought(self) -> None:
        if self._thoughts.thought is not None:
            self._weights[self._line] = self._thoughts.thought.weights
        self.show()

    def present(self, state: TableState) -> TableState:
        """Return the present moment; a game that is over leads to no result."""
        undo = key(BoardCommands.undo, state.glyphs)
        after = _("{key} takes an answer back", key=undo)
        return replace(state, heading=board_heading(self._board), after=after)

    def _crowded(self, state: TableState) -> bool:
        """Whether there are answers that have the rows of the hand too."""
        return self.taught and super()._crowded(state)

    def bottom(self, state: TableState) -> list[Row]:
        """Return the answers if these are wanted, or else the events."""
        return super().bottom(state) if self.taught else TableScreen.bottom(self, state)

    def judgement(self) -> PanelTold:
        """Return whose knowledge it is, and what the teacher thinks of each answer."""
        over = self.view.over
        waits = "" if over else thinking(failed=self._line in self._weights)
        title, knowledge = what_is_thought(self._board)
        return PanelTold(
            title,
            knowledge,
            waits,
            answers=self.answers(),
            given=self._chosen(),
            mark=self.glyphs.chosen_mark[0],
        )

    def _chosen(self) -> str:
        """Return the answer that is chosen, or the best with the card that is; "" for none."""
        question = self.answering.question
        choice = None if question is None else question.choice
        if choice is None:
            return ""
        if choice.action is not None:
            return str(choice.action)
        begin = choice.card or f"{choice.position}>"
        return next((token for token, _share in self.answers() if token.startswith(begin)), "")

    # What is done

    def is_news(self, entry: Entry) -> bool:
        """Whether the teacher is there."""
        return super().is_news(entry) or (entry == BoardCommands.think and self.taught)

    @property
    def may_confirm(self) -> bool:
        """Whether there is something to confirm: a game that is over leads to no result."""
        return self.look.on if self.view.over else super().may_confirm

    def _anew(self, change: Callable[[], object]) -> None:
        """Show the board otherwise: what was asked is asked no more, and all is worded anew."""
        self.answering.question = None
        self.word_anew()
        change()

    def action_undo(self) -> None:
        """Take the last answer back."""
        if self._board.can_undo:
            self._anew(self._board.undo)
        else:
            self.notice = nothing_to_undo()
            self.show()

    def action_eyes(self) -> None:
        """Show the cards of one family, and answer for it alone; or all cards again."""
        self._anew(self._board.change_eyes)

    # The key that shows the other hand at a table for two does the same.
    action_other_hand = action_eyes

    def action_think(self) -> None:
        """Say what the teacher thinks of each answer, or stop saying so."""
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
        """Confirm the present choice; a game that is over leads to no result."""
        if not self.view.over or self.look.on:
            super().action_confirm()
