"""A puzzle: the real table, and below the hand what is to be done, or how good the answer was."""

from collections.abc import Mapping

from msgspec.structs import replace
from textual.app import ComposeResult

from driflamme_tui.alone.local_table import PuzzleTable
from driflamme_tui.drawing.layout import QueueRoom
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.table.table_screen import ALONE, TableScreen
from driflamme_tui.seat.sitting import LocalSitting
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.lower_panels import JudgedAnswers, Judgement
from driflamme_tui.wording.program.alone_words import (
    puzzle_task,
    puzzle_title,
    score_sentence,
    verdict,
)
from engine.view import View
from netcode.protocol.messages import Start


class PuzzleScreen(TableScreen):
    """The table of puzzles."""

    # Nothing has happened that could be told.
    unused = (*ALONE, TableCommands.events)

    def __init__(self, puzzles: PuzzleTable) -> None:
        """Show puzzles, one after the other."""
        self.puzzles = puzzles
        super().__init__(LocalSitting(puzzles))
        self.panel = JudgedAnswers(id="answers")

    # What is shown

    def zones(self) -> ComposeResult:
        """The table's zones, and the panel below them."""
        yield from super().zones()
        yield self.panel

    def kept_rows(self) -> int:
        """Return the rows that are kept for the panel."""
        return self.panel.kept_rows(self.size.height)

    def question_of(self, view: View) -> Question | None:
        """Return what is asked: nothing once the answer is given."""
        return None if self.puzzles.given else super().question_of(view)

    def state(self) -> TableState:
        """Return the present moment; the bar of the prompt says whether the answer was right."""
        state = replace(super().state(), heading=(_("puzzle"),))
        if not self.puzzles.given:
            return state
        return replace(state, question=None, telling=True, log=[(None, verdict(self.puzzles))])

    def share_out(self, state: TableState) -> None:
        """Show the puzzle's title and how many are solved, and below what there is."""
        super().share_out(state)
        puzzles, confirm = self.puzzles, key(TableCommands.confirm, self.glyphs)
        on = _("{key} goes on to another puzzle").format(key=confirm) if puzzles.given else ""
        judgement = Judgement(
            puzzle_title(puzzles),
            score_sentence(puzzles),
            puzzle_task(),
            puzzles.puzzle.answers if puzzles.given else (),
            puzzles.given,
            self.glyphs.cross,
            on,
        )
        self.panel.show(judgement, self.prompter(), asked=state.question is not None)

    # What is done

    def action_confirm(self) -> None:
        """Confirm the present choice or, once it is judged, go on to another puzzle."""
        if self.look.on or not self.puzzles.given:
            super().action_confirm()
        elif not self.answering.guarded:
            # The sizes were chosen for the position that goes now, of which nothing was answered.
            self._room, self.pictures.since = QueueRoom(), None
            self.sitting.say(Start())

    def action_back(self) -> None:
        """Stop looking, drop the present choice or, once it is judged, leave."""
        if self.puzzles.given and not self.look.on:
            self.action_leave()
        else:
            self.answering.back()
            self.show()

    @property
    def may_confirm(self) -> bool:
        """Whether there is something to confirm, or another puzzle to go on to."""
        return bool(self.puzzles.given) or super().may_confirm

    def first_entries(self) -> Mapping[Entry, str]:
        """Return what goes on to another puzzle."""
        if not self.puzzles.given or self.look.on:
            return super().first_entries()
        return {TableCommands.confirm: _("another puzzle")}
