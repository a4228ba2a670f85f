"""The Influence Queue as one widget: the rail, the stacks, and what hangs under them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.card_art import CardLook, Face, draw_card, draw_tab
from driflamme_tui.drawing.layout import RAIL, Layout
from driflamme_tui.drawing.palette import style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.widgets.table.table_bar import PointedBar
from engine.actions import END, START
from engine.position import Stack, cards_in
from engine.view import View


class Geometry(Struct, frozen=True):
    """Where each stack of a Queue stands; the first resolves first, from either side."""

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
        """Return the columns that are a stack's own: a neighbour may lie on its frame."""
        x, _ = self.place(index)
        own = min(self.layout.card.width, self.layout.card.pitch)
        first = x + self.layout.card.width - own if self.mirrored else x
        return range(first, first + own)

    def hit(self, x: int, y: int) -> tuple[int, float] | None:
        """Return the stack at a cell, and how far across it: 0 where it resolves first, to 1.

        Cells before the first stack or after the last count as that stack's outer edge.
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
    """The stacks of the Queue."""

    @dataclass(eq=False, repr=False)
    class Pressed(Message):
        """A stack was clicked; -1 when the Queue is empty."""

        index: int
        across: float
        """How far across the stack, from 0 at the side that resolves first, to 1."""

    @dataclass(repr=False)
    class Hovered(Message):
        """The pointer is over one part of a stack, or over none (-1)."""

        index: int
        across: float = field(default=0.0, compare=False)
        """How far across the stack the pointer is, from 0 at the side that resolves first, to 1."""
        quarter: int = 0
        """Which quarter of the stack that is: how large its outer part is differs, where a card
        may be put down, and quarters tell them all apart."""

    def geometry(self) -> Geometry | None:
        """Return where the stacks stand now."""
        if self.state is None:
            return None
        stacks, _, _ = self.state.queue()
        return Geometry(self.state.layout, len(stacks), self.size.width, self.state.mirrored)

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the rail, the stacks, the tabs and the ends where a card may be put."""
        geometry = self.geometry()
        assert geometry is not None
        stacks, at, carried = state.queue()
        if not stacks:
            self._draw_empty(canvas, state, geometry)
            return
        legal, chosen = state.legal_positions(), state.chosen_position()
        choosing = bool(legal or carried >= 0 or state.legal_ends())
        looks = []
        for index in range(len(stacks)):
            look = CardLook.PLAIN
            if index == carried or (carried < 0 and index + 1 == chosen):
                look = CardLook.CHOSEN
            elif index + 1 in legal:
                look = CardLook.LEGAL
            elif state.lost or (choosing and index != at and not state.legal_ends()):
                look = CardLook.DIM
            looks.append(look)
        draw_rail(canvas, state, geometry, at, looks)
        # Where cards lie on each other's frames, those that matter more lie on top.
        for index in sorted(range(len(stacks)), key=lambda index: _LAYERS[looks[index]]):
            if index + 1 == state.effect.edge:
                self._draw_edge(canvas, state, geometry, index, stacks[index])
            elif index + 1 != state.effect.gap:
                look = CardLook.CHOSEN if index + 1 == state.effect.lit else looks[index]
                self._draw_stack(canvas, state, geometry, index, stacks[index], look)
        self._draw_ends(canvas, state, geometry)

    def on_click(self, event: events.Click) -> None:
        """Tell which stack was clicked."""
        geometry = self.geometry()
        hit = geometry.hit(event.x, event.y) if geometry else None
        if hit is not None:
            self.post_message(self.Pressed(*hit))
        elif self.state is not None and not self.state.view.queue:
            self.post_message(self.Pressed(-1, 0.0))

    def pointed_at(self, x: int, y: int) -> Hovered:
        """Return which part of which stack a cell belongs to."""
        geometry = self.geometry()
        index, across = (geometry and geometry.hit(x, y)) or (-1, 0.0)
        return self.Hovered(index, across, int(across * 4))

    def _draw_empty(self, canvas: Canvas, state: TableState, geometry: Geometry) -> None:
        palette = canvas.palette
        glyphs, size = state.glyphs, state.layout.card
        canvas.fill(1, 0, canvas.width - 2, 1, canvas.line, glyphs.ahead)
        x, _ = geometry.place(0)
        chosen = bool(state.chosen_end())
        ink = canvas.ink(palette.choice if state.legal_ends() else palette.line, bold=chosen)
        signs = glyphs.legal if state.legal_ends() else glyphs.face_up
        canvas.fill(x, RAIL, size.width, size.height, ink, " ")
        canvas.frame(x, RAIL, size.width, size.height, signs, ink)

    def _draw_edge(
        self, canvas: Canvas, state: TableState, geometry: Geometry, index: int, stack: Stack
    ) -> None:
        """Draw a card that is being turned over, from its side."""
        size = state.layout.card
        x, y = geometry.place(index)
        family = canvas.palette.families[state.view.families[stack[0]]]
        ink = canvas.ink(family.hue, bold=True)
        canvas.lines(x + size.width // 2, y + RAIL, state.glyphs.bar * size.height, ink)

    def _draw_stack(
        self,
        canvas: Canvas,
        state: TableState,
        geometry: Geometry,
        index: int,
        stack: Stack,
        look: CardLook,
    ) -> None:
        layout, glyphs = state.layout, state.glyphs
        palette = canvas.palette
        x, y = geometry.place(index)
        faces = _faces(state.view, stack)
        looked = state.cursor is not None and state.cursor.index == index
        draw_card(
            canvas,
            x,
            y + RAIL,
            layout.card,
            faces[0],
            look,
            height=len(faces),
            underline=looked,
        )
        if index + 1 == state.effect.struck:
            alert = style(palette.on_colour, palette.alert, bold=True)
            cross = glyphs.cross * (layout.card.width - 2)
            canvas.text(x + 1, y + RAIL + layout.card.height // 2, cross, alert)
        self._draw_below(canvas, state, (x, y + RAIL + layout.card.height), index, faces[1:])

    def _draw_below(
        self,
        canvas: Canvas,
        state: TableState,
        corner: tuple[int, int],
        index: int,
        covered: Sequence[Face],
    ) -> None:
        """Draw the covered cards of a stack, as many as there is room for, and the cursor."""
        layout, glyphs = state.layout, state.glyphs
        x, below = corner
        cursor = state.cursor if state.cursor and state.cursor.index == index else None
        depth = min(cursor.depth, len(covered)) if cursor else 0
        room = layout.tabs
        first, shown = 0, covered
        if len(covered) > room and depth:
            # Looked into, a stack shows those around the one that is looked at.
            first = min(max(0, depth - room), len(covered) - room)
            shown = covered[first : first + room]
        elif len(covered) > room:
            shown = covered[: max(0, room - 1)]
        for row, face in enumerate(shown):
            draw_tab(canvas, x, below + row, layout.card, face)
        if len(shown) < len(covered) and room and not depth:
            hidden = len(covered) - len(shown)
            draw_tab(canvas, x, below + len(shown), layout.card, covered[0], more=hidden)
        if cursor is None:
            return
        mark = canvas.ink(canvas.palette.choice, bold=True)
        if depth:
            canvas.restyle(x, below + depth - 1 - first, layout.card.pitch - 1, mark)
        elif room and not covered:
            canvas.text(x + layout.card.width // 2, below, glyphs.look, mark)

    def _draw_ends(self, canvas: Canvas, state: TableState, geometry: Geometry) -> None:
        palette = canvas.palette
        legal, chosen = state.legal_ends(), state.chosen_end()
        for end, (x, y) in ((START, geometry.start_bar()), (END, geometry.end_bar())):
            if end not in legal:
                continue
            ink = canvas.ink(palette.choice, bold=True)
            if end == chosen:
                ink = canvas.chosen
            for row in range(RAIL if end != chosen else 0, RAIL + state.layout.card.height):
                canvas.text(x, y + row, state.glyphs.bar, ink)


def _faces(view: View, stack: Stack) -> list[Face]:
    family = view.families[stack[0]]
    return [Face(family, card, face_up, influence) for card, face_up, influence in cards_in(stack)]


_LAYERS: Final = {CardLook.DIM: 0, CardLook.PLAIN: 0, CardLook.LEGAL: 1, CardLook.CHOSEN: 2}
"""The order in which cards are drawn, by how they are set apart."""


def draw_rail(
    canvas: Canvas, state: TableState, geometry: Geometry, at: int, looks: Sequence[CardLook]
) -> None:
    """Draw the positions above the stacks, and where a row goes on in the next."""
    palette, glyphs, layout = canvas.palette, state.glyphs, state.layout
    for index in range(geometry.stacks):
        _x, y = geometry.place(index)
        line = canvas.ink(palette.mute if index < at else palette.line)
        sign = glyphs.resolved if index < at else glyphs.ahead
        cells = geometry.cells(index)
        canvas.text(cells[0], y, sign * len(cells), line)
        gap = abs(layout.card.pitch - layout.card.width)
        canvas.text(cells[0] - gap if state.mirrored else cells[-1] + 1, y, sign * gap, line)
    free: dict[int, tuple[int, int]] = {}
    for index in range(layout.per_row, geometry.stacks, layout.per_row):
        before = _draw_break(canvas, state, geometry, index - 1, index)
        after = _draw_break(canvas, state, geometry, index, index - 1)
        free[index - 1] = (0, before) if not state.mirrored else (before, canvas.width)
        free[index] = (after, canvas.width) if not state.mirrored else (0, after)
    x, y = geometry.place(geometry.stacks - 1)
    end, column = (
        (glyphs.end_left, x - 1) if state.mirrored else (glyphs.end, geometry.end_bar()[0])
    )
    canvas.text(min(max(0, column), canvas.width - 1), y, end, canvas.mute)
    for index, look in enumerate(looks):
        label, ink = _label(canvas, state, index, at, look)
        x, y = geometry.place(index)
        first, last = free.get(index, (0, canvas.width))
        x += (layout.card.width - cell_len(label) + 1) // 2
        canvas.text(max(first, min(x, last - cell_len(label))), y, label, ink)


def _draw_break(
    canvas: Canvas, state: TableState, geometry: Geometry, index: int, neighbour: int
) -> int:
    """Write beside a stack at the end of a row who stands beside it in another row.

    Returns the column where the room of the stack's own number ends, or begins.
    """
    glyphs = state.glyphs
    family = state.view.families[state.queue()[0][neighbour][0]]
    onward = neighbour > index
    at_right = onward != state.mirrored
    arrow = glyphs.end_left if state.mirrored else glyphs.end
    number, sign = str(neighbour + 1), glyphs.families[family]
    x, y = geometry.place(index)
    hue = canvas.hue(family)
    width = len(number) + 2
    beside = x + state.layout.card.width if at_right else x - width
    start = max(0, min(beside, canvas.width - width))
    # The arrow stands on the side of the break, the sign beside the number.
    parts = [(number, canvas.mute), (sign, hue)]
    parts = [(arrow, canvas.mute), *parts] if at_right else [*parts, (arrow, canvas.mute)]
    column = start
    for text, ink in parts:
        column = canvas.text(column, y, text, ink)
    return start if at_right else column


def _label(
    canvas: Canvas, state: TableState, index: int, at: int, look: CardLook
) -> tuple[str, Style]:
    """Return the number of a position, with what sets it apart."""
    palette, glyphs = canvas.palette, state.glyphs
    label, ink = str(index + 1), canvas.plain
    if index == at:
        before, after = glyphs.resolving
        label = f"{before}{label}{after}"
        family = state.view.families[state.queue()[0][index][0]]
        ink = style(palette.on_colour, palette.families[family].hue, bold=True)
    elif look is CardLook.CHOSEN:
        before, after = glyphs.chosen_mark
        label = f"{before}{label}{after}"
        ink = canvas.chosen
    elif look is CardLook.LEGAL:
        label, ink = f"[{label}]", canvas.ink(palette.choice, bold=True)
    if state.cursor is not None and state.cursor.index == index:
        if not state.layout.tabs and label.isdigit():
            label = f"{glyphs.look}{label}"
        ink += Style(underline=True, bold=True)
    elif index + 1 == state.hinted_position:
        ink += Style(underline=True)
    return label, ink
