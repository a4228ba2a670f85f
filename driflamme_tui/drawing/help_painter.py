"""Draws a page of the help: text, signs, and examples with the table's cards.

An example is a position and one action. The rules' own code computes the result when the page is
drawn, so an example always agrees with the game.
"""

from collections.abc import Callable, Iterator
from textwrap import wrap
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card, draw_tab
from driflamme_tui.drawing.layout import MINIMAL, RAIL
from driflamme_tui.drawing.palette import Palette
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.help_pages import (
    Block,
    Example,
    Faces,
    Families,
    Heading,
    HelpLine,
    HelpPage,
    Item,
    TypedLines,
)
from driflamme_tui.wording.game.names import card_mark, card_name_for, family_name
from driflamme_tui.wording.game.worked_examples import PlayedExample, play_example
from engine.actions import Copy, Eliminate, Move, Place
from engine.cards import FAMILIES, UNKNOWN
from engine.position import cards_in, height
from engine.views import View

SAMPLE: Final = 15
"""Columns of each card in a row of samples, with the text under it."""

SAMPLE_ROWS: Final = 2
"""Rows of text under a sample."""

CAPTION: Final = 22
"""Minimum columns for the events of an example beside its pictures."""

LABEL_PART: Final = 3
"""Labels may take at most the columns of a page divided by this number."""

MARK_COLUMNS: Final = 1
"""Columns before the text, for the mark of a search result."""

ARROW: Final = 4
"""Columns of an arrow between two pictures."""

TYPED_LEFT: Final = 2
"""Indent of lines to type, in columns."""


class Painted(Struct, frozen=True):
    """A canvas as a part of a text."""

    width: int
    height: int
    glyphs: Glyphs
    palette: Palette
    paint: Callable[[Canvas], object]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the segments of the canvas, row by row."""
        canvas = Canvas(self.width, self.height, "panel", self.glyphs, self.palette)
        self.paint(canvas)
        for strip in canvas.strips():
            yield from strip
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return the canvas's width as minimum and maximum."""
        return Measurement(self.width, self.width)


class PageTexts(Struct, frozen=True):
    """Builds help pages of one width, with given signs and colours."""

    width: int
    glyphs: Glyphs
    palette: Palette
    text: Callable[..., Text]
    """Joins pieces into a text. A piece is a string, or a pair of a string and a role."""

    def page(self, page: HelpPage, found: int = -1) -> Group:
        """Return a page with a mark before the block at index `found`; -1 for no mark."""
        labels = [cell_len(self._label(each)) for each in page.blocks if isinstance(each, Item)]
        column = min(max(labels, default=0) + 2, self.width // LABEL_PART)
        parts: list[RenderableType] = []
        before: Block | None = None
        for number, block in enumerate(page.blocks):
            if before is not None and not (isinstance(block, Item) and isinstance(before, Item)):
                parts.append(Text())
            table = Table.grid(expand=True)
            table.add_column(width=MARK_COLUMNS)
            link = None
            sign = self.text((self.glyphs.turn if number == found else " ", "bold"))
            if isinstance(block, Item):
                table.add_column(width=column)
                if block.page:
                    link = Style(meta={"@click": f"screen.open('{block.page}')"})
            table.add_column(ratio=1, overflow="fold")
            table.add_row(sign, *self._block(block, column), style=link)
            parts.append(table)
            before = block
        return Group(*parts)

    def _block(self, block: Block, column: int) -> Iterator[RenderableType]:
        match block:
            case HelpLine(text=text):
                yield self.text(text)
            case Heading(text=text):
                yield self.text((text, "bold"))
            case TypedLines(text=text):
                yield Padding(self.text((text, "bold")), (0, 0, 0, TYPED_LEFT))
            case Item(text=text):
                yield self._labelled(block, column)
                yield self.text(text)
            case Faces():
                yield Columns(self._faces(block), padding=(0, 0))
            case Families():
                names = ((self.glyphs.tag(each), family_name(each), each) for each in FAMILIES)
                texts = (self.text((f"{tag} {name}", f"{hue} bold")) for tag, name, hue in names)
                yield Columns(texts, padding=(0, 3))
            case Example(played=played):
                yield self._example(play_example(played))

    def _label(self, item: Item) -> str:
        if not item.card:
            return item.label
        return f"{item.card} {card_mark(item.card, self.glyphs):4} {item.label}"

    def _labelled(self, item: Item, column: int) -> Text:
        if not item.card:
            return self.text((item.label, "bold"))
        mark, name = f"{item.card} {card_mark(item.card, self.glyphs):5}", item.label
        if cell_len(self._label(item)) >= column:
            # Keep a gap before the text.
            name = card_name_for(item.card, column - 1 - cell_len(mark))
        return self.text((mark, "mute"), (name, "bold"))

    def _painted(self, width: int, height: int, paint: Callable[[Canvas], object]) -> Painted:
        return Painted(width, height, self.glyphs, self.palette, paint)

    def _faces(self, faces: Faces) -> Iterator[RenderableType]:
        shown = (
            (Face("g", "S", True), CardLook.PLAIN),
            (Face("b", "H", False, 1), CardLook.PLAIN),
            (Face("r", UNKNOWN, False, 2), CardLook.PLAIN),
            (Face("y", "L", True), CardLook.LEGAL),
            (Face("v", UNKNOWN, False), CardLook.CHOSEN),
        )
        for (face, look), caption in zip(shown, faces.captions, strict=True):

            def paint(canvas: Canvas, face: Face = face, look: CardLook = look) -> None:
                draw_card(canvas, 0, 0, MINIMAL, face, look)

            words = "\n".join(wrap(caption, SAMPLE - 1)[:SAMPLE_ROWS])
            yield Group(self._painted(SAMPLE, MINIMAL.height, paint), self.text(words))

    def _example(self, example: PlayedExample) -> RenderableType:
        """Return the pictures before and after, and the events, side by side if they fit."""
        rows = max(self._tall(example.before), self._tall(example.after))
        before, after = (
            self._half(example.before, example, rows),
            self._half(example.after, None, rows),
        )
        caption = Text("\n").join(map(self.text, example.sentences))
        both = before.width + ARROW + after.width
        if both > self.width:
            return Group(before, Text(), after, caption)
        arrow = Text("\n" * (RAIL + MINIMAL.height // 2 - 1)) + self.text((" →", "bold"))
        table = Table.grid()
        for width in (before.width, ARROW, after.width + 2):
            table.add_column(width=width)
        if self.width - both - 2 < CAPTION:
            table.add_row(before, arrow, after)
            return Group(table, caption)
        table.add_row(before, arrow, after, caption)
        return table

    def _tall(self, at: View) -> int:
        """Return the rows of a Queue with its rail, tabs and pools."""
        return RAIL + MINIMAL.height + max(map(height, at.queue), default=1) - 1 + 1

    def _half(self, at: View, example: PlayedExample | None, rows: int) -> Painted:
        """Return a Queue with its numbers and, on the last of `rows`, the pools.

        With an example, mark the resolving card, the target, and the pools that will change.
        """
        glyphs, chosen = self.glyphs, 0
        if example is not None and isinstance(example.action, Eliminate | Copy | Move | Place):
            chosen = example.action.position
        pools = [f"{glyphs.tag(at.families[seat])} {pool} " for seat, pool in enumerate(at.pools)]

        def paint(canvas: Canvas) -> None:
            for index, stack in enumerate(at.queue):
                left = index * MINIMAL.pitch
                number = str(index + 1)
                if example is not None and index == at.at:
                    number = number.join(glyphs.resolving)
                canvas.text(left + (MINIMAL.width - len(number)) // 2, 0, number, canvas.mute)
                faces = [Face(at.families[stack[0]], *card) for card in cards_in(stack)]
                look = CardLook.CHOSEN if index + 1 == chosen else CardLook.PLAIN
                draw_card(canvas, left, RAIL, MINIMAL, faces[0], look, height=len(faces))
                for row, face in enumerate(faces[1:], RAIL + MINIMAL.height):
                    draw_tab(canvas, left, row, MINIMAL, face)
            end = 0
            for seat, pool in enumerate(pools):
                changes = example is not None and example.after.pools[seat] != at.pools[seat]
                ink = canvas.hue(at.families[seat], bold=changes or example is None)
                end = canvas.text(end, rows - 1, pool, ink)

        width = max(len(at.queue) * MINIMAL.pitch, sum(map(cell_len, pools)))
        return self._painted(width, rows, paint)
