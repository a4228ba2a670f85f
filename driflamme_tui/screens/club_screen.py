"""The tables of a club: which there are, who sits there, and which to go to."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import style
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings, key
from driflamme_tui.keymap.screen_commands import ClubCommands, EverywhereCommands
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.cell_widths import shortened, wrapped
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.key_bar import Keys, commands_entry, entry, pair
from driflamme_tui.wording.game.names import edition_name
from engine.cards import MAXIMUM_PLAYERS
from netcode.protocol.messages import Club, TableInfo

if TYPE_CHECKING:
    from driflamme_tui.screens.base.app_services import PlayServices

FIRST_ROW: Final = 4
"""The first row of the list, under the title and the names of its columns."""

LAST_ROWS: Final = 4
"""Rows under the list: what the selected table is, and what went wrong."""

STATE_AT: Final = 7
"""The column of a table's state."""
EDITION_AT: Final = 24
"""The column of its edition."""
NAMES_AT: Final = 42
"""The column of the names of those who sit there."""


def state_words(table: TableInfo) -> str:
    """Return how a table is doing."""
    if table.asleep:
        return _("asleep")
    return {
        "lobby": _("gathering"),
        "playing": _("playing"),
        "result": _("game over"),
    }[table.phase]


def what_to_do(table: TableInfo) -> str:
    """Return what coming to a table means, in a sentence."""
    seats = MAXIMUM_PLAYERS - len(table.names)
    keys = {"enter": key(ClubCommands.enter), "watch": key(ClubCommands.watch)}
    if table.phase == "playing":
        return _(
            "A game is under way: {watch} watches it, and {enter} takes back a seat that is yours."
        ).format(**keys)
    if not seats:
        return _("All seats are taken: {watch} watches.").format(**keys)
    return ngettext(
        "There is {n} seat free: {enter} sits down, {watch} watches.",
        "There are {n} seats free: {enter} sits down, {watch} watches.",
        seats,
    ).format(n=seats, **keys)


class ClubBoard(Board):
    """The list, drawn."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.tables: Sequence[TableInfo] = ()
        self.selected = 0
        self.notice = ""

    @property
    def room(self) -> int:
        """Tables that are listed at a time."""
        return max(1, self.size.height - FIRST_ROW - LAST_ROWS)

    def draw(self, canvas: Canvas) -> None:
        """Draw the list around the selected table."""
        palette = canvas.palette
        head = style(palette.ink, palette.panel, bold=True)
        mute, title = (
            canvas.mute,
            canvas.heading,
        )
        canvas.fill(0, 0, canvas.width, 1, head, " ")
        canvas.text(1, 0, f"Driflamme  {_('Club')}", head)
        left = max(2, (canvas.width - 100) // 2)
        width = canvas.width - 2 * left
        count = len(self.tables)
        if not count:
            text = _("Nobody has opened a table yet: {key} opens one.").format(
                key=key(ClubCommands.open, self.glyphs)
            )
            self.place(canvas, left, 2, text, canvas.bold, "open")
        else:
            for x, label in (
                (0, _("TABLE")),
                (STATE_AT, _("STATE")),
                (EDITION_AT, _("EDITION")),
                (NAMES_AT, _("PLAYERS")),
            ):
                canvas.text(left + x, 2, label, title)
            first = max(0, min(self.selected - self.room // 2, count - self.room))
            shown = self.tables[first : first + self.room]
            for row, table in enumerate(shown):
                self._draw_table(canvas, left, FIRST_ROW - 1 + row, first + row, table)
            if len(shown) < count:
                text = _("{first} to {last} of {n}").format(
                    first=first + 1, last=first + len(shown), n=count
                )
                canvas.text(canvas.width - left - len(text), 2, text, mute)
            row = canvas.height - LAST_ROWS
            pieces = wrapped(what_to_do(self.tables[self.selected]), width, width)
            canvas.lines(left, row + 2 - len(pieces), pieces, canvas.bold)
        alert = canvas.ink(palette.alert, bold=True)
        for row, piece in enumerate(wrapped(self.notice, width, width)[:2]):
            canvas.text(left, canvas.height - 2 + row, piece, alert)

    def _draw_table(self, canvas: Canvas, x: int, y: int, index: int, table: TableInfo) -> None:
        palette = canvas.palette
        here = index == self.selected
        ground = palette.choice if here else palette.table
        ink = style(palette.on_colour if here else palette.ink, ground)
        bold = style(palette.on_colour if here else palette.ink, ground, bold=True)
        names = ", ".join(table.names) or _("nobody")
        names = shortened(names, canvas.width - 2 * x - NAMES_AT - 1, self.glyphs)
        action = "enter" if here else f"select({index})"
        self.place(canvas, x - 1, y, "", ink, action, canvas.width - 2 * x + 2)
        for column, text, how in (
            (0, table.room, bold),
            (STATE_AT, state_words(table), ink),
            (EDITION_AT, edition_name(table.edition), ink),
            (NAMES_AT, names, ink),
        ):
            canvas.text(x + column, y, text, how)


class ClubScreen(FullScreen):
    """Where the members of a club choose a table."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("club")

    services: "PlayServices"

    def __init__(self, club: Club) -> None:
        super().__init__()
        self.club = club

    def zones(self) -> ComposeResult:
        """The list."""
        yield ClubBoard(id="club")

    def show(self, club: Club) -> None:
        """Show these tables; whichever was selected stays so."""
        self.club = club
        if self.is_whole:
            self.sync()

    def sync(self) -> None:
        """Show the tables that there are now."""
        club, board = self.club, self.query_one(ClubBoard)
        before = board.tables[board.selected].room if board.tables else ""
        rooms = [table.room for table in club.tables]
        if before in rooms:
            board.selected = rooms.index(before)
        board.tables = club.tables
        board.selected = min(board.selected, max(0, len(rooms) - 1))
        board.redraw()
        glyphs = self.services.glyphs
        keys = self.possible(
            pair(ClubCommands.up, ClubCommands.down, glyphs),
            entry(ClubCommands.enter, glyphs),
            entry(ClubCommands.watch, glyphs),
            entry(ClubCommands.open, glyphs),
            entry(ClubCommands.refresh, glyphs),
            commands_entry(glyphs),
            entry(EverywhereCommands.help, glyphs),
            entry(ClubCommands.leave, glyphs),
        )
        self.query_one(Keys).show(keys)

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        always = (ClubCommands.open, ClubCommands.refresh, ClubCommands.leave)
        if command in ClubCommands.in_order and command not in always:
            return bool(self.club.tables)
        return super().can(command)

    def show_notice(self, notice: str) -> None:
        """Say what went wrong."""
        board = self.query_one(ClubBoard)
        board.notice = notice
        board.redraw()

    def _selected(self) -> TableInfo | None:
        board = self.query_one(ClubBoard)
        return board.tables[board.selected] if board.tables else None

    def action_move(self, by: int) -> None:
        """Select the next table, or the one before."""
        board = self.query_one(ClubBoard)
        if board.tables:
            self.action_select((board.selected + by) % len(board.tables))

    def on_mouse_scroll_down(self) -> None:
        """Go through the tables with the wheel."""
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        """Go through the tables with the wheel."""
        self.action_move(-1)

    def action_page(self, by: int) -> None:
        """Select a table a screen further."""
        board = self.query_one(ClubBoard)
        if board.tables:
            last = len(board.tables) - 1
            self.action_select(max(0, min(last, board.selected + by * board.room)))

    def action_select(self, index: int) -> None:
        """Select a table; -1 is the last."""
        board = self.query_one(ClubBoard)
        if board.tables:
            board.selected = index % len(board.tables)
            board.notice = ""
            board.redraw()

    def action_enter(self) -> None:
        """Sit down at the selected table."""
        table = self._selected()
        if table is not None:
            self.services.enter_table(table.secret, watch=False)

    def action_watch(self) -> None:
        """Watch the selected table."""
        table = self._selected()
        if table is not None:
            self.services.enter_table(table.secret, watch=True)

    def action_open(self) -> None:
        """Open another table."""
        self.services.open_club_table()

    def action_refresh_list(self) -> None:
        """Ask what has changed."""
        self.services.refresh_club()

    def action_leave(self) -> None:
        """Go back to the start."""
        self.services.leave_table()
