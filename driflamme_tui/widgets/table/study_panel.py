"""Draws the panel below the hand at tables without other people: tutor, or judged answers."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import COMFORTABLE_HEIGHT, TALL
from driflamme_tui.text.cell_widths import bar, fit_text, shorten_text, wrap_text
from driflamme_tui.widgets.board import DrawnWidget
from driflamme_tui.wording.choices.answer_words import judged_answers, percent
from driflamme_tui.wording.choices.prompts import Prompter

MARGIN: Final = 2
"""Columns before and after the text."""

WIDEST: Final = 84
"""Maximum columns of the text: longer rows are hard to read."""

PANEL_ROWS: Final = {0: 4, COMFORTABLE_HEIGHT: 6, TALL: 10}
"""Rows of the panel, by the minimum rows of the screen."""

LONGEST_BAR: Final = 24
"""Maximum columns of the bar of an answer."""

SHORTEST_BAR: Final = 4
"""Minimum columns of the bar of an answer, with a gap after it."""

PERCENT: Final = 6
"""Columns for the percentage of an answer, with a gap before it."""

MARK: Final = 2
"""Columns for the mark of the best and of the given answer."""


class PanelContents(Struct, frozen=True):
    """The contents of the panel at one moment."""

    title: str = ""
    beside: str = ""
    """The text at the end of the title's row, if it fits."""
    text: str = ""
    """The text that replaces answers; "" if there is none."""
    how: str = ""
    """The text about the keys for the task; "" if there is none."""
    is_turned: bool = False
    """True if a click turns the page. Then `beside` is highlighted, and needs less free space."""
    answers: Sequence[tuple[str, float]] = ()
    """The tokens of the answers with their chances, best first."""
    given: str = ""
    """The token of the given or chosen answer; "" if there is none."""
    mark: str = ""
    """The mark of the given answer, shown unless the given answer is the best one."""
    next_label: str = ""
    """The label of the last row, which is shown if it fits; "" for no such row. A click on the row
    confirms.
    """


class LowerPanel(DrawnWidget):
    """Shows the tutor's text, a task, or answers that can be clicked.

    A text that is too long is shown page by page.
    """

    ground = "panel"
    contents = PanelContents()
    prompter: Prompter
    _row = 0
    """The first row of the text that is shown."""

    def kept_rows(self, height: int) -> int:
        """Return the rows of the panel on a screen with `height` rows."""
        return max(rows for least, rows in PANEL_ROWS.items() if height >= least)

    def show(self, contents: PanelContents, prompter: Prompter) -> None:
        """Show contents. New contents begin at the first page of their text."""
        if contents != self.contents:
            self.contents, self._row = contents, 0
        self.prompter = prompter
        self.redraw()

    def turn(self) -> bool:
        """Show the next page of the text; return False after the last page."""
        space = self.size.height - 1
        if space < 1 or self._row + space >= len(self._lines(self.size.width)):
            return False
        self._row += space
        self.redraw()
        return True

    def _lines(self, width: int) -> list[tuple[str, bool]]:
        """Return the rows of the text, each with True if it is about keys."""
        space, contents = min(WIDEST, width - 2 * MARGIN), self.contents
        texts = (contents.text, False), (contents.how, True)
        return [
            (line, keys) for text, keys in texts if text for line in wrap_text(text, space, space)
        ]

    def draw(self, canvas: Canvas) -> None:
        """Draw the edge and the title of the panel, and its contents below."""
        contents = self.contents
        if contents.is_turned:
            canvas.target("turn")
        canvas.fill(0, 0, 1, canvas.height, canvas.chosen, " ")
        end = canvas.text(MARGIN, 0, contents.title, canvas.bold)
        beside = f" {contents.beside} " if contents.is_turned else contents.beside
        at = canvas.width - 1 - cell_len(beside)
        if beside.strip() and at >= end + MARGIN * (not contents.is_turned):
            canvas.text(at, 0, beside, canvas.chosen if contents.is_turned else canvas.mute)
        lines = self._lines(canvas.width)[self._row : self._row + canvas.height - 1]
        rows = self._draw_answers(canvas) if contents.answers else len(lines)
        for row, (line, how) in enumerate([] if contents.answers else lines, 1):
            canvas.text(MARGIN, row, line, canvas.mute if how else canvas.plain)
        if contents.next_label and 1 + rows < canvas.height:
            canvas.place(MARGIN, canvas.height - 1, contents.next_label, canvas.choice, "confirm")

    def _draw_answers(self, canvas: Canvas) -> int:
        """Draw the chance of each answer, and beside it the reasons for the best and the given one.

        Returns the number of rows used below the title.
        """
        contents = self.contents
        answers = list(
            judged_answers(contents.answers, contents.given, self.prompter, canvas.height - 1)
        )
        space = canvas.width - 3 * MARGIN - 2 * MARK
        bars = min(LONGEST_BAR, space // 6)
        labels = [each.label for each in answers]
        if max(map(cell_len, labels)) > space // 2 - bars:
            # Shorten names rather than places, since several answers may have one card.
            labels = [each.brief for each in answers]
            bars = max(SHORTEST_BAR, min(bars, space // 2 - max(map(cell_len, labels))))
        label = min(max(map(cell_len, labels)), space // 2 - bars)
        right = MARGIN + MARK + label + PERCENT + bars + MARGIN
        beside = 1
        for row, each in enumerate(answers, 1):
            mark, at = " ", MARGIN + MARK
            if each.best or each.given:
                mark = canvas.glyphs.ready if each.best else contents.mark
                width = canvas.width - right - MARK - MARGIN
                lines = fit_text(each.why, width, canvas.height - beside, canvas.glyphs)
                canvas.text(right, beside, mark, canvas.bold)
                beside = canvas.lines(right + MARK, beside, lines, canvas.plain)
            ink = canvas.mute if mark == " " else canvas.bold
            canvas.text(MARGIN, row, mark, ink)
            canvas.text(at, row, shorten_text(labels[row - 1], label, canvas.glyphs), ink)
            at = canvas.text(at + label, row, percent(each.share).rjust(PERCENT), ink) + 1
            # A chance of 0 % has no bar, even if the best chance is very small.
            length = bar(round(100 * each.share), 100 * answers[0].share, bars - 1, canvas.glyphs)
            end = canvas.text(at, row, length, ink)
            canvas.target(f"promised('{each.token}')", MARGIN, row, end - MARGIN, 1)
        return max(len(answers), beside - 1)
