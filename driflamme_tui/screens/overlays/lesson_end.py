"""The end of the lesson: the ten cards once more, and what to do next."""

from typing import Final

from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import both, key
from driflamme_tui.keymap.screen_commands import HelpedCommands
from driflamme_tui.screens.base.overlay import ChoiceMenu
from driflamme_tui.text.cell_widths import shortened, wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.alone_words import end_sentence, learnt, ways_on
from engine.cards import CARDS

WIDEST: Final = 78
"""Columns of the box."""

ROWS: Final = 20
"""Rows of the box where there is room."""

LEFT: Final = 2


class LessonEndCommands(HelpedCommands, prefix="lesson-end"):
    """What can be done at the end of the guided game."""

    up = Command("up", "move(-1)", "choose what to do next", "choose", listed=False)
    down = Command("down", "move(1)", "choose the next of it", row=up, listed=False)
    take = Command("enter,space", "take", "do what is chosen", listed=False)
    close = Command("escape,q", "dismiss", "go back to the table", "closes")


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
        at = LEFT + 2 + max(cell_len(card_name(card)) for card in CARDS) + 2
        room = canvas.width - at - LEFT
        effects = {card: wrapped(learnt(card), room, room) for card in CARDS}
        ways = {name: wrapped(words, width - 2, width - 2) for name, words in ways_on().items()}
        if sum(map(len, [*effects.values(), *ways.values()])) > canvas.height:
            effects = {card: [shortened(learnt(card), room, canvas.glyphs)] for card in CARDS}
        spare = canvas.height - sum(map(len, [*effects.values(), *ways.values()]))
        row = 0
        if spare >= len(sentence) + 1:
            spare -= len(sentence)
            row = canvas.lines(LEFT, 0, sentence, canvas.plain) + int(spare >= 2)
        for card, effect in effects.items():
            end = canvas.text(LEFT, row, f"{card} ", canvas.mute)
            canvas.text(end, row, card_name(card), canvas.bold)
            row = canvas.lines(at, row, effect, canvas.plain)
        row += int(spare >= 1)
        for index, (name, lines) in enumerate(ways.items()):
            here = index == self.selected
            ink = canvas.chosen if here else canvas.plain
            for line in lines:
                sign = canvas.glyphs.turn if here and line is lines[0] else " "
                canvas.place(LEFT, row, f"{sign} {line}", ink, f"take('{name}')", width)
                row += 1

    def sync(self) -> None:
        """Draw everything in the present size and language."""
        glyphs = self.glyphs
        ways = [
            _("{keys} choose", keys=both(LessonEndCommands.up, LessonEndCommands.down, glyphs)),
            _("{key} takes it", key=key(LessonEndCommands.take, glyphs)),
            _("{key} closes", key=key(LessonEndCommands.close, glyphs)),
        ]
        self.fit(_("Now you know the game"), ways, WIDEST, ROWS)

    def action_take(self, name: str = "") -> None:
        """Go that way."""
        self.dismiss(name or self.items[self.selected])
