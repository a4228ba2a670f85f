"""What the start screen shows: a picture, and the tables that were found."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Button, Static

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card
from driflamme_tui.drawing.layout import FULL
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import Drawn
from driflamme_tui.wording.program.found_words import seats_of
from engine.cards import UNKNOWN
from netcode.joining.discovery import FoundTable

CARDS: Final = (
    Face("r", UNKNOWN, face_up=False, influence=2),
    Face("b", "A", face_up=True),
    Face("g", UNKNOWN, face_up=False, influence=4),
    Face("y", "L", face_up=True),
    Face("v", UNKNOWN, face_up=False),
)
"""A Queue in the middle of a game: what is face down gathers influence."""

STEP: Final = FULL.width + 3
"""Columns from one card to the next."""

PICTURE_ROWS: Final = 10
"""Rows that the picture takes, with the empty ones below it."""

ROOM_ROWS: Final = 32
"""Rows of the screen from which there is room for a picture above everything else."""

ROOM_COLUMNS: Final = 80
"""Columns of the screen from which there is room for the picture."""


class StartPicture(Drawn):
    """Five cards in a row."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the cards."""
        for place, face in enumerate(CARDS):
            draw_card(canvas, place * STEP, 0, FULL, face, CardLook.PLAIN)


class FoundButton(Button):
    """A table that may be joined."""

    def __init__(self, table: FoundTable) -> None:
        state = seats_of(table)
        if not table.is_free:
            state = _("{state}: watch", state=state) if state else _("watch")
        parts = (table.room, steady(table.name), state, steady(str(table.address)))
        label = "  ".join(part for part in parts if part)
        super().__init__(Text(label), compact=True)
        self.table = table


class FoundTables(VerticalScroll):
    """The list; it stays as it is while nothing changes, so that the focus does too."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, can_focus=False)
        self._shown: list[FoundTable] | None = None

    async def show(self, tables: Sequence[FoundTable]) -> None:
        """Show these tables, keeping the focus on the one that has it."""
        if tables == self._shown:
            return
        self._shown = list(tables)
        focused = self.screen.focused
        chosen = focused.table.address if isinstance(focused, FoundButton) else None
        async with self.batch():
            await self.remove_children()
            if not tables:
                none = _("None yet; tables appear here by themselves. To open one, choose to host.")
                await self.mount(Static(none))
            else:
                await self.mount_all(FoundButton(table) for table in tables)
        if chosen is not None:
            again = (each for each in self.query(FoundButton) if each.table.address == chosen)
            # Enter would open another table if the focus went there from one that is gone.
            self.screen.set_focus(next(again, None) or self.screen.query_one("#address"))
