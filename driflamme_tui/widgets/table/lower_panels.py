"""What stands below the hand where nobody else is: the tutor, and answers that are judged."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import COMFORTABLE_HEIGHT, TALL
from driflamme_tui.text.cell_widths import bar, fitted, shortened, wrapped
from driflamme_tui.widgets.board import Drawn
from driflamme_tui.wording.choices.answer_words import judged, percent
from driflamme_tui.wording.choices.prompts import Prompter

MARGIN: Final = 2
"""Columns before and after the text."""

WIDEST: Final = 84
"""Columns of the widest text: longer rows are hard to read."""

PANEL_ROWS: Final = {0: 4, COMFORTABLE_HEIGHT: 6, TALL: 10}
"""Rows that the panel keeps, on screens of so many rows and more."""

LONGEST_BAR: Final = 24
"""Maximum width of the bar of an answer, in columns."""

PERCENT: Final = 6
"""Columns of what an answer promises in figures, with a gap before them."""

MARK: Final = 2
"""Columns of the mark of an answer that is the best, or was given."""


class PanelTold(Struct, frozen=True):
    """What the panel shows at one moment."""

    title: str = ""
    beside: str = ""
    """What stands at the end of the title's row, if there is room for it."""
    text: str = ""
    """What is told in the place of answers."""
    how: str = ""
    """By which keys to do what is asked."""
    is_turned: bool = False
    """Whether a click turns its page, which stands beside the title."""
    answers: Sequence[tuple[str, float]] = ()
    """The tokens of the answers and what each promises, the best first."""
    given: str = ""
    """The token of the answer that was given, or is chosen."""
    mark: str = ""
    """What marks it, unless it is the best."""
    leads_on: str = ""
    """What a click on the last row does, if there is room for it: it confirms."""


class LowerPanel(Drawn):
    """Shows what the tutor says, a task, or answers, each of which may be clicked.

    A text that is too long for it is read piece by piece.
    """

    ground = "panel"
    told = PanelTold()
    prompter: Prompter
    _row = 0
    """The first row of the text that is shown."""

    def kept_rows(self, height: int) -> int:
        """Return the rows that are kept for answers on a screen of so many."""
        return max(rows for least, rows in PANEL_ROWS.items() if height >= least)

    def show(self, told: PanelTold, prompter: Prompter) -> None:
        """Show it."""
        if told != self.told:
            self.told, self._row = told, 0
        self.prompter = prompter
        self.redraw()

    def turn(self) -> bool:
        """Show the next piece of the text; False when there is none."""
        room = self.size.height - 1
        if room < 1 or self._row + room >= len(self._lines(self.size.width)):
            return False
        self._row += room
        self.redraw()
        return True

    def _lines(self, width: int) -> list[tuple[str, bool]]:
        """Return the rows of text, and whether each is about keys."""
        room, told = min(WIDEST, width - 2 * MARGIN), self.told
        texts = (told.text, False), (told.how, True)
        return [(line, keys) for text, keys in texts if text for line in wrapped(text, room, room)]

    def draw(self, canvas: Canvas) -> None:
        """Draw the panel's edge and its title, and below what there is."""
        told = self.told
        if told.is_turned:
            canvas.target("turn")
        canvas.fill(0, 0, 1, canvas.height, canvas.chosen, " ")
        end = canvas.text(MARGIN, 0, told.title, canvas.bold)
        beside = f" {told.beside} " if told.is_turned else told.beside
        at = canvas.width - 1 - cell_len(beside)
        if beside.strip() and at >= end + MARGIN * (not told.is_turned):
            canvas.text(at, 0, beside, canvas.chosen if told.is_turned else canvas.mute)
        lines = self._lines(canvas.width)[self._row : self._row + canvas.height - 1]
        rows = self._draw_answers(canvas) if told.answers else len(lines)
        for row, (line, how) in enumerate([] if told.answers else lines, 1):
            canvas.text(MARGIN, row, line, canvas.mute if how else canvas.plain)
        if told.leads_on and 1 + rows < canvas.height:
            canvas.place(MARGIN, canvas.height - 1, told.leads_on, canvas.choice, "confirm")

    def _draw_answers(self, canvas: Canvas) -> int:
        """Draw what each answer promises, and beside it what the best and the given one would do.

        Returns how many rows that takes of those below the title.
        """
        told = self.told
        answers = list(judged(told.answers, told.given, self.prompter, canvas.height - 1))
        room = canvas.width - 3 * MARGIN - 2 * MARK
        bars = min(LONGEST_BAR, room // 6)
        label = min(max(cell_len(each.label) for each in answers), room // 2 - bars)
        right = MARGIN + MARK + label + PERCENT + bars + MARGIN
        beside = 1
        for row, each in enumerate(answers, 1):
            mark, at = " ", MARGIN + MARK
            if each.best or each.given:
                mark = canvas.glyphs.ready if each.best else told.mark
                width = canvas.width - right - MARK - MARGIN
                lines = fitted(each.why, width, canvas.height - beside, canvas.glyphs)
                canvas.text(right, beside, mark, canvas.bold)
                beside = canvas.lines(right + MARK, beside, lines, canvas.plain)
            ink = canvas.mute if mark == " " else canvas.bold
            canvas.text(MARGIN, row, mark, ink)
            canvas.text(at, row, shortened(each.label, label, canvas.glyphs), ink)
            at = canvas.text(at + label, row, percent(each.share).rjust(PERCENT), ink) + 1
            # What is told as nothing has no bar, however little the best answer promises.
            length = bar(round(100 * each.share), 100 * answers[0].share, bars - 1, canvas.glyphs)
            end = canvas.text(at, row, length, ink)
            canvas.target(f"promised('{each.token}')", MARGIN, row, end - MARGIN, 1)
        return max(len(answers), beside - 1)
