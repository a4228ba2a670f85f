"""Defines screens with a list to move through: Textual's table with this program's keys."""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import ScreenCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.widgets.list_table import Column, ListTable


class ListCommands(ScreenCommands, prefix="list"):
    """Commands that choose a line, and that sort the list."""

    up = Command(
        "up",
        "move(-1)",
        "choose a line",
        "choose",
        listed=False,
        repeats=True,
    )
    down = Command(
        "down",
        "move(1)",
        "choose the next line",
        "choose",
        row=up,
        listed=False,
        repeats=True,
    )
    page_up = Command(
        "pageup",
        "page(-1)",
        "go a page up or down",
        listed=False,
        repeats=True,
    )
    page_down = Command(
        "pagedown",
        "page(1)",
        "go a page down",
        row=page_up,
        listed=False,
        repeats=True,
    )
    first = Command(
        "home",
        "select(0)",
        "choose the first line, or the last",
        listed=False,
    )
    last = Command("end", "select(-1)", "choose the last line", row=first, listed=False)
    sort = Command(">", "sort", "sort by the next column, or in the original order", "sort")
    turn = Command("<", "turn_round", "reverse the order of the lines")


Item = TypeVar("Item")


class ListScreen(Commanded, Generic[Item]):
    """A mixin that adds one list.

    Among the base classes, the mixin must precede a page or a box.
    """

    moves_on: ClassVar[bool] = False
    """True to choose the next line when the chosen one disappears. This suits lists from which only
    the reader removes lines.
    """

    _line: object = None
    """The name of the line that was chosen last; None before the first choice."""

    @property
    def items(self) -> Sequence[Item]:
        """The items of the list. Each list must override this property."""
        raise TypeError("a list says what is in it")

    def columns(self) -> Sequence[Column[Item]]:
        """Return the columns of the list. Each list must override this method."""
        raise TypeError("a list says what its columns are")

    def name_of(self, item: Item) -> object:
        """Return a value that identifies an item, by default the item itself."""
        return item

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Commands of the list need at least one item."""
        if command in ListCommands.own:
            return bool(self.listing.items)
        return super().is_possible(command)

    def parts(self) -> ComposeResult:
        """Yield the list, and below it the text about the chosen line."""
        yield from super().parts()
        yield ListTable(self.columns, self.name_of, moves_on=self.moves_on)
        yield Static(id="about")

    def sync(self) -> None:
        """Redraw everything. An empty list is hidden."""
        self.listing.show(self.items)
        self.listing.display = bool(self.items)
        super().sync()

    def relabel(self) -> None:
        """Redraw everything after a change of language, signs or colours."""
        self.listing.relist()
        super().relabel()

    @property
    def listing(self) -> ListTable[Item]:
        """The widget that shows the list."""
        listing: ListTable[Item] = self.query_one(ListTable)
        return listing

    @property
    def chosen(self) -> Item | None:
        """The chosen item.

        None if the list is empty, if the chosen item has gone, or if the screen lacks its widgets.
        """
        return self.listing.chosen if self.is_whole else None

    def moment(self) -> object:
        """Return the chosen item's name, since commands of the palette apply to that item.

        Returns None if no item is chosen.
        """
        return None if self.chosen is None else self.name_of(self.chosen)

    def another_line(self) -> None:
        """Discard the notice about the previous line, after another line was chosen."""
        self.notice = ""

    def show_chosen(self) -> None:
        """Show the text about the chosen line."""
        self.sync()

    def on_data_table_row_highlighted(self) -> None:
        """Show the text about a newly chosen line."""
        if self._line not in (None, self.moment()):
            self.another_line()
        self._line = self.moment()
        self.show_chosen()

    async def on_data_table_row_selected(self) -> None:
        """Open a line that was clicked again."""
        await self.run_action("open")

    def action_open(self) -> None:
        """Open the chosen item. The default does nothing."""

    def action_move(self, by: int) -> None:
        """Choose the line `by` lines below the chosen one; above it if `by` is negative."""
        self.listing.select(max(0, self.listing.selected + by))

    def action_page(self, by: int) -> None:
        """Choose the line `by` pages below the chosen one; above it if `by` is negative."""
        self.listing.page(by)

    def action_select(self, line: int) -> None:
        """Choose a line by its index, from 0; -1 is the last."""
        self.listing.select(line)

    def action_sort(self) -> None:
        """Sort by the next column. After the last column, restore the original order."""
        self.listing.sort_next()

    def action_turn_round(self) -> None:
        """Reverse the order of the list."""
        self.listing.turn_round()
