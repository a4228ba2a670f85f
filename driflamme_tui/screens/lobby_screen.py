"""The lobby: who sits where, how the game will be played, and how others come to the table."""

from collections.abc import Mapping
from typing import ClassVar, Final

from msgspec.structs import asdict
from rich.console import RenderableType
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.screen_commands import LobbyCommands, PeopleCommands
from driflamme_tui.preferences.remembered import remember, remember_table
from driflamme_tui.screens.base.overlay import confirm
from driflamme_tui.screens.gathering_screen import GatheringScreen
from driflamme_tui.screens.lobby.lobby_view import LobbyView
from driflamme_tui.screens.lobby.setting_rows import (
    BOT_KIND,
    changed_settings,
    next_bot,
    settings_of,
)
from driflamme_tui.screens.overlays.code_overlay import NameOverlay
from driflamme_tui.seat.sections import joined
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.joining_words import in_any_shell
from driflamme_tui.wording.program.people_words import sure_words
from driflamme_tui.wording.program.settings_words import TABLE_SETTINGS, most_seats
from netcode.protocol.fields import checked
from netcode.protocol.messages import (
    AddBot,
    ChangeBot,
    ChangeSettings,
    ChooseFamily,
    Lobby,
    Remove,
    Rename,
    SeatInfo,
    SendAway,
    Start,
    StopCount,
)

EDITION: Final = LobbyCommands.edition

MARKED_S: Final = 3
"""How long the host's changes are marked on the screens of others."""


class LobbyScreen(GatheringScreen, commands=joined(LobbyCommands, "lobby")):
    """Where a table gathers before a game."""

    COUNT_S: ClassVar[int] = 3
    """Time from the host's `s` to the start, to say that one is not ready after all; tests of
    something else need not wait so long."""

    _asked_anew = False
    """Whether the reader was ready for another table than this, and is not yet for this."""

    def __init__(self) -> None:
        super().__init__()
        self.view = LobbyView(self)
        """What is seen, and what is chosen."""

    def is_possible(self, command: Command) -> bool:
        """Return whether what a command needs is true now."""
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
            case LobbyCommands.before | LobbyCommands.after:
                return self.decides and self.may_change
            case LobbyCommands.think:
                return self.decides and self.bots_think
            case LobbyCommands.copy:
                return bool(self.lobby.invitation)
            case LobbyCommands.invitation:
                return self.sitting.is_open
        if command.action.startswith("setting("):
            return self.decides
        return super().is_possible(command)

    def parts(self) -> ComposeResult:
        """How others come, seats with the chat, settings, and what the table waits for."""
        yield from self.view.parts()

    def heading(self) -> str:
        """Return the name of the screen, and that of the table if it has one."""
        return self.view.heading()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return invitation, seats, settings and what the table waits for."""
        return {**super().texts(), **self.view.texts()}

    def sync(self) -> None:
        """Show what the session knows now."""
        super().sync()
        self.call_after_refresh(self.view.keep_chosen_in_view)

    @property
    def chosen(self) -> SeatInfo | Command | None:
        """What the keys are about: the host's may be about a seat."""
        return self.view.chosen

    def moment(self) -> object:
        """Return what is chosen: a command of the palette is about that."""
        return self.view.moment

    @property
    def scrolled(self) -> VerticalScroll:
        """The list with the chosen line."""
        return self.view.scrolled

    def lobby_changed(self, before: Lobby) -> None:
        """Remember what the host has changed for their next table, and mark it for others."""
        lobby, own = self.lobby, self.lobby.own_seat
        self._keep_choice(before)
        old = asdict(before.settings).items()
        changed = dict(each for each in asdict(lobby.settings).items() if each not in old)
        were_ready = {seat.name for seat in before.seats if seat.ready and seat.bot is None}
        asked = were_ready & {seat.name for seat in lobby.seats if not seat.ready}
        if lobby.host:
            remember_table(changed)
            if changed and asked:
                self.good = True
                self.notice = _(
                    "The table has changed: everybody is asked again whether they are ready."
                )
            return
        if changed:
            settings = TABLE_SETTINGS.items()
            self.view.changed |= {command for command, each in settings if each.field in changed}
            self.set_timer(MARKED_S, self.unmark)
        bots = [[each.bot for each in table.seats] for table in (before, lobby)]
        if own is None or own.ready:
            self._asked_anew = False
        elif own.name in asked and (changed or bots[0] != bots[1]):
            self._asked_anew = True
        if self._asked_anew:
            self.notice = _("The table has changed: say once more when you are ready.")

    def _keep_choice(self, before: Lobby) -> None:
        """Choose nobody else in the place of somebody who has left: the host, or a setting."""
        if isinstance(self.view.line, Command):
            if self.view.line not in settings_of(self.lobby):
                self.view.line = EDITION
            return
        chosen = self.view.line or next((seat.name for seat in before.seats), "")
        there = {seat.name for seat in self.lobby.seats}
        own = self.lobby.own_seat
        if chosen in there:
            self.view.line = chosen
        elif self.lobby.host:
            self.view.line = EDITION if own is None else own.name

    def unmark(self) -> None:
        """Mark no change any more: there has been time to see it."""
        self.view.changed = frozenset()
        self.sync()

    def first_entries(self) -> Mapping[Entry, str]:
        """Return what a guest does next, or that a start can be stopped."""
        if self.starts_at is not None and self.can(LobbyCommands.start):
            return {LobbyCommands.start: _("stop")}
        words = "" if self.lobby.host else self.ready_words()
        return {LobbyCommands.ready: words} if words else {}

    def entry_words(self, entry: Entry) -> str:
        """Return what the key bar calls something now; who may start has no need to be ready."""
        return (
            ""
            if entry == LobbyCommands.ready and self.sitting.is_host
            else super().entry_words(entry)
        )

    @property
    def may_get_ready(self) -> bool:
        """Whether the reader has a seat here, or can take one."""
        return self.lobby.phase == "lobby" and super().may_get_ready

    @property
    def may_rename(self) -> bool:
        """Whether the reader can be called otherwise."""
        return self.lobby.phase == "lobby" and self.lobby.you is not None

    @property
    def decides(self) -> bool:
        """Whether the reader decides how the game is played."""
        return self.lobby.host and self.lobby.phase == "lobby"

    @property
    def has_free_seat(self) -> bool:
        """Whether there is a seat for one more."""
        return len(self.lobby.seats) < most_seats(self.lobby)

    @property
    def may_free_seat(self) -> bool:
        """Whether a seat is taken that is not the reader's."""
        return any(seat.family != self.lobby.you for seat in self.lobby.seats)

    @property
    def may_change(self) -> bool:
        """Whether what is chosen has values to go through."""
        chosen = self.chosen
        return isinstance(chosen, Command) or (chosen is not None and chosen.bot is not None)

    @property
    def bots_think(self) -> bool:
        """Whether it matters how long bots think."""
        return LobbyCommands.think in settings_of(self.lobby)

    def action_ready(self) -> None:
        """Change the setting that the host has chosen, or say that one is ready or not after all.

        The host, who is always ready, starts instead.
        """
        if not self.lobby.host or self.lobby.own_seat is None:
            super().action_ready()
        elif isinstance(self.view.line, Command):
            self.action_change(1)
        else:
            self.action_start()

    def action_start(self) -> None:
        """Have the start of the game counted down, or stop that; with nobody else there, start."""
        lobby = self.lobby
        others = any(seat.bot is None and seat.family != lobby.you for seat in lobby.seats)
        if lobby.count_s is not None:
            self.sitting.say(StopCount())
        else:
            self.sitting.say(Start(count_s=self.COUNT_S * others))

    def action_leave(self) -> None:
        """Ask whether to leave the table; the host only stops a count that runs."""
        if self.lobby.host and self.lobby.count_s is not None:
            self.sitting.say(StopCount())
        else:
            super().action_leave()

    def action_add_bot(self) -> None:
        """Let a bot take the next free seat."""
        self.sitting.say(AddBot(bot=self.view.bot))

    def action_select(self, line: int | str | Command) -> None:
        """Choose a seat, by its row or by the name in it, or a setting; scroll there."""
        self.view.line = self.lobby.seats[line].name if isinstance(line, int) else line
        self.sync()
        self.call_after_refresh(self.view.scroll_to_chosen)

    def action_move(self, by: int) -> None:
        """Choose another seat or setting; guests, who change nothing, read what settings mean."""
        lines, chosen = self.view.lines(), self.view.moment
        now = lines.index(chosen) if chosen in lines else -(by > 0)
        self.action_select(lines[(now + by) % len(lines)])

    def action_page(self, by: int) -> None:
        """Choose the line that is a page away; scroll a page while none is chosen."""
        lines, chosen = self.view.lines(), self.view.moment
        if chosen not in lines:
            super().action_page(by)
            return
        line = lines.index(chosen) + by * max(1, self.scrolled.size.height - 1)
        self.action_select(lines[max(0, min(line, len(lines) - 1))])

    def action_change(self, by: int) -> None:
        """Change the chosen setting, or the chosen bot, to the next value or the one before.

        What has been scrolled out of view comes back first, and does not change.
        """
        chosen = self.chosen
        if not self.lobby.host or chosen is None or not self._returns_to_chosen():
            self._change(by)

    def _change(self, by: int) -> None:
        """Change the chosen setting, or the chosen bot."""
        chosen = self.chosen
        if not self.lobby.host or chosen is None:
            return
        if chosen == BOT_KIND:
            self._add_such(next_bot(self.view.bot, by, even=True))
            self.sync()
        elif isinstance(chosen, Command):
            self.sitting.say(ChangeSettings(settings=changed_settings(self.lobby, chosen, by)))
        elif chosen.bot is not None:
            bot = next_bot(chosen.bot, by)
            self.sitting.say(checked({"family": chosen.family, "bot": bot}, ChangeBot))
            self._add_such(bot)

    def _returns_to_chosen(self) -> bool:
        """Whether the chosen line was out of view; it is scrolled to."""
        if self.view.shows_chosen():
            return False
        self.view.scroll_to_chosen()
        return True

    def _add_such(self, bot: str) -> None:
        """Let bots that are added from now on be of this kind."""
        self.view.bot = bot
        remember(bot=bot)

    def action_level(self, row: int) -> None:
        """Choose the bot in a seat and make it the next kind of bot."""
        self.action_select(row)
        self._change(1)

    def action_setting(self, name: str) -> None:
        """Choose a setting and, as the host, change it."""
        for setting in settings_of(self.lobby):
            if setting.id == f"lobby.{name}":
                self.action_select(setting)
                self._change(1)

    def action_remove_selected(self) -> None:
        """Free the chosen seat; the host's own, or none, means the last bot."""
        seats = [seat for seat in self.lobby.seats if seat.bot is not None]
        if isinstance(self.chosen, SeatInfo) and self.chosen.family != self.lobby.you:
            if self._returns_to_chosen():
                return
            seats = [self.chosen]
        if seats:
            self.action_remove(seats[-1].family)

    def action_remove(self, family: str) -> None:
        """Free a seat: of a bot at once, of a person once the host is sure."""
        seat = next((each for each in self.lobby.seats if each.family == family), None)
        if seat is None or seat.bot is not None:
            self.sitting.say(checked({"family": family}, Remove))
            return
        name = seat.name

        def remove() -> None:
            # By name: meanwhile they may have another family, and somebody else theirs.
            if any(each.name == name and each.bot is None for each in self.lobby.seats):
                self.sitting.say(SendAway(name=name))

        asked = "\n\n".join(sure_words(PeopleCommands.send_away, name, self.lobby))
        confirm(self.app, asked, remove, no="Not now ({key})", yes="yes, send them away ({key})")

    def action_family(self, family: str) -> None:
        """Take another family; Red's letter tries a lost line instead."""
        if family == "r" and self.sitting.retry():
            return
        self.sitting.say(checked({"family": family}, ChooseFamily))

    def action_rename(self) -> None:
        """Ask for another name."""

        def typed(name: str | None) -> None:
            if name is not None and name != self.own_name:
                self.sitting.say(Rename(name))

        self.app.push_screen(NameOverlay(self.own_name, done="Be called so ({key})"), typed)

    def action_copy(self) -> None:
        """Copy the invitation."""
        self.copy_text(in_any_shell(self.lobby.invitation))
