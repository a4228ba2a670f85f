"""What has a list to go through: Textual's table, with our keys."""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import ScreenCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.widgets.listing import Column, Listing


class ListCommands(ScreenCommands, prefix="list"):
    """What can be done in every list."""

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
    sort = Command(">", "sort", "sort by the next column, or as it was at first", "sort")
    turn = Command("<", "turn_round", "reverse the order of the lines")


Item = TypeVar("Item")


class Listed(Commanded, Generic[Item]):
    """Beside a page or a box, before it among the bases: it has one list."""

    moves_on: ClassVar[bool] = False
    """Whether the next line is chosen once the chosen one is gone: only the reader removes any."""

    _line: object = None
    """What was chosen last."""

    @property
    def items(self) -> Sequence[Item]:
        """What is in the list."""
        raise TypeError("a list says what is in it")

    def columns(self) -> Sequence[Column[Item]]:
        """Return the columns of the list."""
        raise TypeError("a list says what its columns are")

    def name_of(self, item: Item) -> object:
        """Return by what an item is known again."""
        return item

    def is_possible(self, command: Command) -> bool:
        """Return whether what a command needs is true now."""
        if command in ListCommands.own:
            return bool(self.listing.items)
        return super().is_possible(command)

    def parts(self) -> ComposeResult:
        """Return the list, and below it what there is to say of the chosen line."""
        yield from super().parts()
        yield Listing(self.columns, self.name_of, moves_on=self.moves_on)
        yield Static(id="about")

    def sync(self) -> None:
        """Show everything as it is now."""
        self.listing.show(self.items)
        self.listing.display = bool(self.items)
        super().sync()

    def relabel(self) -> None:
        """Word and draw everything anew."""
        self.listing.relist()
        super().relabel()

    @property
    def listing(self) -> Listing[Item]:
        """The list."""
        listing: Listing[Item] = self.query_one(Listing)
        return listing

    @property
    def chosen(self) -> Item | None:
        """What is chosen; None where there is nothing."""
        return self.listing.chosen if self.is_whole else None

    def moment(self) -> object:
        """Return what is chosen: whatever the palette does is done to it."""
        return None if self.chosen is None else self.name_of(self.chosen)

    def another_line(self) -> None:
        """Forget what was about the line that was chosen before."""
        self.notice = ""

    def tell(self) -> None:
        """Tell what there is to know of the chosen line."""
        self.sync()

    def on_data_table_row_highlighted(self) -> None:
        """Take note of which line is chosen."""
        if self._line not in (None, self.moment()):
            self.another_line()
        self._line = self.moment()
        self.tell()

    async def on_data_table_row_selected(self) -> None:
        """Open the line that was clicked once more."""
        await self.run_action("open")

    def action_open(self) -> None:
        """Open what is chosen."""

    def action_move(self, by: int) -> None:
        """Choose the next line, or the one before."""
        self.listing.select(max(0, self.listing.selected + by))

    def action_page(self, by: int) -> None:
        """Choose the line that is a page away."""
        self.listing.page(by)

    def action_select(self, line: int) -> None:
        """Choose a line; -1 is the last."""
        self.listing.select(line)

    def action_sort(self) -> None:
        """Sort by the next column."""
        self.listing.sort_next()

    def action_turn_round(self) -> None:
        """Turn the order round."""
        self.listing.turn_round()
