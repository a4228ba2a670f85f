"""A puzzle: the real table, and below the hand what is to be done, or how good the answer was."""

from collections.abc import Sequence

from msgspec.structs import replace

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.table.position_screen import MARGIN, PositionScreen
from driflamme_tui.seat.puzzle_table import PuzzleTable
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.key_bar import Key
from driflamme_tui.wording.program.puzzle_words import (
    puzzle_task,
    puzzle_title,
    score_sentence,
    verdict,
)
from engine.view import View
from netcode.protocol.messages import Start


class PuzzleScreen(PositionScreen):
    """The table of puzzles."""

    # Nothing has happened that could be told.
    meaningless = (*PositionScreen.meaningless, TableCommands.events)

    def __init__(self, puzzles: PuzzleTable) -> None:
        """Show puzzles, one after the other."""
        self.puzzles = puzzles
        super().__init__(puzzles)

    # What is shown

    def answers(self) -> Sequence[tuple[str, float]]:
        """Return what the answers promise, once one is given."""
        return self.puzzles.puzzle.answers if self.puzzles.given else ()

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

    def _draw(self, canvas: Canvas) -> None:
        """Draw the panel: the puzzle's title and how many are solved, and below what there is."""
        puzzles = self.puzzles
        self._draw_title(canvas, puzzle_title(puzzles), score_sentence(puzzles))
        if not puzzles.given:
            room = canvas.width - 2 * MARGIN
            canvas.lines(MARGIN, 1, wrapped(puzzle_task(), room, room), canvas.plain)
            return
        rows = self._draw_answers(canvas, puzzles.given, canvas.glyphs.cross)
        if 1 + rows < canvas.height:
            on = _("{key} goes on to another puzzle").format(
                key=key(TableCommands.confirm, canvas.glyphs)
            )
            canvas.place(MARGIN, canvas.height - 1, on, canvas.choice, "confirm")

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

    def action_back(self) -> None:
        """Stop looking, drop the present choice or, once it is judged, leave."""
        if self.puzzles.given and not self.looking:
            self.action_leave()
        else:
            super().action_back()

    def _key_bar(self, state: TableState) -> list[Key]:
        keys = super()._key_bar(state)
        if not self.puzzles.given or self.looking:
            return keys
        return self._confirming(keys, _("another puzzle"))
