"""The end of the lesson: the ten cards once more, and what to do next."""

from typing import ClassVar, Final

from rich.cells import cell_len
from textual.binding import BindingType

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.key_bindings import bindings, both, key
from driflamme_tui.keymap.table_commands import LessonEndCommands
from driflamme_tui.screens.base.overlay import BoxedMenu
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import Board
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.lesson_words import end_sentence, learnt, ways_on
from engine.cards import CARDS

WIDEST: Final = 78
"""Columns of the box."""

ROWS: Final = 20
"""Rows of the box where there is room."""

LEFT: Final = 2


class LessonEndBoard(Board):
    """What has been learnt, and where to go from here."""

    ground = "panel"

    def __init__(self) -> None:
        super().__init__(id="lesson-end-board")
        self.selected = 0
        """The index of what to do next."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the cards, then the ways on; air between them where there are rows for it."""
        ways = list(ways_on().items())
        sentence = wrapped(end_sentence(), canvas.width - 2 * LEFT, canvas.width - 2 * LEFT)
        needed = len(CARDS) + len(ways)
        spare = canvas.height - needed
        row = 0
        if spare >= len(sentence) + 1:
            for line in sentence:
                canvas.text(LEFT, row, line, canvas.plain)
                row += 1
            spare -= len(sentence)
            row += int(spare >= 2)
        at = LEFT + 2 + max(cell_len(card_name(card)) for card in CARDS) + 2
        for card in CARDS:
            end = canvas.text(LEFT, row, f"{card} ", canvas.mute)
            canvas.text(end, row, card_name(card), canvas.bold)
            canvas.text(at, row, learnt(card), canvas.plain)
            row += 1
        row += int(spare >= 1)
        for index, (name, words) in enumerate(ways):
            here = index == self.selected
            mark = canvas.glyphs.turn if here else " "
            ink = canvas.plain
            if here:
                ink = canvas.chosen
            width = canvas.width - 2 * LEFT
            self.place(canvas, LEFT, row, f"{mark} {words}", ink, f"take('{name}')", width)
            row += 1


class LessonEnd(BoxedMenu[str]):
    """Says what has been learnt, and asks where to go from here."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("helped", "lesson end")

    drawn: LessonEndBoard

    def __init__(self) -> None:
        super().__init__(LessonEndBoard())

    def sync(self) -> None:
        """Draw everything in the present size and language."""
        glyphs = self.services.glyphs
        ways = [
            _("{keys} choose").format(
                keys=both(LessonEndCommands.up, LessonEndCommands.down, glyphs)
            ),
            _("{key} takes it").format(key=key(LessonEndCommands.take, glyphs)),
            _("{key} closes").format(key=key(LessonEndCommands.close, glyphs)),
        ]
        self.fit(_("Now you know the game"), ways, WIDEST, ROWS)

    def action_move(self, by: int) -> None:
        """Go to the next of the ways on."""
        self.drawn.selected = (self.drawn.selected + by) % len(ways_on())
        self.drawn.redraw()

    def action_take(self, name: str = "") -> None:
        """Go that way."""
        self.dismiss(name or list(ways_on())[self.drawn.selected])
