"""What a lobby says, in parts: how others come, who sits where, and how the game will be played."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from rich.console import Group
from rich.text import Text

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.screens.base.page import Page
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import bot_name, bot_note, family_name, short_bot_name
from driflamme_tui.wording.program.evening_words import evening_sentence, start_words
from driflamme_tui.wording.program.joining_words import (
    is_link,
    said_code,
    secure_sentence,
    seen_sentence,
    ways_by_doors,
    written_code,
)
from driflamme_tui.wording.program.sealed_words import bots_sentence, carriers_sentence
from driflamme_tui.wording.program.settings_words import (
    TABLE_SETTINGS,
    families_of,
    free_families,
    most_seats,
)
from netcode.protocol.messages import Lobby, SeatInfo
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.workers.thinking_time import QUICK

if TYPE_CHECKING:
    # A table without doors loads no sockets.
    from driflamme_tui.hosting.open_doors import OpenDoors

LOW: Final = 22
"""Rows below which a code stands for the link, which a key still copies and shows."""
EDITION: Final = LobbyCommands.edition
BOT_KIND: Final = LobbyCommands.bot_kind
SEALED: Final = LobbyCommands.sealed
THINK: Final = LobbyCommands.think


def settings_of(lobby: Lobby) -> tuple[Command, ...]:
    """Return the settings that somebody sees: guests add no bots, and most bots need no time."""
    thinks = any(seat.bot is not None and seat.bot not in QUICK for seat in lobby.seats)
    return tuple(
        setting
        for setting in (*TABLE_SETTINGS, BOT_KIND)
        if (setting != BOT_KIND or lobby.host) and (setting != THINK or thinks)
    )


class LobbyTexts(Struct, frozen=True, kw_only=True):
    """A lobby as its reader sees it, in parts."""

    lobby: Lobby
    page: Page
    """Makes texts of pieces, and what can be clicked."""
    selected: int
    """Row of the seats that the host's keys are about."""
    setting: Command | None
    """The setting that the keys are about, by its command, instead of a seat."""
    bot: str
    """What `+` adds."""
    changed: frozenset[Command]
    """The commands whose settings somebody else has just changed."""
    count: int
    """Seconds to the start of the game; 0 while none are counted."""
    lost: bool
    """Whether the line to the host is lost."""
    secure: bool | None
    """Whether what is sent is encrypted; None while that is not known."""
    doors: "OpenDoors | None"
    """The doors of the reader's own table, if it has some."""
    comes_in: str
    """Who can come in to the reader's own table; "" at another's."""
    dealing: str
    """What a sealed game that has begun waits for; "" while none has."""

    def _key(self, command: Command) -> str:
        return key(command, self.page.glyphs)

    def explanation(self) -> str:
        """Return what the chosen setting means, how the chosen bot plays, or who has won so far."""
        lobby = self.lobby
        if not self.setting and lobby.host and self.selected < len(lobby.seats):
            bot = lobby.seats[self.selected].bot
            if bot is not None and bot_note(bot):
                return bot_note(bot)
        evening = "" if self.setting else evening_sentence(lobby)
        if lobby.settings.sealed and not self.setting:
            told = bots_sentence(lobby) or carriers_sentence(lobby)
            return evening or told or TABLE_SETTINGS[SEALED].meaning(lobby)
        if self.setting == BOT_KIND:
            return evening or bot_note(self.bot)
        return evening or TABLE_SETTINGS[self.setting or EDITION].meaning(lobby)

    def invitation(self) -> Text:
        """Return how others come."""
        return Text("\n").join(self._ways_in())

    def _ways_in(self) -> Iterator[Text]:
        lobby, text = self.lobby, self.page.text
        if lobby.code is not None:
            code = f" {' '.join(written_code(lobby.code))} "
            yield text((code, "chosen"), "  ", (said_code(lobby.code), "mute"))
        small = self.page.size.height < LOW and lobby.code is not None
        if lobby.invitation and not small:
            how = _("Others join by typing this in their terminal:")
            if is_link(lobby.invitation):
                how = _("Others join by typing driflamme join and pasting this link:")
            yield text((how, "mute"))
            yield text((lobby.invitation, "bold"))
        if self.comes_in:
            yield text(self.comes_in)
        ways = list(ways_by_doors(self.doors))
        for way, what, told in ways:
            yield text((way, "mute"), "  ", (what, "bold"), "  ", (told, "mute"))
        if ways:
            yield text((seen_sentence(), "mute"))
        if self.secure is not None:
            yield text((secure_sentence(self.secure), "mute" if self.secure else "alert"))

    def seats(self) -> Group:
        """Return who sits where; what the host can do is clicked."""
        lobby, text, link = self.lobby, self.page.text, self.page.link
        table = self.page.grid(5)
        for row, seat in enumerate(lobby.seats):
            here = row == self.selected and lobby.host and not self.setting
            removable = lobby.host and seat.family != lobby.you
            table.add_row(
                self.page.glyphs.turn if here else " ",
                link("x", f"remove('{seat.family}')", "alert") if removable else " ",
                text((f"{row + 1}", "mute")),
                *self._seat(row, seat),
            )
        there = len(lobby.seats)
        free = [
            text((f"    {row + 1} " + _("free"), "mute")) for row in range(there, most_seats(lobby))
        ]
        if lobby.host and free:
            label = _("free: {key} a bot ({bot}),").format(
                key=self._key(LobbyCommands.add_bot), bot=short_bot_name(self.bot)
            )
            other = _("{key} another").format(key=self._key(BOT_KIND))
            free[0] = text(
                (f"    {there + 1} ", "mute"),
                link(label, "add_bot", "mute"),
                " ",
                link(other, BOT_KIND.action, "mute"),
            )
        return Group(text((_("SEATS, clockwise"), "heading")), table, *free)

    def _seat(self, row: int, seat: SeatInfo) -> tuple[Text, Text]:
        """Return who sits there, and what there is to say about them."""
        lobby, glyphs, you = self.lobby, self.page.glyphs, seat.family == self.lobby.you
        tags = [(glyphs.tag(family), f"{family} bold") for family in families_of(seat)]
        who = self.page.text(*tags, (f" {seat.name}", f"{seat.family} bold"))
        notes = [_("you")] if you else []
        if seat.host:
            notes.append(_("host"))
        if seat.bot is not None:
            notes.append(_("bot: {bot}").format(bot=bot_name(seat.bot)))
        elif not seat.present:
            notes.append(_("away"))
        elif seat.ready and not seat.host:
            notes.append(f"{glyphs.ready} {_('ready')}")
        elif not seat.host and not self.dealing:
            notes.append(_("not ready"))
        if seat.name in lobby.muted:
            notes.append(_("muted"))
        levels = lobby.host and seat.bot is not None
        told = ", ".join(notes), "plain" if seat.ready else "mute"
        return (
            self.page.clickable(who, f"select({row})"),
            self.page.link(told[0], f"level({row})", told[1]) if levels else self.page.text(told),
        )

    def families(self) -> Text:
        """Return the families that are free, for somebody who would rather be another."""
        glyphs, free = self.page.glyphs, free_families(self.lobby)
        if not free:
            return Text()
        label = _("To change family, press its letter:")
        if self.lobby.you is None:
            label = _("To sit down, press the letter of a family:")
        labels = [
            self.page.link(
                f"{glyphs.families[family] * glyphs.letter_follows}{family} {family_name(family)}",
                f"family('{family}')",
                f"{family} bold",
            )
            for family in free
        ]
        return self.page.text((label, "mute"), "\n", Text("  ").join(labels))

    def watching(self) -> Text:
        """Return who watches."""
        names = ", ".join(self.lobby.spectators)
        told = _("Watching: {names}").format(names=names) if names else ""
        return self.page.text((told, "mute"))

    def settings(self) -> Group:
        """Return how the game will be played; the host changes a setting with a click."""
        lobby, glyphs = self.lobby, self.page.glyphs
        text, link = self.page.text, self.page.link
        table = self.page.grid(4)
        for command in settings_of(lobby):
            label, value = _("New bots"), bot_name(self.bot)
            if command != BOT_KIND:
                setting = TABLE_SETTINGS[command]
                label, value = _(setting.name), setting.value(lobby)
            marked = command == self.setting or command in self.changed
            table.add_row(
                glyphs.turn if marked else " ",
                text((self._key(command), "bold")) if lobby.host else "",
                link(label, command.action, "mute"),
                link(value, command.action, "chosen" if marked else "bold"),
            )
        return Group(text((_("THE TABLE"), "heading")), table)

    def status(self) -> Text:
        """Return what the table waits for; a click does what is to be done."""
        text, action = self._status()
        return (
            self.page.link(f" {text} ", action, "chosen")
            if action
            else self.page.text((text, "bold"))
        )

    def _status(self) -> tuple[str, str]:
        lobby, mine = self.lobby, self.lobby.own_seat
        start, ready = self._key(LobbyCommands.start), self._key(LobbyCommands.ready)
        if self.lost:
            retry = self._key(LobbyCommands.retry)
            return _("The connection is lost: {key} tries again at once.").format(
                key=retry
            ), "retry"
        if self.dealing:
            return self.dealing, ""
        if self.count:
            stops = start if lobby.host else ready
            words = start_words(self.count, "" if mine is None else stops)
            return words, "start" if lobby.host else "ready"
        if lobby.host and lobby.missing is None:
            return _("Everybody is ready: {key} starts the game.").format(key=start), "start"
        if lobby.host and lobby.missing is not None:
            return refusal_sentence(lobby.missing.code, lobby.missing.values, _), ""
        if mine is None and free_families(lobby):
            return _("You are watching: {key} sits down.").format(key=ready), "ready"
        if mine is None:
            return _("You are watching."), ""
        if mine.ready:
            return _("You are ready. Waiting for the host to start."), "ready"
        return _("Press {key} when you are ready.").format(key=ready), "ready"
