"""Shows the lobby: the players and their seats, the settings, and the invitation."""

from collections.abc import Mapping
from typing import ClassVar, Final

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.screen_commands import LobbyCommands, PeopleCommands
from driflamme_tui.model.lobby_change import change_between
from driflamme_tui.preferences.remembered import remember_table
from driflamme_tui.screens.base.overlay import confirm
from driflamme_tui.screens.gathering_screen import GatheringScreen
from driflamme_tui.screens.lobby.host_changes import HostChanges
from driflamme_tui.screens.lobby.lobby_view import LobbyView
from driflamme_tui.screens.lobby.setting_rows import (
    settings_of,
)
from driflamme_tui.screens.overlays.code_overlay import NameOverlay
from driflamme_tui.seat.sections import join_commands
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.joining_words import copied_invitation, in_any_shell
from driflamme_tui.wording.program.people_words import sure_words
from driflamme_tui.wording.program.settings_words import TABLE_SETTINGS, most_seats
from netcode.protocol.fields import checked_struct
from netcode.protocol.messages import (
    AddBot,
    ChooseFamily,
    Lobby,
    Remove,
    Rename,
    SeatInfo,
    SendAway,
    Start,
    StopCount,
)

MARKED_S: Final = 3
"""Seconds for which the host's changes are marked for others."""


class LobbyScreen(GatheringScreen, commands=join_commands(LobbyCommands, "lobby")):
    """The screen of a table before a game."""

    has_many_keys = True

    COUNT_S: ClassVar[int] = 3
    """Seconds of the countdown after the host has pressed `s`.

    In this time players can still withdraw their readiness. Most tests set a shorter time.
    """

    _is_reset = False
    """True while a reader who was ready must be asked again, because the table has changed."""

    def __init__(self) -> None:
        super().__init__()
        self.view = LobbyView(self)
        """The contents, and the chosen line."""
        self._changes = HostChanges(self, self.view)

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Most commands are only for the host."""
        match command:
            case LobbyCommands.ready:
                return self.may_get_ready
            case LobbyCommands.rename:
                return self.may_rename
            case LobbyCommands.start:
                return self.decides and not self.lobby.missing
            case LobbyCommands.add_bot | LobbyCommands.bot_kind:
                return self.decides and self.has_free_seat
            case LobbyCommands.remove:
                return self.decides and self.may_free_seat
            case LobbyCommands.earlier | LobbyCommands.later:
                return self.decides and self.has_order and isinstance(self.chosen, SeatInfo)
            case LobbyCommands.shuffle:
                return self.decides and self.has_order
            case LobbyCommands.before | LobbyCommands.after:
                return self.decides and self.may_change
            case LobbyCommands.think:
                return self.decides and self.bots_think
            case LobbyCommands.copy:
                return bool(self.lobby.invitation)
            case LobbyCommands.invitation:
                return self.player_seat.is_open
        if command.action.startswith("setting("):
            return self.decides
        return super().is_possible(command)

    def parts(self) -> ComposeResult:
        """Yield the invitation, the seats with the chat, the settings, and the status."""
        yield from self.view.parts()

    def heading(self) -> str:
        """Return the title of the screen, with the beginning of the table's code if it has one."""
        return self.view.heading()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the texts of invitation, seats, settings and status."""
        return {**super().texts(), **self.view.texts()}

    def sync(self) -> None:
        """Redraw everything from the session, and keep the chosen line visible."""
        super().sync()
        self.call_after_refresh(self.view.keep_chosen_in_view)

    @property
    def chosen(self) -> SeatInfo | Command | None:
        """The seat or setting that keys apply to.

        Only the host chooses seats. None for a guest without a chosen setting.
        """
        return self.view.chosen

    def moment(self) -> object:
        """Return the chosen line, since commands of the palette apply to it.

        A seat is represented by the name in it. Returns None if no line is chosen.
        """
        return self.view.moment

    @property
    def scrolled(self) -> VerticalScroll:
        """The list with the chosen line."""
        return self.view.scrolled

    def lobby_changed(self, before: Lobby) -> None:
        """Store and show the differences from the lobby `before`.

        Store the host's settings for their next table. For guests, mark changed settings. Set a
        notice about a new order of the seats, or about players who must get ready again.
        """
        lobby, own = self.lobby, self.lobby.your_seat
        self.view.keep_choice(before)
        change = change_between(before, lobby)
        if lobby.host:
            remember_table(change.settings)
            self.good, self.notice = True, self._changes.reordered() if change.is_reordered else ""
            if change.unready and (change.settings or change.is_reordered):
                self.notice = _(
                    "The table has changed: everybody must say again that they are ready."
                )
            return
        if change.settings:
            settings = TABLE_SETTINGS.items()
            self.view.changed |= {
                command for command, each in settings if each.field in change.settings
            }
            self.set_timer(MARKED_S, self.unmark)
        if own is None or own.ready:
            self._is_reset = False
        elif own.name in change.unready and change.is_other_game:
            self._is_reset = True
        if self._is_reset:
            self.notice = _("The table has changed: say once more when you are ready.")
        elif change.is_reordered:
            self.good = True
            self.notice = _("The host has changed the order of the seats.")

    def unmark(self) -> None:
        """Remove the marks of changed settings."""
        self.view.changed = frozenset()
        self.sync()

    def first_entries(self) -> Mapping[Entry, str]:
        """Return the entry that comes first in the key bar, with its label.

        During the countdown, the host's entry stops it. A spectator's entry takes a seat, and the
        entry of a ready guest ends the readiness. Returns {} in all other cases.
        """
        if self.starts_at is not None and self.can(LobbyCommands.start):
            return {LobbyCommands.start: _("stop")}
        words = "" if self.lobby.host else self.ready_words()
        return {LobbyCommands.ready: words} if words else {}

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry in the key bar; "" for the host's entry to be ready."""
        return (
            ""
            if entry == LobbyCommands.ready and self.player_seat.is_host
            else super().entry_words(entry)
        )

    @property
    def may_get_ready(self) -> bool:
        """True if, before a game, the reader has a seat at the table or can take a free seat."""
        return self.lobby.phase == "lobby" and super().may_get_ready

    @property
    def may_rename(self) -> bool:
        """True if the reader can change their name."""
        return self.lobby.phase == "lobby" and self.lobby.you is not None

    @property
    def decides(self) -> bool:
        """True if the reader is the host of a table in the lobby, and so changes its settings."""
        return self.lobby.host and self.lobby.phase == "lobby"

    @property
    def has_free_seat(self) -> bool:
        """True if the table has fewer players than seats."""
        return len(self.lobby.seats) < most_seats(self.lobby)

    @property
    def may_free_seat(self) -> bool:
        """True if a seat other than the reader's is taken."""
        return any(seat.family != self.lobby.you for seat in self.lobby.seats)

    @property
    def has_order(self) -> bool:
        """True if there are several seats, which have an order."""
        return len(self.lobby.seats) > 1

    @property
    def may_change(self) -> bool:
        """True if the chosen line has several values to choose from."""
        chosen = self.chosen
        return isinstance(chosen, Command) or (chosen is not None and chosen.bot is not None)

    @property
    def bots_think(self) -> bool:
        """True if the table has bots that use the thinking time."""
        return LobbyCommands.think in settings_of(self.lobby)

    def action_ready(self) -> None:
        """Declare a guest ready or not ready, or ask for a free seat for a spectator.

        A host with a seat is always ready. For this host, change the chosen setting. Without a
        chosen setting, start the countdown or stop it.
        """
        if not self.lobby.host or self.lobby.your_seat is None:
            super().action_ready()
        elif isinstance(self.view.line, Command):
            self.action_change(1)
        else:
            self.action_start()

    def action_start(self) -> None:
        """Start the countdown or stop it. If no other person is at the table, start at once."""
        lobby = self.lobby
        others = any(seat.bot is None and seat.family != lobby.you for seat in lobby.seats)
        if lobby.count_s is not None:
            self.player_seat.send(StopCount())
        else:
            self.player_seat.send(Start(count_s=self.COUNT_S * others))

    def action_leave(self) -> None:
        """Leave the table, after a confirmation if needed.

        During a countdown, the host only stops it.
        """
        if self.lobby.host and self.lobby.count_s is not None:
            self.player_seat.send(StopCount())
        else:
            super().action_leave()

    def action_add_bot(self) -> None:
        """Ask the table to add a bot of the chosen kind to the next free seat."""
        self.player_seat.send(AddBot(bot=self.view.bot))

    def action_select(self, line: int | str | Command) -> None:
        """Choose a seat or a setting, and scroll to it.

        `line` is a seat's row, the name in a seat, or the command of a setting.
        """
        self.view.line = self.lobby.seats[line].name if isinstance(line, int) else line
        self.sync()
        self.call_after_refresh(self.view.scroll_to_chosen)

    def action_move(self, by: int) -> None:
        """Choose another seat or setting. For guests this only changes the explanation."""
        self.action_select(self.view.line_beside(by))

    def action_page(self, by: int) -> None:
        """Choose the line `by` pages away. If no line is chosen, scroll by pages."""
        line = self.view.line_a_page_away(by)
        if line is None:
            super().action_page(by)
        else:
            self.action_select(line)

    def action_change(self, by: int) -> None:
        """Change the chosen setting, or the chosen bot, to the next or previous value.

        If the chosen line is out of sight, only scroll to it. For guests, do nothing.
        """
        if self.lobby.host and self.chosen is not None:
            self._changes.in_view(lambda: self._changes.change(by))

    def action_level(self, row: int) -> None:
        """Choose the bot in this row, and change it to the next kind of bot."""
        self.action_select(row)
        self._changes.change(1)

    def action_setting(self, name: str) -> None:
        """Choose a setting, and change it if the reader is the host."""
        for setting in settings_of(self.lobby):
            if setting.id == f"lobby.{name}":
                self.action_select(setting)
                self._changes.change(1)

    def action_move_seat(self, by: int) -> None:
        """Move the chosen seat by `by` places in the order of seats.

        If the chosen line is out of sight, only scroll to it.
        """
        self._changes.in_view(lambda: self._changes.move_seat(by))

    def action_shuffle(self) -> None:
        """Put the seats into a random order."""
        self._changes.shuffle()

    def action_remove_selected(self) -> None:
        """Free the chosen seat; if the seat is out of sight, only scroll to it.

        If no seat is chosen, or the host's own, free the seat of the last bot, if there is one.
        """
        seats = [seat for seat in self.lobby.seats if seat.bot is not None]
        if isinstance(self.chosen, SeatInfo) and self.chosen.family != self.lobby.you:
            chosen = self.chosen
            self._changes.in_view(lambda: self.action_remove(chosen.family))
        elif seats:
            self.action_remove(seats[-1].family)

    def action_remove(self, family: str) -> None:
        """Free the seat of a family. If a person has the seat, ask for confirmation first."""
        seat = next((each for each in self.lobby.seats if each.family == family), None)
        if seat is None or seat.bot is not None:
            self.player_seat.send(checked_struct({"family": family}, Remove))
            return
        name = seat.name

        def remove() -> None:
            # Find the person by name, since families may have changed meanwhile.
            if any(each.name == name and each.bot is None for each in self.lobby.seats):
                self.player_seat.send(SendAway(name=name))

        question = "\n\n".join(sure_words(PeopleCommands.send_away, name, self.lobby))
        confirm(self.app, question, remove, no="Cancel ({key})", yes="Remove ({key})")

    def action_family(self, family: str) -> None:
        """Ask the table for the family with this letter.

        While the connection is lost, the letter of Red tries to reconnect instead.
        """
        if family == "r" and self.player_seat.retry():
            return
        self.player_seat.send(checked_struct({"family": family}, ChooseFamily))

    def action_rename(self) -> None:
        """Ask for another name in an overlay, and request it from the table if it differs."""

        def typed(name: str | None) -> None:
            if name is not None and name != self.player_name:
                self.player_seat.send(Rename(name))

        self.app.push_screen(NameOverlay(self.player_name, done="Use this name ({key})"), typed)

    def action_copy(self) -> None:
        """Copy the invitation to the clipboard, and confirm this in a notice."""
        invitation = self.lobby.invitation
        self.copy_text(in_any_shell(invitation), copied_invitation(invitation))
