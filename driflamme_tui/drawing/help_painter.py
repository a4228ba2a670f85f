"""How a page of the help is drawn: text, signs, and examples in the cards of the table.

An example is a position and one action; what comes of it is worked out by the rules' own code
when it is drawn, so it cannot say anything that the game would not do.
"""

from collections.abc import Callable
from functools import lru_cache
from textwrap import wrap
from typing import Final

from msgspec import Struct
from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card, draw_tab
from driflamme_tui.drawing.layout import MINIMAL, RAIL
from driflamme_tui.text.i18n import language
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.card_texts import Played
from driflamme_tui.wording.game.event_words import event_sentence, table_names
from driflamme_tui.wording.game.help_pages import (
    Block,
    Example,
    Faces,
    Families,
    Heading,
    HelpLine,
    HelpPage,
    Item,
    Typed,
)
from driflamme_tui.wording.game.names import card_mark, card_name_for, family_name
from engine.actions import Action, Copy, Eliminate, Move, Place
from engine.cards import FAMILIES, UNKNOWN
from engine.events import Event, Forced
from engine.notation import parse_action, parse_position
from engine.position import cards_in, height
from engine.view import View, project, view

READER: Final = "b"
"""The family whose player sees the examples."""

SAMPLE: Final = 15
"""Columns for each card of a row of samples, with words under them."""

SAMPLE_ROWS: Final = 2
"""Rows for the words under a sample."""

CAPTION: Final = 22
"""Columns from which what happens in an example stands beside it."""

LABEL_PART: Final = 3
"""The part of a page's width that labels may take: one of so many."""

TYPED_LEFT: Final = 2
"""Columns by which lines to type are set in."""

Link = Callable[[int, int, int, str], None]
"""Called with each place that leads to another page: column, row, end, and the page's name."""


class PlayedExample(Struct, frozen=True):
    """An example with what came of it."""

    action: Action
    before: View
    after: View
    sentences: tuple[str, ...]


def play_example(played: Played) -> PlayedExample:
    """Play an example, and tell what happens."""
    return _played(played, language())


@lru_cache(maxsize=64)
def _played(played: Played, told_in: str) -> PlayedExample:
    game = parse_position(played.position)
    reader = game.seat_of(READER)
    action = parse_action(played.action)
    events: list[Event] = []
    after = view(game.play(action, events), reader)
    names = [family_name(family) for family in game.families]
    table = table_names(after, names)
    sentences = tuple(
        event_sentence(project(event, reader), table)
        for event in events
        if not isinstance(event, Forced)
    )
    return PlayedExample(action, view(game, reader), after, sentences)


def page_height(page: HelpPage, width: int, glyphs: Glyphs) -> int:
    """Return how many rows a page takes."""
    return PagePainter(Canvas(0, 0, "panel", glyphs), width).paint(page, 0, 0)


class PagePainter:
    """Paints pages of one width on a canvas."""

    def __init__(self, canvas: Canvas, width: int, link: Link | None = None) -> None:
        self.canvas = canvas
        self.width = width
        self.glyphs = canvas.glyphs
        self._link = link

    def paint(self, page: HelpPage, x: int, y: int, found: int = -1) -> int:
        """Paint a page, with a sign before the block that was found; return its rows."""
        top = y
        labels = [cell_len(self._label(block)) for block in page.blocks if isinstance(block, Item)]
        column = min(max(labels, default=0) + 2, self.width // LABEL_PART)
        before: Block | None = None
        for number, block in enumerate(page.blocks):
            if before is not None and not (isinstance(block, Item) and isinstance(before, Item)):
                y += 1
            if number == found:
                self.canvas.text(x - 1, y, self.glyphs.turn, self.canvas.bold)
            y += self._block(block, x, y, column)
            before = block
        return y - top

    def _block(self, block: Block, x: int, y: int, column: int) -> int:
        if isinstance(block, HelpLine):
            return self._text(block.text, x, y, self.width)
        if isinstance(block, Heading):
            return self.canvas.lines(x, y, [block.text], self.canvas.bold) - y
        if isinstance(block, Typed):
            room = max(1, self.width - TYPED_LEFT)
            lines = [part for line in block.text.splitlines() for part in wrap(line, room)]
            return self.canvas.lines(x + TYPED_LEFT, y, lines, self.canvas.bold) - y
        if isinstance(block, Item):
            return self._item(block, x, y, column)
        if isinstance(block, Faces):
            return self._faces(block, x, y)
        if isinstance(block, Families):
            return self._families(x, y)
        return self._example(block, x, y)

    def _text(self, text: str, x: int, y: int, width: int) -> int:
        return self.canvas.lines(x, y, wrap(text, max(1, width)), self.canvas.plain) - y

    def _label(self, item: Item) -> str:
        if not item.card:
            return item.label
        return f"{item.card} {card_mark(item.card, self.glyphs):4} {item.label}"

    def _item(self, item: Item, x: int, y: int, column: int) -> int:
        labels = wrap(self._label(item), max(1, column - 1)) if not item.card else []
        self.canvas.lines(x, y, labels, self.canvas.bold)
        if item.card:
            mark = f"{item.card} {card_mark(item.card, self.glyphs):5}"
            end = self.canvas.text(x, y, mark, self.canvas.mute)
            name = item.label
            if cell_len(self._label(item)) >= column:
                # A gap stays before the text.
                name = card_name_for(item.card, x + column - 1 - end)
            self.canvas.text(end, y, name, self.canvas.bold)
        rows = self._text(item.text, x + column, y, self.width - column)
        if item.page and self._link is not None:
            self._link(x, y, x + self.width, item.page)
        return max(rows, len(labels), 1)

    def _faces(self, faces: Faces, x: int, y: int) -> int:
        shown = (
            (Face("g", "S", True), CardLook.PLAIN),
            (Face("b", "H", False, 1), CardLook.PLAIN),
            (Face("r", UNKNOWN, False, 2), CardLook.PLAIN),
            (Face("y", "L", True), CardLook.LEGAL),
            (Face("v", UNKNOWN, False), CardLook.CHOSEN),
        )
        a_row = max(1, self.width // SAMPLE)
        rows = MINIMAL.height + SAMPLE_ROWS
        for index, ((face, look), caption) in enumerate(zip(shown, faces.captions, strict=True)):
            left, top = x + index % a_row * SAMPLE, y + index // a_row * (rows + 1)
            draw_card(self.canvas, left, top, MINIMAL, face, look)
            words = wrap(caption, SAMPLE - 1)[:SAMPLE_ROWS]
            self.canvas.lines(left, top + MINIMAL.height, words, self.canvas.plain)
        return -(-len(shown) // a_row) * (rows + 1) - 1

    def _families(self, x: int, y: int) -> int:
        """Name the families, as many in a row as there is room for."""
        left, rows = x, 1
        for family in FAMILIES:
            name = f"{self.glyphs.tag(family)} {family_name(family)}"
            if left + cell_len(name) > x + self.width:
                left, rows = x, rows + 1
            left = self.canvas.text(left, y + rows - 1, name, self.canvas.hue(family)) + 3
        return rows

    def _example(self, example: Example, x: int, y: int) -> int:
        told = play_example(example.played)
        left, right = self._wide(told.before), self._wide(told.after)
        arrow = 4
        beside = left + arrow + right <= self.width
        rows = max(self._tall(told.before), self._tall(told.after))
        self._half(told.before, x, y, told, rows)
        across, down = (left + arrow, 0) if beside else (0, rows + 1)
        self._half(told.after, x + across, y + down, None, rows)
        if beside:
            middle = y + RAIL + MINIMAL.height // 2 - 1
            self.canvas.text(x + left + 1, middle, "→", self.canvas.bold)
        room = self.width - left - arrow - right - 2
        if beside and room >= CAPTION:
            return max(rows, self._caption(told, x + self.width - room, y, room))
        below = rows if beside else 2 * rows + 1
        return below + self._caption(told, x, y + below, self.width)

    def _caption(self, told: PlayedExample, x: int, y: int, width: int) -> int:
        lines = [line for sentence in told.sentences for line in wrap(sentence, max(1, width))]
        return self.canvas.lines(x, y, lines, self.canvas.plain) - y

    def _wide(self, at: View) -> int:
        pools = sum(cell_len(self._pool(at, seat)) + 1 for seat in range(at.players))
        return max(len(at.queue) * MINIMAL.pitch, pools)

    def _tall(self, at: View) -> int:
        """Return the rows of a Queue with its rail, its tabs and the pools."""
        return RAIL + MINIMAL.height + max(map(height, at.queue), default=1) - 1 + 1

    def _pool(self, at: View, seat: int) -> str:
        return f"{self.glyphs.tag(at.families[seat])} {at.pools[seat]}"

    def _half(self, at: View, x: int, y: int, told: PlayedExample | None, rows: int) -> None:
        """Paint a Queue with its numbers and, on the last of `rows`, the pools."""
        canvas, glyphs = self.canvas, self.glyphs
        chosen = 0
        if told is not None and isinstance(told.action, Eliminate | Copy | Move | Place):
            chosen = told.action.position
        for index, stack in enumerate(at.queue):
            left = x + index * MINIMAL.pitch
            number = str(index + 1)
            if told is not None and index == at.at:
                number = number.join(glyphs.resolving)
            canvas.text(left + (MINIMAL.width - len(number)) // 2, y, number, self.canvas.mute)
            faces = [Face(at.families[stack[0]], *card) for card in cards_in(stack)]
            look = CardLook.CHOSEN if index + 1 == chosen else CardLook.PLAIN
            draw_card(canvas, left, y + RAIL, MINIMAL, faces[0], look, height=len(faces))
            for row, face in enumerate(faces[1:], y + RAIL + MINIMAL.height):
                draw_tab(canvas, left, row, MINIMAL, face)
        other = told.after if told is not None else None
        end = x
        for seat, family in enumerate(at.families):
            changes = other is not None and other.pools[seat] != at.pools[seat]
            hue = canvas.palette.families[family].hue
            ink = canvas.ink(hue, bold=changes or told is None)
            end = canvas.text(end, y + rows - 1, self._pool(at, seat), ink) + 1
