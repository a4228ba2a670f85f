"""Lists items in columns with one chosen line, by Textual's table.

The keys belong to the screen's commands. A click chooses a line, another click opens it, and a
click on a heading sorts. Textual measures every cell of a table, so the table gets one page of
lines at a time.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from rich.text import Text
from textual import events
from textual.widgets import DataTable

from driflamme_tui.drawing.textual_internals import terminal_of

Item = TypeVar("Item")

PAGE: Final = 100
"""Number of lines in a page."""

LEAST: Final = 8
"""Minimum cells of a column that takes free space."""

GAP: Final = "  "
"""The gap between lines of a cell that were joined into one row."""


class Column(NamedTuple, Generic[Item]):
    """A column of a list."""

    heading: str
    cell: Callable[[Item], Text]
    order: Callable[[Item], Any] | None = None
    """Returns the key that sorts the lines; None to sort by the text of the cell."""
    is_number: bool = False
    """True if the column is aligned right, and sorted from the highest value down."""
    grows: bool = False
    """True if the column takes the free columns, with as many rows as it needs. Its cells are
    broken only at their line breaks if the lines are short enough.
    """

    def sorted(self, items: Sequence[Item], *, turned: bool) -> list[Item]:
        """Return items in the order of this column; with `turned`, in reverse.

        Numbers begin with the largest.
        """
        order = self.order or (lambda item: self.cell(item).plain.casefold())
        return sorted(items, key=order, reverse=turned != self.is_number)

    def justified(self, text: Text) -> Text:
        """Align a text to this column's side, and return the same text."""
        text.justify = "right" if self.is_number else "left"
        return text


def join_lines(text: Text, width: int | None = None) -> Text:
    """Join the lines of a text into rows of at most `width` cells.

    With None, all lines are joined into one row. A line that is wider gets a row of its own.
    """
    rows = [Text()]
    for piece in text.split("\n"):
        gap = GAP if rows[-1] else ""
        is_full = width is not None and rows[-1].cell_len + len(gap) + piece.cell_len > width
        if is_full and rows[-1]:
            rows.append(Text())
            gap = ""
        rows[-1].append(gap).append_text(piece)
    return Text("\n").join(rows)


class ListTable(DataTable[Text], Generic[Item], can_focus=False, inherit_bindings=False):
    """Lists any items, page by page."""

    def __init__(
        self,
        columns: Callable[[], Sequence[Column[Item]]],
        name_of: Callable[[Item], object],
        *,
        moves_on: bool = False,
    ) -> None:
        """Make an empty list.

        Args:
            columns: Returns the columns, in the present language and signs.
            name_of: Returns a key that identifies an item among new items.
            moves_on: True to choose the next item when the chosen item disappears.
        """
        super().__init__(id="list", cursor_type="row")
        self._columns, self._name_of = columns, name_of
        self.items: Sequence[Item] = ()
        self.shown: Sequence[Item] = ()
        """The items that match the search, in the shown order."""
        self.can_choose = True
        """True if the reader can choose a line. Otherwise the cursor is hidden."""
        self._moves_on = moves_on
        self._is_gone = False
        """True if the chosen item has gone. Then no line is chosen until the reader chooses one."""
        self._sought = ""
        self._sorted_by: int | None = None
        self._is_turned = False
        self._written: object = None
        """The contents that were last written into the table; None before the first time."""
        self._first = 0
        """The index, among all shown lines, of the first line on the page."""
        self._awaited: int | None = 0
        """The line to choose once the size is known; None once it was chosen."""

    @property
    def selected(self) -> int:
        """The index of the chosen line, from 0."""
        return self._first + self.cursor_row if self._awaited is None else self._awaited

    @property
    def chosen(self) -> Item | None:
        """The chosen item; None if the list is empty, or if the chosen item has gone."""
        if self._is_gone or self.selected >= len(self.shown):
            return None
        return self.shown[self.selected]

    @property
    def pages(self) -> tuple[int, int]:
        """The number of the shown page, from 1, and the number of pages, 0 for an empty list."""
        return self._first // PAGE + 1, -(-len(self.shown) // PAGE)

    def show(self, items: Sequence[Item]) -> None:
        """List other items, unless they are equal.

        The chosen item stays chosen if it is among them.
        """
        if items != self.items:
            self.items = items
            self.relist()

    def search(self, sought: str) -> None:
        """List only items with this text in a cell; for "", all items.

        Upper and lower case count as equal.
        """
        self._sought = sought.casefold()
        self.relist()

    def sort_by(self, column: int | None, *, turned: bool) -> None:
        """Sort by a column; with `turned`, in the reverse order.

        With None for the column, restore the order of the items.
        """
        self._sorted_by, self._is_turned = column, turned
        self.relist()

    def sort_next(self) -> None:
        """Sort by the next column. After the last column, restore the order of the items."""
        following = 0 if self._sorted_by is None else self._sorted_by + 1
        self.sort_by(following if following < len(self.columns) else None, turned=False)

    def turn_round(self) -> None:
        """Reverse the order of the items."""
        self.sort_by(self._sorted_by, turned=not self._is_turned)

    def relist(self) -> None:
        """Search, sort and write the lines again, in the present size, language and signs."""
        chosen, line, columns = self.chosen, self.selected, self._columns()
        shown = [
            item
            for item in self.items
            if not self._sought
            or any(self._sought in each.cell(item).plain.casefold() for each in columns)
        ]
        if self._sorted_by is not None:
            shown = columns[self._sorted_by].sorted(shown, turned=self._is_turned)
        elif self._is_turned:
            shown.reverse()
        self.shown = shown
        if chosen is not None:
            names = list(map(self._name_of, shown))
            name = self._name_of(chosen)
            line = names.index(name) if name in names else line
            there = name in names or name in map(self._name_of, self.items)
            self._is_gone = not (there or self._moves_on)
        self.show_cursor = self.can_choose and not self._is_gone
        self._write(line)

    def select(self, line: int) -> None:
        """Choose a line by its index, or the nearest line. -1 means the last."""
        self._choose_again()
        last = max(0, len(self.shown) - 1)
        line = last if line < 0 else min(line, last)
        if line // PAGE * PAGE == self._first and self._awaited is None:
            self.move_cursor(row=line - self._first)
        else:
            self._write(line)

    def _choose_again(self) -> None:
        """Allow a choice again, and show the cursor, after the chosen item has gone."""
        self._is_gone = False
        self.show_cursor = self.can_choose

    def page(self, by: int) -> None:
        """Move the choice down by `by` times the visible rows; up if `by` is negative."""
        rows = self.scrollable_content_region.height - self.header_height
        self.select(max(0, self.selected + by * max(1, rows)))

    def _write(self, line: int) -> None:
        """Fill the table with the page of a line, and choose that line.

        If the size of the table is unknown, only store the line for later.
        """
        self._awaited = None if self.content_size.width else line
        if self._awaited is not None:
            return
        line = max(0, min(line, len(self.shown) - 1))
        seen = self.scroll_y
        self._first = line // PAGE * PAGE
        columns = self._columns()
        headings = [Text(self._heading(number, each)) for number, each in enumerate(columns)]
        page = self.shown[self._first : self._first + PAGE]
        named = zip(columns, headings, strict=True)
        cells = [[heading, *map(column.cell, page)] for column, heading in named]
        widths = [max(join_lines(cell).cell_len for cell in each) for each in cells]
        over = sum(width + 2 * self.cell_padding for width in widths) - self.content_size.width
        written = cells, over
        if written != self._written:
            # Write only changed cells, since Textual measures every written cell again.
            self._written = written
            self.clear(columns=True)
            for number, column in enumerate(columns):
                if column.grows:
                    widths[number] = max(LEAST, widths[number] - max(0, over))
                self.add_column(column.justified(headings[number]), width=widths[number])
            for row in list(zip(*cells, strict=True))[1:]:
                texts = zip(columns, row, widths, strict=True)
                lines = (column.justified(join_lines(text, width)) for column, text, width in texts)
                self.add_row(*lines, height=None)
        self.move_cursor(row=line - self._first)
        self.call_after_refresh(self._scroll_back, seen)

    def _scroll_back(self, seen: float) -> None:
        self.scroll_to(y=seen, animate=False)
        self.move_cursor(row=self.cursor_row)

    def _heading(self, number: int, column: Column[Item]) -> str:
        glyphs = terminal_of(self).glyphs
        down = self._is_turned != column.is_number
        return glyphs.plain(column.heading) + (
            glyphs.sorted[down] if number == self._sorted_by else ""
        )

    def on_resize(self) -> None:
        """Fit the columns to the new width."""
        self.relist()

    def on_click(self, event: events.Click) -> None:
        """Open the chosen line at a click on it, unless the click runs an action.

        If the chosen item has gone, a click chooses a line.
        """
        meta = event.style.meta
        is_chosen = meta.get("row") == self.cursor_row and self.chosen is not None
        if meta.get("row", -1) >= 0 and self._is_gone:
            self._choose_again()
            self.select(self._first + meta["row"])
        if is_chosen and "@click" not in meta:
            event.prevent_default()
            event.stop()
            self.action_select_cursor()

    def on_data_table_header_selected(self, message: DataTable.HeaderSelected) -> None:
        """Sort by the clicked heading's column. If this column already sorts, reverse the order."""
        message.stop()
        again = message.column_index == self._sorted_by
        self.sort_by(message.column_index, turned=again and not self._is_turned)
