"""Shows the tables of a club, from which a member chooses one."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.preferences.remembered import next_table
from driflamme_tui.screens.base.list_page import Page
from driflamme_tui.screens.base.list_screen import ListCommands, ListScreen
from driflamme_tui.screens.base.messages import LeaveTable
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.widgets.list_table import Column
from driflamme_tui.wings.clubs.club_words import state_words
from driflamme_tui.wording.game.names import edition_name
from engine.cards import MAXIMUM_PLAYERS
from netcode.wings.clubs.messages import AskLeague, Club, OpenTable, TableInfo


class ClubCommands(ListCommands, prefix="club", listed_after="search.close"):
    """Commands of a club: join, watch or open a table, and show the league."""

    search = Command("/", "search", "filter the tables as you type", "search")
    enter = Command("enter", "open", "sit down at the chosen table", "sit down")
    watch = Command("w", "open(True)", "watch the chosen table", "watch")
    open = Command("n", "open_table", "open a new table", "new table")
    league = Command("l", "league", "show the league: standings of this season", "league")
    refresh = Command("u", "refresh_list", "reload the list of tables", "reload")
    leave = Command("q,escape", "leave", "leave the club", "leave")
    bar = "enter* watch* open* league refresh up/down search leave"


RENEWED_S: Final = 5.0
"""Seconds between two requests for the list."""


def what_to_do(table: TableInfo) -> str:
    """Return a sentence about a table's game or free seats, with the keys to join and to watch."""
    seats = MAXIMUM_PLAYERS - len(table.names)
    keys = {"enter": key(ClubCommands.enter), "watch": key(ClubCommands.watch)}
    if table.phase == "playing":
        return _(
            "A game is under way: {watch} to watch it, {enter} to take your seat or ask for"
            " a bot's.",
            **keys,
        )
    if not seats:
        return _("All seats are taken: {watch} to watch.", **keys)
    return ngettext(
        "{n} seat is free: {enter} to sit down, {watch} to watch.",
        "{n} seats are free: {enter} to sit down, {watch} to watch.",
        seats,
        **keys,
    )


class ClubScreen(ListScreen[TableInfo], Page, commands=ClubCommands):
    """Shows a list of a club's tables, from which members choose one."""

    def __init__(self, club: Club) -> None:
        super().__init__()
        self.club = club

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now; to join or watch, a table must be chosen."""
        match command:
            case ClubCommands.enter | ClubCommands.watch:
                return self.chosen is not None
        return super().is_possible(command)

    def on_mount(self) -> None:
        """Set the timer that requests the list regularly."""
        self.wake_in(RENEWED_S)

    def tick(self) -> None:
        """Request the list unless another screen covers it, and set the timer again."""
        if self.app.screen is self:
            self.player_seat.greet()
        self.wake_in(RENEWED_S)

    def show(self, club: Club) -> None:
        """Show tables. The chosen table stays chosen."""
        self.club = club
        if self.is_whole:
            self.sync()

    @property
    def items(self) -> Sequence[TableInfo]:
        """All tables of the club."""
        return self.club.tables

    def heading(self) -> str:
        """Return the name of the screen."""
        return _("Club")

    def name_of(self, item: TableInfo) -> object:
        """Return the prefix of a table's code."""
        return item.prefix

    def columns(self) -> Sequence[Column[TableInfo]]:
        """Return the columns for the prefix, the state, the edition and the players of a table."""
        return (
            Column(_("TABLE"), lambda table: self.text((table.prefix, "bold"))),
            Column(_("STATE"), lambda table: self.text(state_words(table))),
            Column(_("EDITION"), lambda table: self.text(edition_name(table.edition))),
            Column(
                _("PLAYERS"),
                lambda table: self.text(",\n".join(table.names) or _("nobody")),
                lambda table: len(table.names),
                grows=True,
            ),
        )

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the texts about the chosen table, or about an empty list."""
        none = _("Nobody has opened a table yet: {key} opens one.")
        none = none.format(key=key(ClubCommands.open, self.glyphs))
        about = "" if self.chosen is None else what_to_do(self.chosen)
        return {
            **super().texts(),
            "empty": Text() if self.club.tables else self.link(none, "open_table"),
            "about": self.text((about, "bold")),
        }

    def action_open(self, watch: bool = False) -> None:
        """Join the chosen table as a player, or watch it. Do nothing without a table."""
        table = self.chosen
        if table is not None:
            # Postpone the next request, because the player is on the way to a table.
            self.wake_in(RENEWED_S)
            self.player_seat.enter(table.secret, watch=watch)

    def action_open_table(self) -> None:
        """Release the present seat, and request a table with the settings that were chosen last."""
        self.player_seat.release_seat()
        self.player_seat.send(OpenTable(settings=next_table()))

    def action_league(self) -> None:
        """Request the league. The app shows it on its arrival."""
        self.player_seat.send(AskLeague())

    def action_refresh_list(self) -> None:
        """Request the list."""
        self.player_seat.greet()

    def action_leave(self) -> None:
        """Return to the start screen."""
        self.app.post_message(LeaveTable())
