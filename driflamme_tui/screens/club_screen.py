"""The tables of a club: which there are, who sits there, and which to go to."""

from collections.abc import Iterable, Sequence
from typing import Final

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings, key
from driflamme_tui.keymap.screen_commands import ClubCommands, EverywhereCommands
from driflamme_tui.screens.base.at_table import OfPlay
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.screens.base.list_screen import ListScreen
from driflamme_tui.text.cell_widths import shortened, wrapped
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.widgets.key_bar import Key, commands_entry, entry, pair
from driflamme_tui.wording.game.names import edition_name
from driflamme_tui.wording.program.found_words import state_words
from engine.cards import MAXIMUM_PLAYERS
from netcode.protocol.club_messages import AskLeague, Club, TableInfo

FIRST_ROW: Final = 4
"""The first row of the list, under the title and the names of its columns."""

LAST_ROWS: Final = 4
"""Rows under the list: what the selected table is, and what went wrong."""

RENEWED_S: Final = 5.0
"""How often the list is asked for anew."""

COLUMNS: Final = (0, 7, 24, 42)
"""Where a table's room, state, edition and names begin."""


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


class ClubScreen(OfPlay, ListScreen[TableInfo], FullScreen):
    """Where the members of a club choose a table."""

    BINDINGS = bindings("club")

    def __init__(self, club: Club) -> None:
        super().__init__()
        self.club = club
        self.notice = ""

    def on_mount(self) -> None:
        """Have the list renewed for as long as it is shown."""
        self.wake_in(RENEWED_S)

    def tick(self) -> None:
        """Ask what has changed, unless something else is looked at."""
        if self.app.screen is self:
            self.services.refresh_club()
        self.wake_in(RENEWED_S)

    @property
    def items(self) -> Sequence[TableInfo]:
        """The tables that there are."""
        return self.club.tables

    @property
    def room(self) -> int:
        """Tables that are listed at a time."""
        return max(1, self.board.size.height - FIRST_ROW - LAST_ROWS)

    def draw(self, canvas: Canvas) -> None:
        """Draw the list around the selected table."""
        self.draw_head(canvas, _("Club"))
        left = max(2, (canvas.width - 100) // 2)
        width = canvas.width - 2 * left
        table = self.chosen
        if table is None:
            text = _("Nobody has opened a table yet: {key} opens one.")
            text = text.format(key=key(ClubCommands.open, self.glyphs))
            canvas.place(left, 2, text, canvas.bold, "open")
        else:
            labels = (_("TABLE"), _("STATE"), _("EDITION"), _("PLAYERS"))
            for x, label in zip(COLUMNS, labels, strict=True):
                canvas.text(left + x, 2, label, canvas.heading)
            first = max(0, min(self.selected - self.room // 2, len(self.items) - self.room))
            last = min(len(self.items), first + self.room)
            for row, index in enumerate(range(first, last), FIRST_ROW - 1):
                self._draw_table(canvas, left, row, index)
            if last - first < len(self.items):
                text = _("{first} to {last} of {n}")
                text = text.format(first=first + 1, last=last, n=len(self.items))
                canvas.text(canvas.width - left - len(text), 2, text, canvas.mute)
            pieces = wrapped(what_to_do(table), width, width)
            canvas.lines(left, canvas.height - LAST_ROWS + 2 - len(pieces), pieces, canvas.bold)
        for row, piece in enumerate(wrapped(self.notice, width, width)[:2]):
            canvas.text(left, canvas.height - 2 + row, piece, canvas.alert)

    def _draw_table(self, canvas: Canvas, x: int, y: int, index: int) -> None:
        table, here = self.items[index], index == self.selected
        ink, bold = (canvas.on_choice, canvas.chosen) if here else (canvas.plain, canvas.bold)
        names = ", ".join(table.names) or _("nobody")
        names = shortened(names, canvas.width - 2 * x - COLUMNS[-1] - 1, self.glyphs)
        action = "enter" if here else f"select({index})"
        canvas.place(x - 1, y, "", ink, action, canvas.width - 2 * x + 2)
        texts = (table.room, state_words(table), edition_name(table.edition), names)
        for column, text in zip(COLUMNS, texts, strict=True):
            canvas.text(x + column, y, text, ink if column else bold)

    def show(self, club: Club) -> None:
        """Show these tables; whichever was selected stays so."""
        selected = self.chosen
        self.club = club
        rooms = [table.room for table in club.tables]
        if selected is not None and selected.room in rooms:
            self.selected = rooms.index(selected.room)
        self.selected = min(self.selected, max(0, len(rooms) - 1))
        if self.is_whole:
            self.sync()

    def key_bar(self) -> Iterable[Key]:
        """Return what can be done with the tables."""
        glyphs = self.glyphs
        return (
            pair(ClubCommands.up, ClubCommands.down, glyphs),
            entry(ClubCommands.enter, glyphs),
            entry(ClubCommands.watch, glyphs),
            entry(ClubCommands.open, glyphs),
            entry(ClubCommands.league, glyphs),
            entry(ClubCommands.refresh, glyphs),
            commands_entry(glyphs),
            entry(EverywhereCommands.help, glyphs),
            entry(ClubCommands.leave, glyphs),
        )

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        always = (
            ClubCommands.open,
            ClubCommands.league,
            ClubCommands.refresh,
            ClubCommands.leave,
        )
        if command in ClubCommands.in_order and command not in always:
            return bool(self.items)
        return super().can(command)

    def show_notice(self, notice: str) -> None:
        """Say what went wrong."""
        self.notice = notice
        self.board.redraw()

    def action_select(self, index: int) -> None:
        """Select a table, whatever went wrong with another."""
        self.notice = ""
        super().action_select(index)

    def action_enter(self, watch: bool = False) -> None:
        """Sit down at the selected table, or watch it."""
        table = self.chosen
        if table is not None:
            # On the way there the list is not asked for.
            self.wake_in(RENEWED_S)
            self.services.enter_table(table.secret, watch)

    def action_watch(self) -> None:
        """Watch the selected table."""
        self.action_enter(watch=True)

    def action_open(self) -> None:
        """Open another table."""
        self.services.open_club_table()

    def action_league(self) -> None:
        """Look at the league."""
        self.services.say(AskLeague())

    def action_refresh_list(self) -> None:
        """Ask what has changed."""
        self.services.refresh_club()

    def action_leave(self) -> None:
        """Go back to the start."""
        self.services.leave_table()
