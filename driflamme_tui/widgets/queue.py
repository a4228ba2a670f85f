"""The Influence Queue as one widget: the rail, the stacks, and what hangs under them."""

from dataclasses import dataclass

from textual import events
from textual.message import Message

from driflamme_tui.table_state import TableState
from driflamme_tui.widgets.canvas import Canvas
from driflamme_tui.widgets.card_art import Face, Look, draw_card, draw_tab
from driflamme_tui.widgets.drawn import Drawn
from driflamme_tui.widgets.layout import RAIL, Layout
from driflamme_tui.widgets.palette import style
from engine.actions import END, START
from engine.position import Stack, cards_in
from engine.view import View


@dataclass(frozen=True, slots=True)
class Geometry:
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
            return self.width - 1 - (column + 1) * pitch + (pitch - self.layout.card.width), y
        return 1 + column * pitch, y

    def start_bar(self) -> tuple[int, int]:
        """Return the column and rail row of the bar before the first stack."""
        x, y = self.place(0)
        return (x + self.layout.card.width, y) if self.mirrored else (x - 1, y)

    def end_bar(self) -> tuple[int, int]:
        """Return the column and rail row of the bar after the last stack."""
        x, y = self.place(max(0, self.stacks - 1))
        return (x - 1, y) if self.mirrored else (x + self.layout.card.width, y)

    def hit(self, x: int, y: int) -> tuple[int, float] | None:
        """Return the stack at a cell, and how far across it: 0 where it resolves first, to 1.

        Cells before the first stack or after the last count as that stack's outer edge.
        """
        row = y // self.layout.row_height
        if not 0 <= row < self.layout.rows or not self.stacks:
            return None
        pitch = self.layout.card.pitch
        offset = self.width - 1 - x - 1 if self.mirrored else x - 1
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


class Queue(Drawn):
    """The stacks of the Queue."""

    @dataclass
    class Pressed(Message):
        """A stack was clicked; -1 when the Queue is empty."""

        index: int
        across: float
        """How far across the stack, from 0 at the side that resolves first, to 1."""

    @dataclass
    class Hovered(Message):
        """The pointer is over a stack, or over none (-1)."""

        index: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state: TableState | None = None
        self._hovered = -1

    def show(self, state: TableState) -> None:
        """Draw a moment of the table."""
        self.state = state
        self.redraw()

    def geometry(self) -> Geometry | None:
        """Return where the stacks stand now."""
        if self.state is None:
            return None
        stacks, _, _ = self.state.queue()
        return Geometry(self.state.layout, len(stacks), self.size.width, self.state.mirrored)

    def draw(self, canvas: Canvas) -> None:
        """Draw the rail, the stacks, the tabs and the ends where a card may be put."""
        state, geometry = self.state, self.geometry()
        if state is None or geometry is None:
            return
        stacks, at, carried = state.queue()
        if not stacks:
            self._draw_empty(canvas, state, geometry)
            return
        legal, chosen = state.legal_positions(), state.chosen_positions()
        choosing = bool(legal or carried >= 0 or state.legal_ends())
        for index, stack in enumerate(stacks):
            look = Look.PLAIN
            if index == carried or (carried < 0 and index + 1 in chosen):
                look = Look.CHOSEN
            elif index + 1 in legal:
                look = Look.LEGAL
            elif state.lost or (choosing and index != at and not state.legal_ends()):
                look = Look.DIM
            self._draw_rail(canvas, state, geometry, index, at, look)
            if index + 1 == state.effect.edge:
                self._draw_edge(canvas, state, geometry, index, stack)
            elif index + 1 != state.effect.gap:
                if index + 1 == state.effect.lit:
                    look = Look.CHOSEN
                self._draw_stack(canvas, state, geometry, index, stack, look)
        self._draw_ends(canvas, state, geometry)

    def on_click(self, event: events.Click) -> None:
        """Tell which stack was clicked."""
        geometry = self.geometry()
        hit = geometry.hit(event.x, event.y) if geometry else None
        if hit is not None:
            self.post_message(self.Pressed(*hit))
        elif self.state is not None and not self.state.view.queue:
            self.post_message(self.Pressed(-1, 0.0))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell which stack the pointer is over, when that changes."""
        geometry = self.geometry()
        hit = geometry.hit(event.x, event.y) if geometry else None
        self._hover(hit[0] if hit else -1)

    def on_leave(self, event: events.Leave) -> None:
        """The pointer is over no stack."""
        self._hover(-1)

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.post_message(self.Hovered(index))

    def _draw_empty(self, canvas: Canvas, state: TableState, geometry: Geometry) -> None:
        palette = canvas.palette
        glyphs, size = state.glyphs, state.layout.card
        canvas.fill(1, 0, canvas.width - 2, 1, style(palette.line, palette.table), glyphs.ahead)
        x, _ = geometry.place(0)
        chosen = bool(state.chosen_end())
        ink = style(
            palette.choice if state.legal_ends() else palette.line, palette.table, bold=chosen
        )
        top_left, horizontal, top_right, vertical, bottom_left, bottom_right = (
            glyphs.legal if state.legal_ends() else glyphs.face_up
        )
        inner = size.width - 2
        canvas.text(x, RAIL, top_left + horizontal * inner + top_right, ink)
        for row in range(1, size.height - 1):
            canvas.text(x, RAIL + row, vertical + " " * inner + vertical, ink)
        bottom = bottom_left + horizontal * inner + bottom_right
        canvas.text(x, RAIL + size.height - 1, bottom, ink)

    def _draw_rail(
        self, canvas: Canvas, state: TableState, geometry: Geometry, index: int, at: int, look: Look
    ) -> None:
        palette = canvas.palette
        glyphs = state.glyphs
        x, y = geometry.place(index)
        width = state.layout.card.width
        pitch = state.layout.card.pitch
        resolved = 0 <= index < at
        left = x - (pitch - width) if state.mirrored else x
        line = style(palette.mute if resolved else palette.line, palette.table)
        canvas.text(left, y, (glyphs.resolved if resolved else glyphs.ahead) * pitch, line)
        label, ink = str(index + 1), style(palette.ink, palette.table)
        if index == at:
            before, after = glyphs.resolving
            label = f"{before}{label}{after}"
            family = state.view.families[state.queue()[0][index][0]]
            ink = style(palette.on_hue, palette.families[family].hue, bold=True)
        elif look is Look.CHOSEN:
            before, after = glyphs.chosen_mark
            label = f"{before}{label}{after}"
            ink = style(palette.on_choice, palette.choice, bold=True)
        elif look is Look.LEGAL:
            label, ink = f"[{label}]", style(palette.choice, palette.table, bold=True)
        canvas.text(x + (width - len(label) + 1) // 2, y, label, ink)
        if index == geometry.stacks - 1 or (index + 1) % state.layout.per_row == 0:
            end, column = (
                (glyphs.end_left, left - 1) if state.mirrored else (glyphs.end, left + pitch)
            )
            canvas.text(min(column, canvas.width - 1), y, end, style(palette.mute, palette.table))

    def _draw_edge(
        self, canvas: Canvas, state: TableState, geometry: Geometry, index: int, stack: Stack
    ) -> None:
        """Draw a card that is being turned over, from its side."""
        size = state.layout.card
        x, y = geometry.place(index)
        family = canvas.palette.families[state.view.families[stack[0]]]
        ink = style(family.hue, canvas.palette.table, bold=True)
        for row in range(size.height):
            canvas.text(x + size.width // 2, y + RAIL + row, state.glyphs.bar, ink)

    def _draw_stack(
        self,
        canvas: Canvas,
        state: TableState,
        geometry: Geometry,
        index: int,
        stack: Stack,
        look: Look,
    ) -> None:
        palette = canvas.palette
        layout, glyphs = state.layout, state.glyphs
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
            glyphs,
            height=len(faces),
            underline=looked,
        )
        if index + 1 == state.effect.struck:
            alert = style(palette.on_alert, palette.alert, bold=True)
            cross = glyphs.cross * (layout.card.width - 2)
            canvas.text(x + 1, y + RAIL + layout.card.height // 2, cross, alert)
        below = y + RAIL + layout.card.height
        covered = faces[1:]
        shown = covered if len(covered) <= layout.tabs else covered[: max(0, layout.tabs - 1)]
        for row, face in enumerate(shown):
            draw_tab(canvas, x, below + row, layout.card, face, glyphs)
        if len(shown) < len(covered) and layout.tabs:
            hidden = len(covered) - len(shown)
            row = below + len(shown)
            draw_tab(canvas, x, row, layout.card, covered[0], glyphs, more=hidden)
        if looked and state.cursor is not None:
            depth = state.cursor.depth
            mark = style(palette.choice, palette.table, bold=True)
            if depth and depth <= len(shown):
                canvas.restyle(x, below + depth - 1, layout.card.width, mark)
            elif not covered:
                canvas.text(x + layout.card.width // 2, below, glyphs.look, mark)

    def _draw_ends(self, canvas: Canvas, state: TableState, geometry: Geometry) -> None:
        palette = canvas.palette
        legal, chosen = state.legal_ends(), state.chosen_end()
        for end, (x, y) in ((START, geometry.start_bar()), (END, geometry.end_bar())):
            if end not in legal:
                continue
            ink = style(palette.choice, palette.table, bold=True)
            if end == chosen:
                ink = style(palette.on_choice, palette.choice, bold=True)
            for row in range(RAIL if end != chosen else 0, RAIL + state.layout.card.height):
                canvas.text(x, y + row, state.glyphs.bar, ink)


def _faces(view: View, stack: Stack) -> list[Face]:
    family = view.families[stack[0]]
    return [Face(family, card, face_up, influence) for card, face_up, influence in cards_in(stack)]
