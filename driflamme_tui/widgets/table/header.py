"""Draws the header with round and phase, and defines base classes for the widgets of a table."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import WIDE_COLUMNS
from driflamme_tui.drawing.palette import Palette, style
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import DrawnWidget
from driflamme_tui.wording.program.joining_words import clock_text, round_trip
from engine.cards import ROUNDS
from engine.position import PLACE


class TableBar(DrawnWidget):
    """A widget that draws one moment of the table."""

    state: TableState | None = None
    _choice: object = None
    """The result of `choice_of` for the moment that was drawn."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the present moment, if there is one yet."""
        if self.state is not None:
            self.draw_state(canvas, self.state)

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw a moment of the table on an empty canvas. Subclasses must override this method."""
        raise TypeError("a widget of the table says how it is drawn")

    def choice_of(self, state: TableState) -> object:
        """Return the parts of the present choice and the cursor that this widget draws.

        A cursor key changes nothing else, so a widget with an equal result is not drawn again. The
        default result equals no other, so `show` always draws the widget again.
        """
        return object()

    def show(self, state: TableState) -> None:
        """Draw a moment of the table, unless the last drawn one looks the same in this widget."""
        before, self.state = self.state, state
        chosen, self._choice = self._choice, self.choice_of(state)
        if (
            before is None
            or chosen != self._choice
            or not self.is_drawn
            or not state.is_like(before)
        ):
            self.redraw()


class PointedBar(TableBar):
    """A widget of the table that reports clicks and the part under the pointer."""

    class Pointed(Message):
        """Sent when the pointer moves to another part or to none, or clicks a part."""

        def __init__(self, cursor: Cursor | None, across: float, *, clicked: bool) -> None:
            """Report a part, and the pointer's place across it.

            The place is 0 at the edge that resolves first, and 1 at the other edge.
            """
            super().__init__()
            self.cursor, self.across, self.clicked = cursor, across, clicked

    _pointed: tuple[Cursor | None, int] = (None, 0)
    """The part that was last under the pointer, or None, and the pointer's quarter of that part.

    The quarters count from 0 at the edge that resolves first.
    """

    def part_at(self, x: int, y: int) -> tuple[Cursor | None, float]:
        """Return the part at a cell, and the cell's place across that part, from 0 to 1.

        At (-1, -1) and at a cell without a part, the part is None. By default the place is 0.
        """
        part = self.target_at(x, y)
        return part if isinstance(part, Cursor) else None, 0.0

    def on_click(self, event: events.Click) -> None:
        """Report the clicked part."""
        cursor, across = self.part_at(event.x, event.y)
        if cursor is not None:
            self.post_message(self.Pointed(cursor, across, clicked=True))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report the part under the pointer."""
        self._report_pointer(event.x, event.y)

    def on_leave(self, event: events.Leave) -> None:
        """Report that the pointer is over nothing."""
        self._report_pointer(-1, -1)

    def _report_pointer(self, x: int, y: int) -> None:
        cursor, across = self.part_at(x, y)
        # Report each quarter, since the zone at the edge for placing a card varies in width.
        if (cursor, int(across * 4)) != self._pointed:
            self._pointed = cursor, int(across * 4)
            self.post_message(self.Pointed(cursor, across, clicked=False))


WARNING_S: Final = 10
"""Maximum seconds left for which the time is highlighted."""
LAST_S: Final = 5
"""Maximum seconds left for which the time has the strongest highlight."""


class Header(TableBar):
    """Draws round, phase, and the state of the table."""

    ground = "panel"

    def choice_of(self, state: TableState) -> object:
        """Return None: the header depends on neither choice nor cursor."""
        return None

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the row of the header. The least important parts are left out if space is short."""
        view, glyphs = state.view, state.glyphs
        rounds = glyphs.round_done * view.round + glyphs.round_ahead * (ROUNDS - view.round)
        if view.over:
            phase = _("The game is over")
        else:
            phase = _("Placement") if view.question == PLACE else _("Resolution")
        end = canvas.text(1, 0, "Driflamme  ", canvas.bold) if canvas.width >= WIDE_COLUMNS else 1
        text = _("Round {round}/{rounds}", round=view.round, rounds=ROUNDS)
        end = canvas.text(end, 0, f"{text} {rounds}  {phase}", canvas.bold)
        gap = f" {glyphs.separator} "
        x = canvas.width - 1
        parts = list(self._parts(canvas, state))
        columns = x - end
        if state.deadline and sum(cell_len(text + gap) for text, _ink in parts) > columns:
            # The time left is more important than the delay and the table.
            parts.sort(key=lambda part: part[0] != state.deadline)
        for text, ink in parts:
            width = cell_len(text)
            if x - width < end + cell_len(gap):
                break
            canvas.text(x - width, 0, text, ink, width)
            x -= width + cell_len(gap)
            canvas.text(x, 0, gap, canvas.mute)
        # Erase the last separator, since no part stands at its left.
        canvas.text(max(x, end), 0, " " * (x + cell_len(gap) - max(x, end)), canvas.bold)

    def _parts(self, canvas: Canvas, state: TableState) -> Sequence[tuple[str, Style]]:
        """Return the parts at the right, with the most important one at the far right first."""
        glyphs = state.glyphs
        parts: list[tuple[str, Style]] = []
        if state.time_left is not None:
            clock = clock_text(state.time_left)
            shown = f"{glyphs.paused} {clock}" if state.paused else clock
            parts.append((shown, time_ink(state, canvas.palette, canvas.ground)))
        if state.lost:
            lost = f"{glyphs.away} {_('connection lost')}"
            parts.append((lost, canvas.alert))
        elif state.latency_ms is not None:
            parts.append((round_trip(state.latency_ms, glyphs), canvas.mute))
        if state.prefix:
            parts.append((_("Table {prefix}", prefix=state.prefix), canvas.mute))
        return [*parts, *((text, canvas.mute) for text in state.heading)]


def time_ink(state: TableState, palette: Palette, ground: str) -> Style:
    """Return the style of the time left. The less time is left, the stronger it is.

    A stopped clock has the weakest style.
    """
    left = state.time_left
    if left is None or not state.time_runs:
        return style(palette.mute, ground)
    if left <= LAST_S:
        return style(palette.on_colour, palette.alert, bold=True)
    if left <= WARNING_S:
        return style(palette.alert, ground, bold=True)
    return style(palette.ink, ground, bold=True)
