"""Draws the Influence Queue as one widget: the rail, the stacks, and covered cards below them."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card, draw_tab
from driflamme_tui.drawing.layout import RAIL, Layout
from driflamme_tui.drawing.palette import style
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.model.pending_question import Step
from driflamme_tui.widgets.table.header import PointedBar
from engine.actions import END, START
from engine.cards import Family
from engine.position import cards_in


class Geometry(Struct, frozen=True):
    """The position of each stack of a Queue.

    The first stack to resolve is at the left end; if `mirrored`, at the right end.
    """

    layout: Layout
    stacks: int
    width: int
    mirrored: bool = False

    def place(self, index: int) -> tuple[int, int]:
        """Return the column of a stack and the row of its rail."""
        row, column = divmod(index, self.layout.per_row)
        pitch = self.layout.card.pitch
        y = row * self.layout.row_height
        if self.mirrored:
            right = self.width - self.layout.left - column * pitch
            return right - self.layout.card.width, y
        return self.layout.left + column * pitch, y

    def start_bar(self) -> tuple[int, int]:
        """Return the column and rail row of the bar before the first stack."""
        x, y = self.place(0)
        return (x + self.layout.card.width, y) if self.mirrored else (x - 1, y)

    def end_bar(self) -> tuple[int, int]:
        """Return the column and rail row of the bar after the last stack."""
        x, y = self.place(max(0, self.stacks - 1))
        return (x - 1, y) if self.mirrored else (x + self.layout.card.width, y)

    def cells(self, index: int) -> range:
        """Return the columns of a stack, without the columns under a neighbour's frame."""
        x, _ = self.place(index)
        own = min(self.layout.card.width, self.layout.card.pitch)
        first = x + self.layout.card.width - own if self.mirrored else x
        return range(first, first + own)

    def hit(self, x: int, y: int) -> tuple[int, float] | None:
        """Return the stack at a cell, and the cell's place across the stack.

        The place is 0 at the edge that resolves first, and 1 at the other edge. Cells before the
        first stack or after the last count as that stack's outer edge. Returns None outside the
        rows of stacks.
        """
        row = y // self.layout.row_height
        if not 0 <= row < self.layout.rows or not self.stacks:
            return None
        pitch = self.layout.card.pitch
        offset = (self.width - 1 - x if self.mirrored else x) - self.layout.left
        column, within = divmod(offset, pitch)
        first = row * self.layout.per_row
        last = min(self.stacks, first + self.layout.per_row) - 1
        if first > last:
            return None
        index = first + column
        if index < first:
            return first, 0.0
        if index > last:
            return last, 1.0
        return index, within / (pitch - 1)


class Queue(PointedBar):
    """Draws the stacks of the Queue."""

    def geometry(self) -> Geometry | None:
        """Return the present geometry of the stacks; None before the first moment is shown."""
        if self.state is None:
            return None
        stacks, _, _ = self.state.queue()
        return Geometry(self.state.layout, len(stacks), self.size.width, self.state.mirrored)

    def choice_of(self, state: TableState) -> object:
        """Return the choice in the Queue, and the stack under the cursor."""
        cursor, question = state.cursor, state.question
        looked = None if cursor is None else (cursor.index, cursor.depth)
        # Leave out a chosen card of the hand, and the choice to reveal: neither is drawn here.
        chosen = None
        if question is not None and question.step not in (Step.CARD, Step.LEAVE_OR_REVEAL):
            chosen = question.chosen
        return looked, question and question.picked, chosen

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the rail, the stacks, the tabs and the ends for placing a card."""
        geometry = self.geometry()
        assert geometry is not None
        _QueuePainter(canvas, state, geometry).paint()

    def part_at(self, x: int, y: int) -> tuple[Cursor | None, float]:
        """Return the stack at a cell, and the cell's place across the stack, as in `Geometry.hit`.

        If the Queue is empty, return an empty cursor; outside the stacks, None.
        """
        geometry = self.geometry()
        if geometry is not None and not geometry.stacks and y >= 0:
            return Cursor(), 0.0
        index, across = (geometry and geometry.hit(x, y)) or (-1, 0.0)
        return Cursor(index) if index >= 0 else None, across


_LAYERS: Final = {CardLook.DIM: 0, CardLook.PLAIN: 0, CardLook.LEGAL: 1, CardLook.CHOSEN: 2}
"""The order in which cards are drawn, by their look."""


class _QueuePainter:
    """Draws a Queue at one moment."""

    def __init__(self, canvas: Canvas, state: TableState, geometry: Geometry) -> None:
        self.canvas, self.state, self.geometry = canvas, state, geometry
        self.glyphs, self.card = state.glyphs, state.layout.card
        self.stacks, self.at, moving = state.queue()
        self.ends, self.reached = state.legal_ends(), state.reached()
        legal, chosen = state.legal_positions(), state.chosen_position()
        choosing = bool(legal or moving >= 0)
        self.looks = []
        """How the card on top of each stack is drawn."""
        for index in range(len(self.stacks)):
            look = CardLook.PLAIN
            if index == moving or (moving < 0 and index + 1 == chosen):
                look = CardLook.CHOSEN
            elif index + 1 in legal:
                look = CardLook.LEGAL
            elif state.lost or (choosing and index != self.at and not self.ends):
                look = CardLook.DIM
            self.looks.append(look)

    def paint(self) -> None:
        """Draw the whole Queue; if it is empty, the place for the first card."""
        if not self.stacks:
            self._empty()
            return
        self._rail()
        effect = self.state.effect
        # Draw important cards later: where frames overlap, they must be on top.
        order = sorted(range(len(self.stacks)), key=lambda index: _LAYERS[self.looks[index]])
        for index in order:
            if index + 1 == effect.edge:
                self._edge(index)
            elif index + 1 != effect.gap:
                lit = index + 1 == effect.lit
                self._stack(index, CardLook.CHOSEN if lit else self.looks[index])
        self._bars()

    def _family(self, index: int) -> Family:
        return self.state.view.families[self.stacks[index][0]]

    def _empty(self) -> None:
        """Draw the place for the first card."""
        canvas, palette, size = self.canvas, self.canvas.palette, self.card
        layout = self.state.layout
        columns = size.across(layout.per_row)
        canvas.fill(layout.left, 0, columns, 1, canvas.line, self.glyphs.ahead)
        x, _ = self.geometry.place(0)
        hue = palette.choice if self.ends else palette.line
        ink = canvas.ink(hue, bold=bool(self.state.chosen_end()))
        signs = self.glyphs.legal if self.ends else self.glyphs.face_up
        canvas.fill(x, RAIL, size.width, size.height, ink, " ")
        canvas.frame(x, RAIL, size.width, size.height, signs, ink)

    def _edge(self, index: int) -> None:
        """Draw the edge of a card that is being turned over."""
        x, y = self.geometry.place(index)
        edge, ink = self.glyphs.bar * self.card.height, self.canvas.hue(self._family(index))
        self.canvas.lines(x + self.card.width // 2, y + RAIL, edge, ink)

    def _stack(self, index: int, look: CardLook) -> None:
        canvas, card, state = self.canvas, self.card, self.state
        x, y = self.geometry.place(index)
        faces = [Face(self._family(index), *each) for each in cards_in(self.stacks[index])]
        looked = state.cursor is not None and state.cursor.index == index
        top, high = y + RAIL, len(faces)
        draw_card(canvas, x, top, card, faces[0], look, height=high, underline=looked)
        if index + 1 == state.effect.struck:
            alert = style(canvas.palette.on_colour, canvas.palette.alert, bold=True)
            canvas.text(x + 1, top + card.height // 2, self.glyphs.cross * (card.width - 2), alert)
        self._below(x, top + card.height, faces[1:], state.cursor if looked else None)

    def _below(self, x: int, y: int, covered: Sequence[Face], cursor: Cursor | None) -> None:
        """Draw as many covered cards of a stack as fit, and the cursor."""
        canvas, card, space = self.canvas, self.card, self.state.layout.tabs
        depth = min(cursor.depth, len(covered)) if cursor else 0
        first, shown = 0, covered
        if len(covered) > space and depth:
            # If the cursor is inside a stack, show the cards around the cursor.
            first = min(max(0, depth - space), len(covered) - space)
            shown = covered[first : first + space]
        elif len(covered) > space:
            shown = covered[: max(0, space - 1)]
        for row, face in enumerate(shown, y):
            draw_tab(canvas, x, row, card, face)
        hidden = len(covered) - len(shown)
        if hidden and space and not depth:
            draw_tab(canvas, x, y + len(shown), card, covered[0], more=hidden)
        if depth:
            canvas.restyle(x, y + depth - 1 - first, card.pitch - 1, canvas.choice)
        elif cursor and space and not covered:
            canvas.text(x + card.width // 2, y, self.glyphs.look, canvas.choice)

    def _bars(self) -> None:
        """Draw a bar at each end of the Queue where the card can be placed."""
        canvas, chosen = self.canvas, self.state.chosen_end()
        bars = ((START, self.geometry.start_bar()), (END, self.geometry.end_bar()))
        for end, (x, y) in bars:
            if end in self.ends:
                first, ink = RAIL, canvas.choice
                if end == chosen:
                    first, ink = 0, canvas.chosen
                rows = RAIL + self.card.height - first
                canvas.lines(x, y + first, self.glyphs.bar * rows, ink)

    def _rail(self) -> None:
        """Draw the positions above the stacks, and marks where a row of stacks breaks off."""
        canvas, state, geometry = self.canvas, self.state, self.geometry
        for index in range(len(self.stacks)):
            _x, y = geometry.place(index)
            sign, ink = self.glyphs.ahead, canvas.line
            if index < self.at:
                sign, ink = self.glyphs.resolved, canvas.mute
            cells = geometry.cells(index)
            canvas.text(cells[0], y, sign * len(cells), ink)
            gap = abs(self.card.pitch - self.card.width)
            canvas.text(cells[0] - gap if state.mirrored else cells[-1] + 1, y, sign * gap, ink)
        free: dict[int, tuple[int, int]] = {}
        for index in range(state.layout.per_row, len(self.stacks), state.layout.per_row):
            before, after = self._break(index - 1, index), self._break(index, index - 1)
            free[index - 1] = (0, before) if not state.mirrored else (before, canvas.width)
            free[index] = (after, canvas.width) if not state.mirrored else (0, after)
        x, y = geometry.end_bar()
        end = self.glyphs.end_left if state.mirrored else self.glyphs.end
        canvas.text(min(max(0, x), canvas.width - 1), y, end, canvas.mute)
        for index in range(len(self.stacks)):
            label, ink = self._label(index)
            x, y = geometry.place(index)
            first, last = free.get(index, (0, canvas.width))
            x += (self.card.width - cell_len(label) + 1) // 2
            canvas.text(max(first, min(x, last - cell_len(label))), y, label, ink)

    def _break(self, index: int, neighbour: int) -> int:
        """Draw a mark at an end of a row of stacks, with the neighbour in the other row.

        Returns the column that limits the space for the number of the stack at `index`.
        """
        canvas, mirrored = self.canvas, self.state.mirrored
        family = self._family(neighbour)
        at_right = (neighbour > index) != mirrored
        number, sign = str(neighbour + 1), self.glyphs.families[family]
        x, y = self.geometry.place(index)
        width = len(number) + 2
        beside = x + self.card.width if at_right else x - width
        start = max(0, min(beside, canvas.width - width))
        # The arrow stands at the side of the break, and the sign beside the number.
        arrow = (self.glyphs.end_left if mirrored else self.glyphs.end, canvas.mute)
        parts = [(number, canvas.mute), (sign, canvas.hue(family))]
        column = start
        for text, ink in [arrow, *parts] if at_right else [*parts, arrow]:
            column = canvas.text(column, y, text, ink)
        return start if at_right else column

    def _label(self, index: int) -> tuple[str, Style]:
        """Return the label of a position, with its style."""
        palette, state, look = self.canvas.palette, self.state, self.looks[index]
        label, ink = str(index + 1), self.canvas.plain
        if look is CardLook.CHOSEN:
            label, ink = label.join(self.glyphs.chosen_mark), self.canvas.chosen
        elif look is CardLook.LEGAL:
            label, ink = f"[{label}]", self.canvas.choice
        elif index + 1 in self.reached and index != self.at:
            label, ink = f"{label}{self.glyphs.threat}", self.canvas.alert
        if index == self.at:
            # A card that can target itself gets both marks, if they fit.
            both = label.join(self.glyphs.resolving)
            label = both if cell_len(both) <= self.card.pitch else label
            if look not in (CardLook.CHOSEN, CardLook.LEGAL):
                hue = palette.families[self._family(index)].hue
                ink = style(palette.on_colour, hue, bold=True)
        if state.cursor is not None and state.cursor.index == index:
            if not state.layout.tabs and label.isdigit():
                label = f"{self.glyphs.look}{label}"
            ink += Style(underline=True, bold=True)
        elif index + 1 == state.suggested_position:
            ink += Style(underline=True)
        return label, ink
