"""A lobby as it is drawn: how others come, who sits where, and how the game will be played."""

from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import margin
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.bot_names import bot_name, bot_note, short_bot_name
from driflamme_tui.wording.game.names import family_name
from driflamme_tui.wording.program.evening_words import evening_sentence, start_words
from driflamme_tui.wording.program.invitation_words import (
    is_link,
    said_code,
    secure_sentence,
    seen_sentence,
    ways_by_doors,
    written_code,
)
from driflamme_tui.wording.program.sealed_words import bots_sentence, carriers_sentence
from driflamme_tui.wording.program.table_settings_words import (
    TABLE_SETTINGS,
    families_of,
    free_families,
    most_seats,
)
from engine.cards import MAXIMUM_PLAYERS
from netcode.protocol.fields import NAME_LENGTH
from netcode.protocol.messages import Lobby, SeatInfo
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.workers.thinking_time import QUICK

if TYPE_CHECKING:
    # A table without doors loads no sockets.
    from driflamme_tui.hosting.open_doors import OpenDoors

NAME_WIDTH: Final = NAME_LENGTH + 4
"""Columns for a player's sign, letter and name."""

FULL_WIDTH: Final = 80
"""Columns that the whole lobby needs."""
CUT: Final = 13
"""Columns by which names are shorter where there are fewer."""

SEATS_WIDTH: Final = 44
"""Columns for the seats, beside the settings."""
NARROW_SEATS_WIDTH: Final = 28
"""Columns for the seats on a narrow screen."""

NOTES_WIDTH: Final = 14
"""Fewest columns for what there is to say about a seat."""
WRITTEN_OUT: Final = 18
"""Columns for that from which the levels of bots are not shortened."""

VALUES_AT: Final = 16
"""Column of a setting's value, from where its name begins."""

ROWS_BELOW: Final = 12
"""What the lobby needs below the invitation: seats, families, spectators, status and notice."""

TITLED: Final = 7
"""Most settings with a title over them beside seats and families; one more on a wide screen."""

AIR: Final = 3
"""Rows that may be left empty where there are any to spare."""


EDITION: Final = LobbyCommands.edition
BOT_KIND: Final = LobbyCommands.bot_kind
SEALED: Final = LobbyCommands.sealed
THINK: Final = LobbyCommands.think
Words: TypeAlias = list[tuple[str, Style]]
"""A row of text in several styles."""


def settings_of(lobby: Lobby) -> tuple[Command, ...]:
    """Return the settings that somebody sees: guests add no bots, and most bots need no time."""
    thinks = any(seat.bot is not None and seat.bot not in QUICK for seat in lobby.seats)
    return tuple(
        setting
        for setting in (*TABLE_SETTINGS, BOT_KIND)
        if (setting != BOT_KIND or lobby.host) and (setting != THINK or thinks)
    )


class LobbyPicture(Struct, frozen=True, kw_only=True):
    """A lobby as its reader sees it, which draws itself on a canvas."""

    lobby: Lobby
    glyphs: Glyphs
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
    notice: tuple[str, bool]
    """What there is to tell of the last key, and whether it is good news."""
    dealing: str
    """What a sealed game that has begun waits for; "" while none has."""

    def draw(self, canvas: Canvas) -> None:
        """Draw invitation, seats, settings and what the table waits for."""
        lobby = self.lobby
        spare = canvas.height - ROWS_BELOW
        air = spare >= 6 + AIR
        left = margin(canvas.width)
        width = canvas.width - 2 * left
        row = self._draw_invitation(canvas, left, 1 + air, spare - 1)
        row = min(row + 1 + air, spare)
        narrow = canvas.width < FULL_WIDTH
        beside = left + max(NARROW_SEATS_WIDTH if narrow else SEATS_WIDTH, width // 2)
        self._draw_seats(canvas, left, row, beside - 2)
        self._draw_settings(canvas, beside, row, MAXIMUM_PLAYERS + 3 + air + (not narrow))
        row += MAXIMUM_PLAYERS + 1 + air
        self._draw_families(canvas, left, row)
        row += 1 if narrow else 2
        if lobby.spectators:
            if narrow:
                watching = len(lobby.spectators)
                names = ngettext("{n} spectator", "{n} spectators", watching).format(n=watching)
            else:
                names = _("Watching: {names}").format(names=", ".join(lobby.spectators))
            # On a narrow screen settings may stand beside it.
            canvas.text(left, row, names, canvas.mute, beside - left - 1 if narrow else width)
        row += 1
        note = canvas.ink(canvas.palette.ink, italic=True)
        # Below it are the status and a notice; where rows are free, nothing of it is left out.
        most = max(1 + narrow, canvas.height - row - 2)
        lines = wrapped(self._explanation(), width, width)[:most]
        canvas.lines(left, row, lines, note)
        self._draw_status(canvas, left, row + max(1 + narrow, len(lines)))

    def _explanation(self) -> str:
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

    def _draw_invitation(self, canvas: Canvas, x: int, y: int, room: int) -> int:
        """Draw how others come, in at most so many rows; return the row after it."""
        lobby, mute, safe = self.lobby, canvas.mute, self.secure
        width = canvas.width - 2 * x
        label: list[Words] = []
        link: list[Words] = []
        if lobby.invitation:
            link = [[(piece, canvas.bold)] for piece in wrapped(lobby.invitation, width, width)]
            if is_link(lobby.invitation):
                how = _("Others join by typing driflamme join and pasting this link:")
                label = [[(piece, mute)] for piece in wrapped(how, width, width)]
            else:
                label = [[(_("Others join by typing this in their terminal:"), mute)]]
        code: list[Words] = []
        said: list[Words] = []
        if lobby.code is not None:
            shown, words = f" {' '.join(written_code(lobby.code))} ", said_code(lobby.code)
            code = [[(shown, canvas.chosen)]]
            said = [[(words, mute)]]
            if cell_len(shown) + 2 + cell_len(words) <= width:
                code, said = [code[0] + said[0]], []
        secure: list[Words] = []
        if safe is not None:
            sentence, ink = secure_sentence(safe), mute if safe else canvas.alert
            secure = [[(piece, ink)] for piece in wrapped(sentence, width, width)]
        door: list[Words] = []
        about: list[Words] = []
        for way, what, told in ways_by_doors(self.doors):
            door.append([(way, mute), (what, canvas.bold)])
            about += [[(piece, mute)] for piece in wrapped(told, width, width)]
        if door:
            about += [[(piece, mute)] for piece in wrapped(seen_sentence(), width, width)]
        comes_in = wrapped(self.comes_in, width, width) if self.comes_in else []
        come: list[Words] = [[(piece, canvas.plain)] for piece in comes_in]
        gap: list[Words] = [[]] if code else []
        if len(code + gap + said + label + link + come + door + about + secure) >= room:
            gap.clear()
        # A link says what it is by itself, and a code can be spelt; where there is no room for a
        # link, a key still copies it and shows it beside its QR code.
        narrow = canvas.width < FULL_WIDTH
        sparable = secure if safe else []
        first = (label, link, sparable, said) if narrow and code else (label, said, sparable)
        for spared in (*first, about):
            if len(code + gap + said + label + link + come + door + about + secure) > room:
                spared.clear()
        for row in (code + said + gap + label + link + come + door + about + secure)[:room]:
            end = x
            for text, ink in row:
                end = canvas.text(end, y, text, ink) + 2
            y += 1
        return y

    def _draw_seats(self, canvas: Canvas, x: int, y: int, right: int) -> None:
        """Draw the seats, as far as a column."""
        lobby, mute = self.lobby, canvas.mute
        canvas.text(x, y, _("SEATS, clockwise"), canvas.heading)
        for row in range(most_seats(lobby)):
            seat = lobby.seats[row] if row < len(lobby.seats) else None
            here = row == self.selected and lobby.host and not self.setting
            line = y + 1 + row
            canvas.text(x - 2, line, self.glyphs.turn if here else " ", canvas.plain)
            end = canvas.text(x + 2, line, f"{row + 1} ", mute)
            if seat is None:
                roomy = canvas.width >= FULL_WIDTH
                if lobby.host and row == len(lobby.seats) and roomy:
                    label = _("free: {key} adds a bot ({bot}),").format(
                        key=key(LobbyCommands.add_bot, self.glyphs), bot=short_bot_name(self.bot)
                    )
                    end = canvas.place(end, line, label, mute, "add_bot")
                    other = _("{key} another").format(key=key(LobbyCommands.bot_kind, self.glyphs))
                    canvas.place(end + 1, line, other, mute, BOT_KIND.action)
                else:
                    canvas.text(end, line, _("free"), canvas.mute)
                continue
            self._draw_seat(canvas, end, line, row, seat, right)

    def _draw_families(self, canvas: Canvas, x: int, y: int) -> None:
        """Draw the families that are free, for somebody who would rather be another."""
        lobby, glyphs = self.lobby, self.glyphs
        free = free_families(lobby)
        if not free:
            return
        if canvas.width >= FULL_WIDTH:
            label = _("To change family, press its letter:")
            if lobby.you is None:
                label = _("To sit down, press the letter of a family:")
            canvas.text(x, y, label, canvas.mute)
            y += 1
        for family in free:
            label = f"{family} {family_name(family)}"
            label = f"{glyphs.families[family]}{label}" if glyphs.letter_follows else label
            x = canvas.place(x, y, label, canvas.hue(family), f"family('{family}')") + 2

    def _draw_seat(
        self, canvas: Canvas, x: int, y: int, row: int, seat: SeatInfo, right: int
    ) -> None:
        lobby, glyphs = self.lobby, self.glyphs
        you = seat.family == lobby.you
        narrow = canvas.width < FULL_WIDTH
        name_width = NAME_WIDTH - CUT if narrow else NAME_WIDTH
        end, action = x, f"select({row})"
        for family in families_of(seat):
            end = canvas.place(end, y, glyphs.tag(family), canvas.hue(family), action)
        column, name_room = x + name_width + 1, x + name_width - end
        width = max(NOTES_WIDTH - 3 * narrow, right - column)
        canvas.place(end, y, f" {seat.name}", canvas.hue(seat.family), action, name_room)
        notes = [_("you")] if you else []
        if seat.host:
            notes.append(_("host"))
        if seat.bot is not None:
            level = bot_name if width >= WRITTEN_OUT else short_bot_name
            notes.append(_("bot: {bot}").format(bot=level(seat.bot)))
        elif not seat.present:
            notes.append(_("away"))
        elif seat.ready and not seat.host:
            notes.append(f"{glyphs.ready} {_('ready')}")
        elif not seat.host and not self.dealing:
            notes.append(_("not ready"))
        if seat.name in lobby.muted:
            # Somebody muted who is not ready is muted first of all.
            fits = len(", ".join([*notes, _("muted")])) <= width
            notes = [*notes, _("muted")] if fits else [*notes[:-1], _("muted")]
        if cell_len(", ".join(notes)) > width:
            # That a level is a bot's, and who is the reader, goes without saying.
            notes = notes[1:] or ([short_bot_name(seat.bot)] if seat.bot is not None else notes)
        ink = canvas.plain if seat.ready else canvas.mute
        if lobby.host and seat.bot is not None:
            canvas.place(column, y, ", ".join(notes), ink, f"level({row})", width)
        else:
            canvas.text(column, y, ", ".join(notes), ink, width)
        if lobby.host and not you:
            canvas.place(x - 4, y, "x", canvas.alert, f"remove('{seat.family}')")

    def _draw_settings(self, canvas: Canvas, x: int, y: int, room: int) -> None:
        """Draw as many settings as there are rows, the chosen one among them."""
        lobby = self.lobby
        there = settings_of(lobby)
        last = room if self.setting is None else max(room, there.index(self.setting) + 1)
        there, top = there[last - room : last], y
        if len(there) <= TITLED + (canvas.width >= FULL_WIDTH):
            canvas.text(x, y, _("THE TABLE"), canvas.heading)
            top += 1
        values_at = VALUES_AT if canvas.width >= FULL_WIDTH else VALUES_AT - 1
        bold = canvas.bold
        for row, command in enumerate(there, top):
            label, value = _("New bots"), bot_name(self.bot)
            if command != BOT_KIND:
                setting = TABLE_SETTINGS[command]
                label, value = _(setting.name), setting.value(lobby)
            here = command == self.setting
            action = command.action
            end = x
            if lobby.host:
                end = canvas.place(x, row, f"{key(command, self.glyphs)} ", bold, action)
            canvas.place(end, row, label, canvas.mute, action, x + values_at - end)
            value_ink = canvas.chosen if here or command in self.changed else bold
            if command in self.changed:
                canvas.text(x + values_at - 2, row, self.glyphs.turn, value_ink)
            if here:
                canvas.text(x - 1, row, self.glyphs.turn, bold)
            canvas.place(x + values_at, row, value, value_ink, action)

    def _draw_status(self, canvas: Canvas, x: int, y: int) -> None:
        lobby, mine = self.lobby, self.lobby.own_seat
        action = ""
        if self.lost:
            text = _("The line is lost: {key} tries at once.")
            text, action = text.format(key=key(LobbyCommands.retry, self.glyphs)), "retry"
        elif self.dealing:
            text = self.dealing
        elif self.count:
            stops = LobbyCommands.start if lobby.host else LobbyCommands.ready
            text = start_words(self.count, "" if mine is None else key(stops, self.glyphs))
            action = "start" if lobby.host else "ready"
        elif lobby.host:
            if lobby.missing is None:
                text = _("Everybody is ready: {key} starts the game.")
                text, action = text.format(key=key(LobbyCommands.start, self.glyphs)), "start"
            else:
                text = refusal_sentence(lobby.missing.code, lobby.missing.values, _)
        elif mine is None:
            text = _("You are watching.")
            if free_families(lobby):
                text = _("You are watching: {key} sits down.")
                text, action = text.format(key=key(LobbyCommands.ready, self.glyphs)), "ready"
        elif mine.ready:
            text, action = _("You are ready. Waiting for the host to start."), "ready"
        else:
            text = _("Press {key} when you are ready.")
            text, action = text.format(key=key(LobbyCommands.ready, self.glyphs)), "ready"
        if action:
            canvas.place(x, y, f" {text} ", canvas.chosen, action)
        else:
            canvas.text(x, y, text, canvas.bold)
        notice, good = self.notice
        width = canvas.width - x - 1
        if notice == text:
            # It stands there already.
            return
        canvas.lines(x, y + 1, wrapped(notice, width, width), canvas.bold if good else canvas.alert)
