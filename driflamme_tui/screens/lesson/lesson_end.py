"""The end of the lesson: the ten cards once more, and what to do next."""

from typing import Final

from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.key_bindings import both, key
from driflamme_tui.keymap.table_commands import LessonEndCommands
from driflamme_tui.screens.base.overlay import ChoiceMenu
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.alone_words import end_sentence, learnt, ways_on
from engine.cards import CARDS

WIDEST: Final = 78
"""Columns of the box."""

ROWS: Final = 20
"""Rows of the box where there is room."""

LEFT: Final = 2


class LessonEnd(ChoiceMenu[str, str], commands=LessonEndCommands):
    """Says what has been learnt, and asks where to go from here."""

    @property
    def items(self) -> list[str]:
        """The ways on, by name."""
        return list(ways_on())

    def draw(self, canvas: Canvas) -> None:
        """Draw the cards, then the ways on; air between them where there are rows for it."""
        width = canvas.width - 2 * LEFT
        sentence = wrapped(end_sentence(), width, width)
        spare = canvas.height - len(CARDS) - len(self.items)
        row = 0
        if spare >= len(sentence) + 1:
            spare -= len(sentence)
            row = canvas.lines(LEFT, 0, sentence, canvas.plain) + int(spare >= 2)
        at = LEFT + 2 + max(cell_len(card_name(card)) for card in CARDS) + 2
        for card in CARDS:
            end = canvas.text(LEFT, row, f"{card} ", canvas.mute)
            canvas.text(end, row, card_name(card), canvas.bold)
            canvas.text(at, row, learnt(card), canvas.plain)
            row += 1
        row += int(spare >= 1)
        for index, (name, words) in enumerate(ways_on().items()):
            here = index == self.selected
            label = f"{canvas.glyphs.turn if here else ' '} {words}"
            ink = canvas.chosen if here else canvas.plain
            canvas.place(LEFT, row + index, label, ink, f"take('{name}')", width)

    def sync(self) -> None:
        """Draw everything in the present size and language."""
        glyphs = self.glyphs
        ways = [
            _("{keys} choose").format(
                keys=both(LessonEndCommands.up, LessonEndCommands.down, glyphs)
            ),
            _("{key} takes it").format(key=key(LessonEndCommands.take, glyphs)),
            _("{key} closes").format(key=key(LessonEndCommands.close, glyphs)),
        ]
        self.fit(_("Now you know the game"), ways, WIDEST, ROWS)

    def action_take(self, name: str = "") -> None:
        """Go that way."""
        self.dismiss(name or self.items[self.selected])
