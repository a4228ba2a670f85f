"""Builds the texts of the lobby: the seats, and the settings with explanations."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import both, key, label
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.lobby.setting_rows import SettingRow
from driflamme_tui.text.cell_widths import steady, wrap_text
from driflamme_tui.text.i18n import _, comma_list
from driflamme_tui.wording.game.names import bot_name, bot_note, family_name, short_bot_name
from driflamme_tui.wording.program.evening_words import evening_sentence
from driflamme_tui.wording.program.settings_words import TABLE_SETTINGS, free_families, most_seats
from driflamme_tui.wording.program.table_setting import families_of
from netcode.protocol.messages import Lobby, SeatInfo

INDENT: Final = 5
"""Columns before the player of a seat: the mark of the chosen line, the button that frees the seat,
and its number.
"""

TAG: Final = 3
"""Columns of a family's sign and letter, with a blank after them."""


class _Seat(NamedTuple):
    """A seat in the list before its columns are aligned."""

    row: int
    seat: SeatInfo
    who: Text
    note: Text
    state: Text


def flow(pieces: Iterable[Text], width: int, gap: str = "  ") -> list[Text]:
    """Return rows of whole pieces, each row with as many pieces as fit into `width` cells.

    A piece that is wider gets a row of its own. `gap` stands between two pieces of a row.
    """
    rows: list[Text] = []
    for piece in pieces:
        if rows and rows[-1].cell_len + len(gap) + piece.cell_len <= width:
            rows[-1].append(gap).append_text(piece)
        else:
            rows.append(piece.copy())
    return rows


def pad(text: Text, width: int) -> Text:
    """Return a text padded with blanks to `width` cells."""
    text = text.copy()
    text.append(" " * max(0, width - text.cell_len))
    return text


class LobbyTexts(Struct, frozen=True, kw_only=True):
    """The lobby as a reader sees it now."""

    lobby: Lobby
    page: Commanded
    """Builds texts from pieces, and has the sections of wings."""
    chosen: SeatInfo | Command | None
    """The seat or setting that keys apply to; None if no line is chosen."""
    changed: frozenset[Command]
    """The commands whose settings another person has just changed."""
    bot: str
    """The kind of bots that the host adds."""
    rows: list[SettingRow]

    def _key(self, command: Command) -> str:
        return key(command, self.page.glyphs)

    # Seats

    def mark(self, is_marked: bool) -> Text:
        """Return the mark before a line; a blank unless `is_marked`."""
        return self.page.text(self.page.glyphs.turn if is_marked else " ")

    def _seats(self, *, brief: bool) -> list[_Seat]:
        lobby, page = self.lobby, self.page
        waits = bool(page.sections.waits())
        found = []
        for row, seat in enumerate(lobby.seats):
            tags = [(page.glyphs.tag(family), f"{family} bold") for family in families_of(seat)]
            who = page.text(*tags, (f" {steady(seat.name)}", f"{seat.family} bold"))
            note = self._note(seat)
            found.append(
                _Seat(
                    row,
                    seat,
                    page.clickable(who, f"select({row})"),
                    page.link(note, f"level({row})", "plain")
                    if lobby.host and seat.bot is not None
                    else page.text((note, "mute")),
                    self._state(seat, waits=waits, brief=brief),
                )
            )
        return found

    def _note(self, seat: SeatInfo) -> str:
        """Return the notes about a seat's player, such as "you", "host" and the level of a bot."""
        notes = [_("you")] if seat.family == self.lobby.you else []
        if seat.host:
            notes.append(_("host"))
        if seat.bot is not None:
            notes.append(_("bot: {bot}", bot=bot_name(seat.bot)))
        if seat.name in self.lobby.muted:
            notes.append(_("muted"))
        return comma_list(notes)

    def _state(self, seat: SeatInfo, *, waits: bool, brief: bool) -> Text:
        """Return a text about a player's readiness or absence; with `brief` only a sign or a blank.

        With `waits`, the table waits for something else, so "not ready" is left out.
        """
        page = self.page
        if brief and not seat.present:
            return page.text((page.glyphs.away, "alert"))
        if brief:
            is_ready = seat.ready or seat.host or seat.bot is not None
            return page.text((page.glyphs.ready if is_ready else " ", "plain"))
        if seat.bot is not None:
            return page.text((page.glyphs.ready, "plain"))
        if not seat.present:
            return page.text((_("away"), "alert"))
        if seat.ready or seat.host:
            return page.text((f"{page.glyphs.ready} {_('ready')}", "plain"))
        return Text() if waits else page.text((_("not ready"), "mute"))

    def _before(self, each: _Seat) -> Text:
        """Return the mark of the chosen line, the button that frees the seat, and its number."""
        lobby, page = self.lobby, self.page
        removes: Text | str = " "
        if lobby.host and each.seat.family != lobby.you:
            action = f"remove('{each.seat.family}')"
            removes = page.link(self._key(LobbyCommands.remove), action, "alert")
        marked = self.mark(each.seat == self.chosen)
        number = page.clickable(page.text((f" {each.row + 1} ", "mute")), f"select({each.row})")
        return page.text(marked, removes, number)

    def _title(self, words: str, shown: int, number: int) -> Text:
        """Return the title of a list, with the number of visible lines if some are hidden."""
        hidden = "  " + _("{n} of {all} shown", n=shown, all=number) if shown < number else ""
        return self.page.text((words, "heading"), (hidden, "mute"))

    def seats_title(self, width: int, shown: int) -> Text:
        """Return the title of the seats, and for the host the keys that move and shuffle them.

        Args:
            width: The columns of the title.
            shown: The number of visible seats.
        """
        page, commands = self.page, LobbyCommands
        title = self._title(_("SEATS, clockwise"), shown, most_seats(self.lobby))
        if not page.can(commands.shuffle):
            return title
        pairs = [[commands.earlier, commands.later], [commands.shuffle]]
        possible = [pair for pair in pairs if page.can(pair[0])]
        for is_named in (True, False):
            pieces = [self._keys_of(pair, is_named=is_named) for pair in possible]
            keys = page.text("  ").join(pieces)
            space = width - title.cell_len - keys.cell_len
            if space >= 2:
                return page.text(title, " " * space, keys)
        return title

    def _keys_of(self, commands: Sequence[Command], *, is_named: bool) -> Text:
        """Return the keys of commands that belong together, each a link to its command.

        With `is_named`, the label of the last command follows.
        """
        page = self.page
        keys = [page.link(self._key(each), each.action, "mute") for each in commands]
        name = page.link(f" {label(commands[-1])}" * is_named, commands[-1].action, "mute")
        return page.text(page.text(" ").join(keys), name)

    def seats(self, *, tall: bool, families: bool = False, brief: bool = False) -> list[Text]:
        """Return all seats with their players, in one or two rows each, and the free seats.

        Args:
            tall: True for two rows for each player.
            families: True to begin the second row with the names of the families.
            brief: True to show readiness and absence by signs alone.
        """
        entries, page = self._seats(brief=brief), self.page
        name = max((each.who.cell_len for each in entries), default=0)
        note = max((each.note.cell_len for each in entries), default=0)
        lines = []
        for each in entries:
            start, who = self._before(each), pad(each.who, name)
            if tall:
                family = comma_list(map(family_name, families_of(each.seat))) if families else ""
                pieces = [page.text((family, each.seat.family)), each.note, each.state]
                details = page.text(f" {page.glyphs.separator} ").join(filter(None, pieces))
                lines.append(page.text(start, each.who))
                lines.append(page.text(" " * (INDENT + TAG), details))
            else:
                gap = "  " * bool(note)
                lines.append(page.text(start, who, gap, pad(each.note, note), "  ", each.state))
        return [*lines, *self._free()]

    def seats_in(self, rows: int, *, tall: bool) -> int:
        """Return the number of seats that fit into `rows` rows, the free ones included.

        With `tall`, a taken seat has two rows.
        """
        taken = len(self.lobby.seats)
        return rows // 2 if rows < 2 * taken and tall else rows - taken * tall

    def _free(self) -> list[Text]:
        """Return the free seats. At the first one, the host can add a bot."""
        lobby, page, there = self.lobby, self.page, len(self.lobby.seats)
        free = [
            page.text((f"   {row + 1} " + _("free"), "mute"))
            for row in range(there, most_seats(lobby))
        ]
        if lobby.host and free:
            adds = _(
                "free: {key} adds a bot ({bot})",
                key=self._key(LobbyCommands.add_bot),
                bot=short_bot_name(self.bot),
            )
            number = page.text((f"   {there + 1} ", "mute"))
            free[0] = page.text(number, page.link(adds, LobbyCommands.add_bot.action, "mute"))
        return free

    def row_of(self, name: str, *, tall: bool) -> int:
        """Return the row of the seat with this name; 0 if no seat has it.

        With `tall`, each seat has two rows.
        """
        names = [seat.name for seat in self.lobby.seats]
        return names.index(name) * (1 + tall) if name in names else 0

    def families(self, width: int) -> list[Text]:
        """Return rows with the families that the reader can choose now; [] without any."""
        page, free = self.page, free_families(self.lobby)
        if not free:
            return []
        prompt = _("To change family, press its letter:")
        if self.lobby.you is None:
            prompt = _("To sit down, press the letter of a family:")
        labels = [
            page.link(
                f"{page.glyphs.families[family] * page.glyphs.letter_follows}{family} "
                f"{family_name(family)}",
                f"family('{family}')",
                f"{family} bold",
            )
            for family in free
        ]
        whole = flow([page.text((prompt, "mute")), *labels], width)
        if len(whole) == 1:
            return whole
        rows = (page.text((row, "mute")) for row in wrap_text(prompt, width, width))
        return [*rows, *flow(labels, width)]

    def watching(self, width: int) -> list[Text]:
        """Return rows with the spectators' names, broken only between names; [] for nobody."""
        names = [*map(steady, self.lobby.spectators)]
        if not names:
            return []
        pieces = [*(f"{name}," for name in names[:-1]), names[-1]]
        pieces[0] = _("Watching: {names}", names=pieces[0])
        return flow((self.page.text((each, "mute")) for each in pieces), width, gap=" ")

    def wing_lines(self, width: int) -> list[Text]:
        """Return the lines of wings about the table."""
        lines = self.page.sections.every(lambda each: each.lobby_line())
        return [self.page.text(row) for line in lines for row in wrap_text(line, width, width)]

    # Settings

    def settings(self) -> list[Text]:
        """Return the settings of the game.

        A click on a setting chooses it. A click by the host also changes it.
        """
        page, host = self.page, self.lobby.host
        name = max(cell_len(row.name) for row in self.rows)
        keys = max(cell_len(self._key(row.command)) for row in self.rows) if host else 0
        lines = []
        for row in self.rows:
            is_chosen = row.command == self.chosen
            marked = is_chosen or row.command in self.changed
            start = page.text(self.mark(marked))
            if host:
                start = page.text(start, (f"{self._key(row.command):{keys}} ", "bold"))
            line = page.text(
                start,
                pad(page.link(row.name, row.command.action, "mute"), name),
                "  ",
                page.link(row.value, row.command.action, "chosen" if marked else "bold"),
            )
            lines.append(line)
        return lines

    def settings_title(self, width: int, shown: int) -> Text:
        """Return the title of the settings, and for the host the keys that change them.

        Args:
            width: The columns of the title.
            shown: The number of visible settings.
        """
        page, commands = self.page, LobbyCommands
        title = self._title(_("THE TABLE"), shown, len(self.rows))
        keys = both(commands.before, commands.after, page.glyphs)
        keys_shown = f"{keys} {label(commands.after)}"
        space = width - title.cell_len - cell_len(page.glyphs.plain(keys_shown))
        if self.lobby.host and space >= 2:
            return page.text(title, " " * space, (keys_shown, "mute"))
        return title

    def explanation(self) -> str:
        """Return the meaning of the chosen setting, or a text about the chosen seat.

        If nothing or the reader's own seat is chosen, return a text about the table.
        """
        chosen = self.chosen
        if isinstance(chosen, Command):
            return next((row.meaning for row in self.rows if row.command == chosen), "")
        if chosen is not None and chosen.family != self.lobby.you:
            return self._about(chosen)
        of_wings = self.page.sections.every(lambda each: each.explanation())
        sentences = filter(None, [evening_sentence(self.lobby), *of_wings])
        return " ".join(sentences) or TABLE_SETTINGS[LobbyCommands.edition].meaning(self.lobby)

    def _about(self, seat: SeatInfo) -> str:
        """Return a text about another player's seat, with the host's keys for that seat."""
        remove, commands = self._key(LobbyCommands.remove), LobbyCommands
        if seat.bot is not None:
            keys = both(commands.before, commands.after, self.page.glyphs)
            does = _("{keys} change its level, {key} frees the seat.", keys=keys, key=remove)
            return f"{bot_note(seat.bot)} {does}".strip()
        if seat.ready:
            return _("{name} is ready. {key} frees the seat.", name=seat.name, key=remove)
        return _("{name} is not ready yet. {key} frees the seat.", name=seat.name, key=remove)
