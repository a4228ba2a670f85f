"""The lobby: who sits where, how the game will be played, and how others come to the table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from msgspec.structs import asdict
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import LobbyCommands, PeopleCommands
from driflamme_tui.preferences.even_bots import EVEN
from driflamme_tui.preferences.remembered import last_bot, remember, remember_table
from driflamme_tui.screens.base.overlay import confirm
from driflamme_tui.screens.gathering_screen import GatheringScreen
from driflamme_tui.screens.overlays.code_overlay import NameOverlay
from driflamme_tui.seat.sections import joined
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.qr_code import fitting_code
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.wording.game.names import bot_name, bot_note, family_name, short_bot_name
from driflamme_tui.wording.program.evening_words import evening_sentence, start_words
from driflamme_tui.wording.program.joining_words import (
    in_any_shell,
    is_link,
    round_trip,
    secure_sentence,
    ways_in,
)
from driflamme_tui.wording.program.people_words import ended_sentence, sure_words
from driflamme_tui.wording.program.settings_words import (
    TABLE_SETTINGS,
    families_of,
    free_families,
    most_seats,
)
from engine.bots import bot_names
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
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.protocol.table_settings import TableSettings
from netcode.workers.thinking_time import QUICK

LOW: Final = 22
"""Rows below which a code stands for the link, which a key still copies and shows."""
EDITION: Final = LobbyCommands.edition
BOT_KIND: Final = LobbyCommands.bot_kind
THINK: Final = LobbyCommands.think

CHOSEN: Final = {"chosen": True}
"""What the style of the sign before the chosen line has, by which the line is found."""

MARKED_S: Final = 3
"""How long the host's changes are marked on the screens of others."""

TALK_PART: Final = 6
"""The chat has one of so many rows."""

WIDE: Final = 120
"""Columns from which the invitation is there as a QR code, too."""
HIGH: Final = 40
"""Rows from which it is."""
CODE_WIDTH: Final = 60
CODE_HEIGHT: Final = 30


def settings_of(lobby: Lobby) -> tuple[Command, ...]:
    """Return the settings that somebody sees: guests add no bots, and most bots need no time."""
    thinks = any(seat.bot is not None and seat.bot not in QUICK for seat in lobby.seats)
    return tuple(
        setting
        for setting in (*TABLE_SETTINGS, BOT_KIND)
        if (setting != BOT_KIND or lobby.host) and (setting != THINK or thinks)
    )


def _changed(lobby: Lobby, setting: Command, by: int) -> dict[str, object]:
    """Return the field of a setting with its next value, or with the one before."""
    field, values = TABLE_SETTINGS[setting].field, TABLE_SETTINGS[setting].values
    if setting == LobbyCommands.first:
        values += tuple(family for seat in lobby.seats for family in families_of(seat))
    return {field: _beside(getattr(lobby.settings, field), values, by)}


def _beside(now: Any, values: Sequence[Any], by: int) -> Any:
    """Return the next of some values, or the one before, going round at the ends.

    A value that is none of them stands behind all that are less.
    """
    if now in values:
        return values[(values.index(now) + by) % len(values)]
    return values[(sum(value < now for value in values) - (by < 0)) % len(values)]


class LobbyScroll(VerticalScroll):
    """What scrolls in the lobby: it calls back when it has more room, or less."""

    def __init__(self, resized: Callable[[], None]) -> None:
        super().__init__(id="scroll", can_focus=False)
        self._resized = resized

    def on_resize(self) -> None:
        """Call back once everything has its place."""
        self.call_after_refresh(self._resized)


class LobbyScreen(GatheringScreen, commands=joined(LobbyCommands, "lobby")):
    """Where a table gathers before a game."""

    COUNT_S: ClassVar[int] = 3
    """Time from the host's `s` to the start, to say that one is not ready after all; tests of
    something else need not wait so long."""

    def __init__(self) -> None:
        super().__init__()
        self.line: str | Command = ""
        """What the keys are about: the name in a seat, which the host chooses; or a setting."""
        self.bot = last_bot()
        """What `+` adds."""
        self.changed: frozenset[Command] = frozenset()
        """The commands whose settings somebody else has just changed."""
        self._scrolled_to = 0.0
        """How far the lobby was scrolled when the chosen line was last brought into view."""
        self._asked_anew = False
        """Whether the reader was ready for another table than this, and is not yet for this."""

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
        """How others come, seats and settings, which scroll; and what the table waits for."""
        with LobbyScroll(self._keep_chosen_in_view):
            yield Static(id="invitation")
            with Container(id="columns"):
                with Vertical():
                    yield Static(id="seats")
                    yield Static(id="watching")
                yield Static(id="settings")
                yield Static(id="code")
        # Where the rest scrolls, these letters stay in view.
        yield Static(id="families")
        yield Static(id="explanation")
        yield Static(id="status")
        yield TalkPanel(id="talk-below")

    def heading(self) -> str:
        """Return the name of the screen."""
        return self.sections.first(lambda each: each.heading()) or _("Lobby")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return invitation, seats, settings and what the table waits for."""
        sitting, lobby = self.sitting, self.lobby
        ended = "" if lobby.ended_by is None else ended_sentence(lobby.ended_by)
        notice, good = self.told_notice(ended)
        if not notice:
            notice, good = self.sections.first(lambda each: each.note()), True
        lost, (status, action) = self.lost_title(), self._status()
        line = (lost, "alert") if lost else round_trip(sitting.latency_ms, self.glyphs)
        if notice == status:
            # It stands there already.
            notice = ""
        return {
            **super().texts(),
            "code": self._code(),
            "told": self.text(line),
            "invitation": Text("\n").join(self._ways_in()),
            "seats": self._seats_text(),
            "families": self._families_text(),
            "watching": self._watching_text(),
            "settings": self._settings_text(),
            "explanation": self.text((self._explanation_text(), "plain")),
            "status": self.link(f" {status} ", action, "chosen")
            if action
            else self.text((status, "bold")),
            "notice": self.text((notice, "bold" if good else "alert")),
        }

    def _key(self, command: Command) -> str:
        return key(command, self.glyphs)

    @property
    def chosen(self) -> SeatInfo | Command | None:
        """What the keys are about: the host's may be about a seat."""
        if isinstance(self.line, Command):
            return self.line
        seats = self.lobby.seats if self.lobby.host else ()
        named = (seat for seat in seats if seat.name == self.line)
        return next(named, next(iter(seats), None))

    def _explanation_text(self) -> str:
        """Return what the chosen setting means, how the chosen bot plays, or who has won so far."""
        lobby, chosen = self.lobby, self.chosen
        if chosen == BOT_KIND:
            return bot_note(self.bot)
        if isinstance(chosen, Command):
            return TABLE_SETTINGS[chosen].meaning(lobby)
        if chosen is not None and chosen.bot is not None and (note := bot_note(chosen.bot)):
            return note
        of_wings = self.sections.every(lambda each: each.explanation())
        told = filter(None, [evening_sentence(lobby), *of_wings])
        return " ".join(told) or TABLE_SETTINGS[EDITION].meaning(lobby)

    def _ways_in(self) -> Iterator[Text]:
        lobby, text = self.lobby, self.text
        small = self.size.height < LOW and lobby.code is not None
        for way, line, told in ways_in(lobby):
            if told:
                shown = text((f" {' '.join(line)} ", "chosen"))
                shown = shown if small else text((way, "mute"), " ", shown)
                # The words for its signs stand together, in a row of their own if need be.
                fits = shown.cell_len + 2 + cell_len(told) <= self.size.width - 2
                yield text(shown, "  " if fits else "\n ", (told, "mute"))
            elif small:
                there = _(
                    "{copies} copies the link, {shows} shows it.",
                    copies=self._key(LobbyCommands.copy),
                    shows=self._key(LobbyCommands.invitation),
                )
                yield text((there, "plain"))
            else:
                yield text((f"{way}\n", "mute"), (line, "bold"))
        for other in self.sections.ways():
            yield text((other.how, "mute"), "  ", (other.line, "bold"), "  ", (other.note, "mute"))
        for about in self.sections.every(lambda each: each.about_ways()):
            yield text((about, "mute"))
        if (secure := self.sitting.secure) is not None:
            yield text((secure_sentence(secure), "mute" if secure else "alert"))

    def _mark(self, is_marked: bool, is_chosen: bool = True) -> Text:
        """Return the sign before a line; the chosen line is found again by it."""
        sign = self.text(self.glyphs.turn if is_marked else " ")
        if is_marked and is_chosen:
            sign.stylize(Style(meta=CHOSEN))
        return sign

    def _seats_text(self) -> Group:
        """Return who sits where; what the host can do is clicked."""
        lobby, text, link = self.lobby, self.text, self.link
        table = self.grid(5)
        for row, seat in enumerate(lobby.seats):
            here = seat == self.chosen
            removes = link(self._key(LobbyCommands.remove), f"remove('{seat.family}')", "alert")
            table.add_row(
                self._mark(here),
                removes if lobby.host and seat.family != lobby.you else " ",
                text((f"{row + 1}", "mute")),
                *self._seat(row, seat),
            )
        there = len(lobby.seats)
        free = [
            text((f"    {row + 1} " + _("free"), "mute")) for row in range(there, most_seats(lobby))
        ]
        if lobby.host and free:
            label = _(
                "free: {key} a bot ({bot}),",
                key=self._key(LobbyCommands.add_bot),
                bot=short_bot_name(self.bot),
            )
            other = _("{key} another", key=self._key(BOT_KIND))
            free[0] = text(
                (f"    {there + 1} ", "mute"),
                link(label, "add_bot", "mute"),
                " ",
                link(other, BOT_KIND.action, "mute"),
            )
        return Group(text((_("SEATS, clockwise"), "heading")), table, *free)

    def _seat(self, row: int, seat: SeatInfo) -> tuple[Text, Text]:
        """Return who sits there, and what there is to say about them."""
        lobby, glyphs, you = self.lobby, self.glyphs, seat.family == self.lobby.you
        tags = [(glyphs.tag(family), f"{family} bold") for family in families_of(seat)]
        who = self.text(*tags, (f" {seat.name}", f"{seat.family} bold"))
        notes = [_("you")] if you else []
        if seat.host:
            notes.append(_("host"))
        if seat.bot is not None:
            notes.append(_("bot: {bot}", bot=bot_name(seat.bot)))
        elif not seat.present:
            notes.append(_("away"))
        elif seat.ready and not seat.host:
            notes.append(f"{glyphs.ready} {_('ready')}")
        elif not seat.host and not self.sections.waits():
            notes.append(_("not ready"))
        if seat.name in lobby.muted:
            notes.append(_("muted"))
        levels = lobby.host and seat.bot is not None
        told = ", ".join(notes), "plain" if seat.ready else "mute"
        return (
            self.clickable(who, f"select({row})"),
            self.link(told[0], f"level({row})", told[1]) if levels else self.text(told),
        )

    def _families_text(self) -> Text:
        """Return the families that are free, for somebody who would rather be another."""
        glyphs, free = self.glyphs, free_families(self.lobby)
        if not free:
            return Text()
        label = _("To change family, press its letter:")
        if self.lobby.you is None:
            label = _("To sit down, press the letter of a family:")
        labels = [
            self.link(
                f"{glyphs.families[family] * glyphs.letter_follows}{family} {family_name(family)}",
                f"family('{family}')",
                f"{family} bold",
            )
            for family in free
        ]
        return self.text((label, "mute"), " ", Text("  ").join(labels))

    def _watching_text(self) -> Text:
        """Return who watches."""
        names = ", ".join(self.lobby.spectators)
        told = _("Watching: {names}", names=names) if names else ""
        return self.text((told, "mute"))

    def _settings_text(self) -> Group:
        """Return how the game will be played; the host changes a setting with a click."""
        lobby, text, link = self.lobby, self.text, self.link
        table = self.grid(4)
        for command in settings_of(lobby):
            label, value = _("New bots"), bot_name(self.bot)
            if command != BOT_KIND:
                setting = TABLE_SETTINGS[command]
                label, value = _(setting.name), setting.value(lobby)
            marked = command in (self.chosen, *self.changed)
            table.add_row(
                self._mark(marked, command == self.chosen),
                text((self._key(command), "bold")) if lobby.host else "",
                link(label, command.action, "mute"),
                link(value, command.action, "chosen" if marked else "bold"),
            )
        return Group(text((_("THE TABLE"), "heading")), table)

    def _status(self) -> tuple[str, str]:
        """Return what the table waits for, and the action that it takes, or ""."""
        lobby, mine = self.lobby, self.lobby.own_seat
        start, ready = self._key(LobbyCommands.start), self._key(LobbyCommands.ready)
        if self.sitting.lost is not None:
            lost = _("The connection is lost: {key} tries again at once.")
            return lost.format(key=self._key(LobbyCommands.retry)), "retry"
        if waits := self.sections.waits():
            return waits, ""
        if count := self.count:
            stops = start if lobby.host else ready
            words = start_words(count, "" if mine is None else stops)
            return words, "start" if lobby.host else "ready"
        if lobby.host and lobby.missing is None:
            return _("Everybody is ready: {key} starts the game.", key=start), "start"
        if lobby.host and lobby.missing is not None:
            return refusal_sentence(lobby.missing, _), ""
        if mine is None and free_families(lobby):
            return _("You are watching: {key} sits down.", key=ready), "ready"
        if mine is None:
            return _("You are watching."), ""
        if mine.ready:
            return _("You are ready. Waiting for the host to start."), "ready"
        return _("Press {key} when you are ready.", key=ready), "ready"

    def _code(self) -> Text:
        """Return the invitation as a QR code, too, where a screen has that much room."""
        link, (width, height) = self.lobby.invitation, self.size
        if width < WIDE or height < HIGH or not self.glyphs.unicode or not is_link(link):
            return Text()
        code = fitting_code(link, CODE_WIDTH, CODE_HEIGHT)
        return Text() if code is None else code.text()

    def _chosen_row(self) -> int | None:
        """Return the row of the chosen line in what scrolls; None if nothing is chosen."""
        for part in self.query("#seats, #settings"):
            for row in range(part.size.height):
                styles = (piece.style for piece in part.render_line(row))
                if any(style is not None and "chosen" in style.meta for style in styles):
                    above = part.region.y - self.scrolled.region.y
                    return above + round(self.scrolled.scroll_y) + row
        return None

    def shows_chosen(self) -> bool:
        """Whether the chosen line is in view; True if nothing is chosen."""
        row = self._chosen_row()
        top = round(self.scrolled.scroll_y)
        return row is None or top <= row < top + self.scrolled.size.height

    @property
    def _can_scroll(self) -> bool:
        """Whether what scrolls is there: a refresh may end while the screen comes or goes."""
        return self.is_whole and bool(self.query(LobbyScroll))

    def _scroll_there(self) -> None:
        if not self._can_scroll:
            return
        row, scrolled, lines = self._chosen_row(), self.scrolled, self._lines()
        if row is not None:
            # What stands above the first line and below the last comes into view with them.
            y = min(row, max(round(scrolled.scroll_y), row - scrolled.size.height + 1))
            if self.moment() == lines[0] and row < scrolled.size.height:
                y = 0
            elif self.moment() == lines[-1] and row >= scrolled.max_scroll_y:
                y = scrolled.max_scroll_y
            scrolled.scroll_to(y=y, animate=False, immediate=True)
        self._scrolled_to = scrolled.scroll_y

    def _keep_chosen_in_view(self) -> None:
        """Scroll to the chosen line if something else has grown, and not if the reader scrolled."""
        if not self._can_scroll:
            return
        was = min(self._scrolled_to, self.scrolled.max_scroll_y)
        if self.scrolled.scroll_y == was and not self.shows_chosen():
            self._scroll_there()

    def sync(self) -> None:
        """Show what the session knows now."""
        quiet = not (self.talking or self.sitting.session.talk)
        self.show_talk(1 if quiet else self.size.height // TALK_PART)
        super().sync()
        self.call_after_refresh(self._keep_chosen_in_view)

    def moment(self) -> object:
        """Return what is chosen: a command of the palette is about that."""
        chosen = self.chosen
        return chosen.name if isinstance(chosen, SeatInfo) else chosen

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
            self.changed |= {command for command, each in settings if each.field in changed}
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
        if isinstance(self.line, Command):
            if self.line not in settings_of(self.lobby):
                self.line = EDITION
            return
        chosen = self.line or next((seat.name for seat in before.seats), "")
        there = {seat.name for seat in self.lobby.seats}
        own = self.lobby.own_seat
        if chosen in there:
            self.line = chosen
        elif self.lobby.host:
            self.line = EDITION if own is None else own.name

    def unmark(self) -> None:
        """Mark no change any more: there has been time to see it."""
        self.changed = frozenset()
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
        elif isinstance(self.line, Command):
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
        self.sitting.say(AddBot(bot=self.bot))

    def action_select(self, line: int | str | Command) -> None:
        """Choose a seat, by its row or by the name in it, or a setting; scroll there."""
        self.line = self.lobby.seats[line].name if isinstance(line, int) else line
        self.sync()
        self.call_after_refresh(self._scroll_there)

    def action_move(self, by: int) -> None:
        """Choose another seat or setting; guests, who change nothing, read what settings mean."""
        lines, chosen = self._lines(), self.moment()
        now = lines.index(chosen) if chosen in lines else -(by > 0)
        self.action_select(lines[(now + by) % len(lines)])

    def action_page(self, by: int) -> None:
        """Choose the line that is a page away; scroll a page while none is chosen."""
        lines, chosen = self._lines(), self.moment()
        if chosen not in lines:
            super().action_page(by)
            return
        line = lines.index(chosen) + by * max(1, self.scrolled.size.height - 1)
        self.action_select(lines[max(0, min(line, len(lines) - 1))])

    def _lines(self) -> list[str | Command]:
        """Return what can be chosen, from the top: names in seats for the host, and settings."""
        seats = (seat.name for seat in self.lobby.seats if self.lobby.host)
        return [*seats, *settings_of(self.lobby)]

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
            self._add_such(_beside(self.bot, (*bot_names(), EVEN), by))
            self.sync()
        elif isinstance(chosen, Command):
            changes = asdict(self.lobby.settings) | _changed(self.lobby, chosen, by)
            self.sitting.say(ChangeSettings(settings=checked(changes, TableSettings)))
        elif chosen.bot is not None:
            bot = _beside(chosen.bot, bot_names(), by)
            self.sitting.say(checked({"family": chosen.family, "bot": bot}, ChangeBot))
            self._add_such(bot)

    def _returns_to_chosen(self) -> bool:
        """Whether the chosen line was out of view; it is scrolled to."""
        if self.shows_chosen():
            return False
        self._scroll_there()
        return True

    def _add_such(self, bot: str) -> None:
        """Let bots that are added from now on be of this kind."""
        self.bot = bot
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
