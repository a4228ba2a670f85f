"""A puzzle: the real table, and below the hand what is to be done, or how good the answer was."""

from typing import Final

from msgspec.structs import replace
from rich.cells import cell_len
from textual.app import ComposeResult

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import COMFORTABLE_HEIGHT, COMFORTABLE_WIDTH, PROMPT, TALL
from driflamme_tui.drawing.table_state import Player, TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.table.table_alone import TableAlone
from driflamme_tui.seat.puzzle_table import PuzzleTable
from driflamme_tui.text.cell_widths import bar, shortened, wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.key_bar import Key
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.wording.choices.answer_words import percent
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.names import family_name
from driflamme_tui.wording.program.puzzle_words import (
    judged,
    puzzle_task,
    puzzle_title,
    score_sentence,
    verdict,
)
from engine.view import View
from netcode.protocol.messages import Start

PANEL_ROWS: Final = {0: 4, COMFORTABLE_HEIGHT: 6, TALL: 10}
"""Rows that the panel keeps, on screens of so many rows and more."""

MARGIN: Final = 2
"""Columns before and after what the panel shows, and between its halves."""

LONGEST_BAR: Final = 24
"""Maximum width of the bar of an answer, in columns."""

PERCENT: Final = 6
"""Columns of what an answer promises in figures, with a gap before them."""

MARK: Final = 2
"""Columns of the mark of an answer that is the best, or was given."""


class PuzzleScreen(TableAlone):
    """The table of puzzles."""

    # Nothing has happened that could be told.
    meaningless = (*TableAlone.meaningless, TableCommands.events)

    def __init__(self) -> None:
        super().__init__()
        puzzles = self.services.puzzles
        assert puzzles is not None
        self.puzzles: PuzzleTable = puzzles

    def zones(self) -> ComposeResult:
        """The table's zones, and the panel below them."""
        yield from super().zones()
        yield Board(self._draw, ground="panel", id="puzzle-panel")

    def kept_rows(self) -> int:
        """Return the rows that are kept for the panel."""
        return max(rows for least, rows in PANEL_ROWS.items() if self.size.height >= least)

    # What is shown

    def ask(self, view: View) -> None:
        """Begin with a new view, which asks nothing once the answer is given."""
        super().ask(view)
        if self.puzzles.given:
            self.question = None

    def state(self) -> TableState:
        """Return the present moment; the bar of the prompt says whether the answer was right."""
        state = replace(super().state(), heading=(_("puzzle"),))
        if not self.puzzles.given:
            return state
        return replace(state, question=None, telling=True, log=[(None, verdict(self.puzzles))])

    def _players(self, view: View) -> list[Player]:
        return [Player(family_name(family)) for family in view.families]

    def _arrange(self, state: TableState) -> None:
        super()._arrange(state)
        # The panel has the rows of the events.
        self.query_one("#bottom").display = False
        width, height = self.size
        tight = width < COMFORTABLE_WIDTH or height < COMFORTABLE_HEIGHT
        crowded = tight and bool(self.puzzles.given)
        # There the answers say what is in hand, and the prompt has but a sentence to say.
        self.query_one("#middle").display = not crowded
        if crowded:
            self.query_one(Prompt).styles.height = PROMPT
        self.query_one("#puzzle-panel", Board).redraw()

    def _draw(self, canvas: Canvas) -> None:
        """Draw the panel: the puzzle's title and how many are solved, and below what there is."""
        puzzles = self.puzzles
        canvas.fill(0, 0, 1, canvas.height, canvas.chosen, " ")
        end = canvas.text(MARGIN, 0, puzzle_title(puzzles), canvas.bold)
        score = score_sentence(puzzles)
        if end + MARGIN + cell_len(score) < canvas.width:
            canvas.text(canvas.width - 1 - cell_len(score), 0, score, canvas.mute)
        room = canvas.width - 2 * MARGIN
        if not puzzles.given:
            canvas.lines(MARGIN, 1, wrapped(puzzle_task(), room, room), canvas.plain)
            return
        rows = self._draw_answers(canvas, canvas.height - 1)
        if 1 + rows < canvas.height:
            on = _("{key} goes on to another puzzle").format(
                key=key(TableCommands.confirm, canvas.glyphs)
            )
            canvas.place(MARGIN, canvas.height - 1, on, canvas.choice, "confirm")

    def _draw_answers(self, canvas: Canvas, rows: int) -> int:
        """Draw what each answer promises, and beside it what the best and the given one would do.

        Returns how many rows that takes of so many.
        """
        names = [player.name for player in self._players(self.view)]
        answers = list(judged(self.puzzles, Prompter(self.view, names, canvas.glyphs), rows))
        room = canvas.width - 3 * MARGIN - 2 * MARK
        bars = min(LONGEST_BAR, room // 6)
        label = min(max(cell_len(each.label) for each in answers), room // 2 - bars)
        right = MARGIN + MARK + label + PERCENT + bars + MARGIN
        beside = 1
        for row, each in enumerate(answers, 1):
            mark, at = " ", MARGIN + MARK
            if each.best or each.given:
                mark = canvas.glyphs.ready if each.best else canvas.glyphs.cross
                lines = wrapped(each.why, *[canvas.width - right - MARK - MARGIN] * 2)
                canvas.text(right, beside, mark, canvas.bold)
                beside = canvas.lines(right + MARK, beside, lines, canvas.plain)
            ink = canvas.mute if mark == " " else canvas.bold
            canvas.text(MARGIN, row, mark, ink)
            canvas.text(at, row, shortened(each.label, label, canvas.glyphs), ink)
            at = canvas.text(at + label, row, percent(each.share).rjust(PERCENT), ink) + 1
            canvas.text(at, row, bar(each.share, answers[0].share, bars - 1, canvas.glyphs), ink)
        return max(len(answers), beside - 1)

    # What is done

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        goes_on = command == TableCommands.confirm and bool(self.puzzles.given)
        return goes_on or super().can(command)

    def action_confirm(self) -> None:
        """Confirm the present choice or, once it is judged, go on to another puzzle."""
        if self.looking or not self.puzzles.given:
            super().action_confirm()
        elif not self._guarded():
            # The sizes were chosen for the position that goes now.
            self._room = {}
            self.services.say(Start())

    def action_leave(self) -> None:
        """Leave at once: there is nothing to lose."""
        self.services.leave_table()

    def _key_bar(self, state: TableState) -> list[Key]:
        keys = super()._key_bar(state)
        if not self.puzzles.given or self.looking:
            return keys
        return self._confirming(keys, _("another puzzle"))
