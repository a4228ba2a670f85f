"""The tables that were found on this network, as a list to choose from."""

from collections.abc import Sequence

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Button, Static

from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.found_words import seats_of
from netcode.joining.discovery import FoundTable


class FoundButton(Button):
    """A table that may be joined."""

    def __init__(self, table: FoundTable) -> None:
        way = "" if table.is_free else _("watch")
        state = seats_of(table) + (f": {way}" if way else "")
        parts = (table.room, steady(table.name), state, steady(str(table.address)))
        label = "  ".join(part for part in parts if part)
        super().__init__(Text(label, no_wrap=True, overflow="ellipsis"), compact=True)
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
                none = _("None yet; they show up by themselves. To begin one, host it for others.")
                await self.mount(Static(none))
            else:
                await self.mount_all(FoundButton(table) for table in tables)
        if chosen is not None:
            again = (each for each in self.query(FoundButton) if each.table.address == chosen)
            first = next(again, None) or next(iter(self.query(FoundButton)), None)
            if first is not None:
                first.focus()
