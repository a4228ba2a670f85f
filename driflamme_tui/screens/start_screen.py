"""Shows the first screen of `driflamme` without arguments: host, join, play, read the rules."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Final

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus, Paste
from textual.widgets import Button, Input, Label, Static

from driflamme_tui.hosting.moved_tables import can_reopen, has_moved_table
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import ScreenCommands
from driflamme_tui.model.past_game_totals import PlayerGames, Wanted, games_of_player
from driflamme_tui.preferences.matched_bots import EVEN
from driflamme_tui.preferences.remembered import (
    FEWEST_BOTS,
    MOST_BOTS,
    NEWCOMER,
    PUZZLES,
    forget_back,
    last_opponents,
    remember,
    remember_opponents,
)
from driflamme_tui.preferences.visits import place_of
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.screens.base.messages import Go
from driflamme_tui.screens.overlays.code_overlay import CodeOverlay, NameOverlay
from driflamme_tui.screens.start_rows import AddedRow, visited_rows, waiting_rows
from driflamme_tui.seat.seat_keys import way_back
from driflamme_tui.seat.targets import Join, parse_target
from driflamme_tui.text.cell_widths import shortened, steady
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.inputs import LinkInput
from driflamme_tui.widgets.start_widgets import (
    FoundButton,
    FoundTables,
    LaterQueue,
    Preview,
    RowButton,
    SampleQueue,
    Value,
    VisitedRows,
)
from driflamme_tui.wording.program.found_table_words import found_about, found_title
from driflamme_tui.wording.program.joining_words import back_open_sentence, joining_words
from driflamme_tui.wording.program.start_words import (
    Row,
    Standing,
    TodaysPuzzle,
    heading,
    join_about,
    latest_lines,
    opponents_choices,
    rows_of,
)
from engine.bots import bot_names
from engine.texts import ExplainedError
from netcode.joining.discovery import SEARCH_S, DiscoveryError, FoundTable, browsing
from netcode.joining.invitation import pin_of_link
from netcode.protocol.messages import PROTOCOL


class StartCommands(ScreenCommands, prefix="start"):
    """The commands of the start screen."""

    first_waiting = Command("0", "waiting(0)", "continue the interrupted game")
    second_waiting = Command(
        "9", "waiting(1)", "continue the other interrupted game", row=first_waiting, listed=False
    )
    learn = Command("1,f6", "app.learn", "learn the game in a guided first game")
    back = Command("", "app.go_back", "go back to the table where you have a seat")
    reopen = Command("", "app.reopen", "reopen your unfinished table")
    resume = Command("", "app.resume", "continue your game against bots")
    play = Command("2", "app.play", "play against bots")
    host = Command("3", "app.host", "host a table for others")
    puzzle = Command("4,f8", "app.puzzle", "solve the puzzle of the day, or others")
    board = Command("5", "app.board", "analyse a new deal on the board")
    history = Command("6,f4", "history", "list past games, and replay them")
    rules = Command("7", "app.help", "read the rules, and all keys", listed=False)
    settings = Command("8", "app.options", "open the options", listed=False)
    statistics = Command("s", "statistics", "show the statistics of your past games")
    rename = Command("f5", "rename", "change your name", "rename")
    open = Command("enter", "open", "open the chosen row", "open", listed=False)
    up = Command(
        "up", "app.focus_previous", "go to the line above or below", listed=False, repeats=True
    )
    down = Command(
        "down", "app.focus_next", "go through the rows", row=up, listed=False, repeats=True
    )
    do = Command("left", "side('#do')", "go to the menu", listed=False, repeats=True)
    join = Command(
        "right", "side('#join')", "go to the join field", "join field", listed=False, repeats=True
    )
    more = Command("+", "bots(1)", "play against one bot more, or one fewer", "bot", repeats=True)
    fewer = Command(
        "-", "bots(-1)", "play against one bot fewer", row=more, listed=False, repeats=True
    )
    level = Command("k", "level", "play against bots of the next level")
    edition = Command("e", "edition", "play the other edition")
    forget = Command("delete", "forget", "remove the chosen table from this screen")
    quit = Command("escape", "leave", "end the program", "quit", listed=False)
    bar = "open join rename quit"


COMMANDS: Final[Mapping[str, Command]] = {
    "back": StartCommands.back,
    "reopen": StartCommands.reopen,
    "resume": StartCommands.resume,
    "learn": StartCommands.learn,
    "play": StartCommands.play,
    "host": StartCommands.host,
    "puzzle": StartCommands.puzzle,
    "board": StartCommands.board,
    "past": StartCommands.history,
    "rules": StartCommands.rules,
    "options": StartCommands.settings,
}
"""The command of each row of the menu, by the row's name."""

WAITING: Final = (StartCommands.first_waiting, StartCommands.second_waiting)
"""The commands whose keys open rows with an interrupted game or table."""

NARROW, WIDE, TALL, SPACIOUS, GRAND = 79, 116, 23, 38, 56
"""Minimum sizes of the screen for two columns, three columns, empty rows between the groups, large
cards above the menu, and larger cards.
"""


def standing_now(*, teaches: bool) -> Standing:
    """Return the facts about the player that need no waiting; `read_later` reads the others."""
    from driflamme_tui.study.guided_game import finished_or_begun
    from netcode.storage.solo_store import has_unfinished_game

    finished, is_begun = finished_or_begun()
    newcomer = not finished and not NEWCOMER.recall().games
    back, reopens = way_back(), can_reopen()
    return Standing(
        back=None if back is None else back.host,
        back_place=None if back is None else place_of(back.place),
        reopens=reopens,
        # Prefer reopening: the way back leads only to the table's old place.
        is_reopened_first=reopens and has_moved_table(),
        resumes=has_unfinished_game(),
        is_lesson_begun=is_begun,
        learns_first=teaches and (newcomer or is_begun),
        opponents=last_opponents(),
    )


def read_later(today: int) -> tuple[TodaysPuzzle, PlayerGames]:
    """Return today's puzzle and the player's past games. Call it on a thread: it is slow."""
    from engine.puzzles import of_day, stock
    from netcode.storage.database import default_path
    from netcode.storage.history import History
    from netcode.table.errors import StoreError

    games = PlayerGames()
    # Open no missing history, which would create the file.
    if default_path().exists():
        with suppress(StoreError), History.open(reading=True) as history:
            games = games_of_player(history.games())
    number = of_day(stock(), today) + 1
    return TodaysPuzzle(number, len(stock()), today, PUZZLES.recall()), games


class StartScreen(FullScreen, commands=StartCommands):
    """The first screen, and the screen after leaving a table."""

    CSS_PATH = "../styles/start.tcss"
    AUTO_FOCUS = ".main"

    found: Sequence[FoundTable] = ()
    """The tables of this network."""
    visited: Sequence[AddedRow] = ()
    """The rows for places of earlier visits; empty until they have been read."""
    _was_host_absent: bool | None = None
    """True if the table with the player's seat was not found; None before the first search."""
    _noticed_at: object = None
    """The widget that had the focus when the notice appeared. The notice goes when the focus
    moves.
    """

    def __init__(
        self, notice: str = "", address: str = "", *, browses: bool = False, joins: bool = False
    ) -> None:
        """Ask what to do.

        Args:
            notice: The reason for coming here, for instance that nobody answered.
            address: The last typed address, to be corrected or submitted again.
            browses: True to look for tables on the network.
            joins: True if the player wants to join a table.
        """
        super().__init__()
        self._browses, self._joins = browses, joins
        self.notice, self.address = notice, address
        self.standing = standing_now(teaches=self.terminal.helps_newcomers)
        self.waiting = waiting_rows()
        """The rows of wings above the menu."""

    # Facts

    @property
    def back(self) -> bool:
        """True if the player has a seat at somebody's table."""
        return self.standing.back is not None

    @property
    def reopens(self) -> bool:
        """True if the player can reopen a table of their own."""
        return self.standing.reopens

    @property
    def resumes(self) -> bool:
        """True if a game against bots was interrupted."""
        return self.standing.resumes

    @property
    def is_waited(self) -> bool:
        """True if something interrupted can be resumed."""
        return self.back or self.reopens or self.resumes or bool(self.waiting)

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now."""
        match command:
            case StartCommands.first_waiting:
                return self.is_waited
            case StartCommands.back:
                return self.back
            case StartCommands.reopen:
                return self.reopens
            case StartCommands.resume:
                return self.resumes
            case StartCommands.forget:
                return self._forgetting() is not None
        return super().is_possible(command)

    # Contents

    def parts(self) -> ComposeResult:
        """Return the menu, the ways to other tables, and the preview of the chosen row."""
        plain = self.glyphs.plain
        with Vertical(id="start"):
            with Horizontal(id="head"):
                yield Static(id="title")
                yield Static(id="who")
            yield Static(plain(_("A game of bluff for three to five families.")), id="subtitle")
            yield SampleQueue(id="opening")
            with Horizontal(id="ways"):
                with Vertical(id="do"):
                    yield from self._menu()
                with Vertical(id="middle"):
                    yield Preview(id="about-wide")
                    yield LaterQueue(id="sample-wide")
                with Vertical(id="join"):
                    yield SampleQueue(id="sample")
                    yield Label(plain(_("JOIN A TABLE")))
                    example = _("K7Q-F2MXR, or paste a link")
                    line = LinkInput(
                        self.address,
                        placeholder=plain(example),
                        id="address",
                        compact=True,
                    )
                    line.cut = plain(line.cut)
                    yield line
                    yield Label(plain(_("TABLES ON THIS NETWORK")), classes="later")
                    yield FoundTables(id="found")
                    title = plain(_("LAST VISITS"))
                    yield Label(title, id="visited-title", classes="later")
                    yield VisitedRows(id="visited")
            with Vertical(id="bottom"):
                yield Static(id="latest", markup=False)
                yield Static(self.notice, id="notice", markup=False)
                yield Preview(id="about")

    def _menu(self) -> Iterator[Label | RowButton]:
        """Yield the rows, with a heading above each group."""
        rows, group = self._rows(), ""
        waiting = iter(WAITING)
        main = "learn" if self.standing.learns_first else "play"
        main = rows[0].name if self.is_waited else main
        for row in rows:
            begins, group = row.group != group, row.group
            if begins and heading(group):
                yield Label(
                    self.glyphs.plain(heading(group)), classes="later" if row is not rows[0] else ""
                )
            command = COMMANDS.get(row.name)
            action = f"visit('{row.name}')" if command is None else command.action
            shown = next(waiting, None) if row.name in self._waiting_names else command
            button = RowButton(
                row,
                "" if shown is None else key(shown, self.glyphs),
                action if "." in action else f"screen.{action}",
            )
            button.set_class(row.name == main, "main")
            button.set_class(begins and not heading(group), "gap")
            yield button

    def _rows(self) -> list[Row]:
        """Return the rows of the menu, with those of wings above them."""
        return [*(each.row for each in self.waiting), *rows_of(self.standing)]

    @property
    def _waiting_names(self) -> set[str]:
        """The names of the rows that the keys of `WAITING` open."""
        return {"back", "reopen", "resume", *(each.row.name for each in self.waiting)}

    def sync(self) -> None:
        """Redraw everything."""
        super().sync()
        width, height = self.app.size
        self.set_class(width < NARROW, "narrow")
        self.set_class(width >= WIDE and height >= SPACIOUS, "wide")
        self.set_class(width >= NARROW and height >= TALL, "tall")
        self.set_class(width >= WIDE and height >= SPACIOUS, "spacious")
        self.set_class(width >= WIDE and height >= GRAND, "grand")
        self.set_class(bool(self.notice), "noticed")
        self.set_class(bool(self.visited), "visited")
        self.set_class(bool(self.found), "found")
        self.set_class(sum(row.waits for row in self._rows()) > 1, "crowded")
        self.query_one("#notice", Static).update(self.glyphs.plain(self.notice))
        self.query_one("#title", Static).update(self._title())
        who = self.query_one("#who", Static)
        who.auto_links = False
        who.update(self._who())
        lines = latest_lines(self.standing, self.glyphs)
        self.query_one("#latest", Static).update(self.text("\n".join(lines)))
        self._show_rows()
        self._show_about()

    def _show_rows(self) -> None:
        buttons = self.query("#do RowButton").results(RowButton)
        for button, row in zip(buttons, self._rows(), strict=True):
            button.show(row)

    def _show_about(self) -> None:
        """Show what the chosen row does, or which input the join field accepts."""
        title, about, values = _("Join a table"), join_about(), []
        if isinstance(self.focused, FoundButton):
            table = self.focused.table
            title, about = found_title(table), found_about(table, self.standing.back)
        elif isinstance(self.focused, RowButton):
            row = self.focused.row
            title, about = row.label, row.about
            values = self._values() if row.name == "play" else []
            if self._forgetting() is not None:
                removes = _("{key} removes this row.", key=key(StartCommands.forget, self.glyphs))
                about = f"{about} {removes}"
        for preview in self.query(Preview):
            preview.show(title, about, values)

    def _forgetting(self) -> Callable[[], object] | None:
        """Return the function that removes the focused row for good; None if nothing does."""
        row = self.focused.row if isinstance(self.focused, RowButton) else None
        if row is None:
            return None
        if row.name == "back":
            return partial(forget_back, way_back())
        named = (each.forget for each in (*self.waiting, *self.visited) if each.row == row)
        return next(named, None)

    def action_forget(self) -> None:
        """Remove the focused row for good."""
        if (forgets := self._forgetting()) is not None:
            forgets()
            self.set_focus(None)
            self.deliver(self.offer_ways)
            self._read_later()

    def action_leave(self) -> None:
        """Go from the join field to the menu; from there end the program."""
        if isinstance(self.focused, Input):
            self.set_focus(self.query(".main").first())
        else:
            self.app.exit()

    def entry_words(self, entry: Entry) -> str:
        """Return the words of an entry in the key bar."""
        if entry == StartCommands.quit and isinstance(self.focused, Input):
            return _("menu")
        return super().entry_words(entry)

    def show_way(self) -> None:
        """Show that the player is on the way to a table."""
        self.show_notice(joining_words(), good=True)

    def _values(self) -> list[Value]:
        """Return the choices about opponents."""
        commands = StartCommands.more, StartCommands.level, StartCommands.edition
        keys = [key(each, self.glyphs) for each in commands]
        keys[0] = f"{keys[0]} {key(StartCommands.fewer, self.glyphs)}"
        actions = "more_bots", "level", "edition"
        choices = opponents_choices(self.standing.opponents)
        return [
            Value(keys, name, value, action)
            for keys, (name, value), action in zip(keys, choices, actions, strict=True)
        ]

    def _title(self) -> Text:
        palette = self.terminal.palette
        title = Text("D R I F L A M M E  ", style="bold")
        for family, sign in self.glyphs.families.items():
            title.append(f" {sign}", palette.families[family].hue)
        return title

    def _who(self) -> Text:
        """Return the player's name, and the key that changes it."""
        dot, rename = self.glyphs.separator, key(StartCommands.rename, self.glyphs)
        name, most = steady(self.player_seat.name), self.query_one("#who").content_size.width
        words = f" {dot} {rename} {_('rename')}"
        if cell_len(name + words) >= most:
            words = f" {dot} {rename}"
        name = shortened(name, max(0, most - cell_len(words) - 1), self.glyphs)
        return self.clickable(self.text((name, "bold"), (words, "mute")), "rename")

    async def offer_ways(self) -> None:
        """Update the menu if the possible rows have changed."""
        before, now = self.standing, standing_now(teaches=self.terminal.helps_newcomers)
        self.standing = replace(now, puzzle=before.puzzle, games=before.games)
        were, self.waiting = [each.row for each in self.waiting], waiting_rows()
        if self.standing != before or were != [each.row for each in self.waiting]:
            await self._make_anew(self.notice)

    def on_paste(self, event: Paste) -> None:
        """Treat pasted text as a link, regardless of the focus."""
        event.stop()
        line = self.query_one("#address", LinkInput)
        self._write(line, line.one_line(event.text))

    def _write(self, line: Input, text: str) -> None:
        """Replace the text of an input, without selecting it, so that further keys extend it."""
        line.select_on_focus = False
        self.set_focus(line)
        line.value, line.cursor_position = text, len(text)

    @on(Input.Blurred)
    def _written(self, event: Input.Blurred) -> None:
        event.input.select_on_focus = True

    async def on_mount(self) -> None:
        """Focus the first thing to do, and start to look for tables."""
        mends = self._joins or bool(self.notice and self.address)
        first = "#address" if mends and not self.is_waited else ".main"
        for begin in self.query(first):
            self.set_focus(begin)
        self._noticed_at = self.focused
        await self._show_tables()
        await self._show_visited()
        self._read_later()
        if self._browses:
            self.run_worker(self._browse())
            self.set_timer(SEARCH_S + 1, self._look_for_host)

    # Changes

    def relabel(self) -> None:
        """Rebuild everything, since labels and buttons keep their old language."""
        # The notice keeps its old language, so it is dropped.
        self.deliver(self._make_anew)

    def _read_later(self) -> None:
        """Read today's puzzle and the past games on a thread, and show them."""

        async def show(puzzle: TodaysPuzzle, games: PlayerGames, rows: Sequence[AddedRow]) -> None:
            self.standing = replace(self.standing, puzzle=puzzle, games=games)
            self.visited = rows
            await self._show_visited()
            self.sync()

        def work() -> Callable[[], Awaitable[None]]:
            today = date.today().toordinal()
            rows = visited_rows(today, except_at=self.standing.back_place)
            return partial(show, *read_later(today), rows)

        self.in_background(work, group="standing")

    def on_screen_resume(self) -> None:
        """Read everything again that a screen above may have changed."""
        if self.is_whole:
            self._read_later()

    async def _make_anew(self, notice: str = "") -> None:
        for line in self.query("#address").results(Input):
            self.address = line.value
        focused = self.focused
        name = None if focused is None or focused.has_class("main") else focused.id
        self.notice = notice
        # The focus moves while the screen is rebuilt: this must not remove the notice.
        self._noticed_at = None
        await self.recompose()
        self.sync()
        await self._show_tables()
        await self._show_visited()
        found = self.query(f"#{name}") if name else ()
        for again in found or self.query(".main"):
            self.set_focus(again)
        self._noticed_at = self.focused if notice else None

    async def _browse(self) -> None:
        """Look for tables while the screen exists."""
        # Without a network nothing can be found, but an address can still be typed.
        with suppress(DiscoveryError):
            async with browsing(self.take_found):
                await asyncio.Event().wait()

    def show_notice(self, sentence: str, *, good: bool = False, gone: bool = False) -> None:
        """Show an error; update the menu, since the way back may be gone.

        The next key replaces the typed text; if the table is gone, the text is removed.
        """
        self._noticed_at = self.focused
        super().show_notice(sentence, good=good)
        line = self.query_one("#address", Input)
        line.value = "" if gone else line.value
        line.select_all()
        if self.back:
            self.deliver(self.offer_ways)

    def tell_unknown_key(self, sentence: str) -> None:
        """Show that a key does nothing here."""
        self._noticed_at = self.focused
        super().show_notice(sentence)

    def show_full(self, sentence: str) -> None:
        """Explain why typed text is left out."""
        self.tell_unknown_key(sentence)

    def on_descendant_focus(self, _event: DescendantFocus) -> None:
        """Show what the focused row does, and remove a notice about another row."""
        # Ask for the present focus, since an event of an earlier focus may arrive late.
        if self._noticed_at is not None and self.focused is not self._noticed_at:
            self.notice, self._noticed_at = "", None
        if self.is_whole:
            self.sync()

    def take_found(self, tables: Sequence[FoundTable]) -> None:
        """Show the tables found so far."""
        self.found = [table for table in tables if table.protocol == PROTOCOL]
        self.deliver(self._show_tables)
        if self._was_host_absent is not None:
            self._look_for_host()

    def _look_for_host(self) -> None:
        """Call the player when the table with their seat is open again."""
        back = way_back()
        pin = None if back is None else pin_of_link(back.typed)
        if back is None or pin is None:
            return
        was_absent, is_there = self._was_host_absent, any(each.is_of(pin) for each in self.found)
        self._was_host_absent = not is_there
        if was_absent and is_there:
            sentence = back_open_sentence(back.host)
            self.terminal.call(sentence)
            self.deliver(partial(self.show_notice, sentence, good=True))

    async def _show_visited(self) -> None:
        for rows in self.query(VisitedRows):
            await rows.show([each.row for each in self.visited])

    async def _show_tables(self) -> None:
        for tables in self.query(FoundTables):
            await tables.show(self.found)

    @on(Input.Submitted, "#address")
    def _address_done(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.show_notice(_("Paste the host's link, or type the code that they tell you."))
            return
        self.join(event.value.strip())

    def join(self, text: str, *, watch: bool = False) -> None:
        """Join or watch a table by typed text: a link, a code, or an address and a code."""
        try:
            self.app.post_message(Go(Join(parse_target(text, self.found), watch)))
        except ExplainedError as error:
            self.show_notice(error.sentence(_))

    @on(Button.Pressed)
    def _found_pressed(self, event: Button.Pressed) -> None:
        """Ask for the code of a found table; other buttons run an action."""
        assert isinstance(event.button, FoundButton)
        table = event.button.table

        def typed(code: str | None) -> None:
            if code is not None:
                self.join(f"{table.address} {code}", watch=not table.is_free)

        self.app.push_screen(CodeOverlay(table.address, table.prefix, table.name), typed)

    def action_history(self) -> None:
        """Show the past games."""
        from driflamme_tui.screens.lists.history_screens import HistoryScreen

        self.app.push_screen(HistoryScreen(Wanted()))

    def action_statistics(self) -> None:
        """Show the statistics of past games."""
        from driflamme_tui.screens.lists.history_screens import StatisticsScreen

        self.app.push_screen(StatisticsScreen(Wanted()))

    def action_side(self, side: str) -> None:
        """Go to the first thing to do on the other side."""
        focused = self.focused
        if focused is not None and self.query_one(side) not in focused.ancestors:
            first = "#address" if side == "#join" else ".main"
            self.set_focus(self.query_one(first))

    def action_open(self) -> None:
        """Open the focused row, or submit the join field."""
        focused = self.focused
        if isinstance(focused, Button):
            focused.press()
        elif isinstance(focused, LinkInput):
            self.run_worker(focused.action_submit())

    async def action_waiting(self, index: int) -> None:
        """Open one of the rows with something interrupted."""
        names = self._waiting_names
        waiting = [button for button in self.query(RowButton) if button.id in names]
        if index < len(waiting):
            waiting[index].press()

    def action_visit(self, name: str) -> None:
        """Go where a row of a wing or of an earlier visit leads."""
        for added in (*self.waiting, *self.visited):
            if added.row.name == name:
                try:
                    plan = added.plan()
                except ExplainedError as error:
                    self.show_notice(error.sentence(_))
                else:
                    self.app.post_message(Go(plan))

    def action_rename(self) -> None:
        """Ask for another name, and store it."""

        def typed(name: str | None) -> None:
            if name is not None:
                self.player_seat.name = name
                remember(name=name)
                self.notice = ""
                self.sync()

        name = self.player_seat.name
        ask = NameOverlay(name, done="Use this name ({key})", at_table=False)
        self.app.push_screen(ask, typed)

    # Opponents

    def action_more_bots(self) -> None:
        """Add one bot opponent; after the maximum start again at the minimum."""
        number = self.standing.opponents.number
        self._choose(number=number + 1 if number < MOST_BOTS else FEWEST_BOTS)

    def action_bots(self, by: int) -> None:
        """Play against more bots or fewer."""
        number = self.standing.opponents.number + by
        self._choose(number=min(max(number, FEWEST_BOTS), MOST_BOTS))

    def action_level(self) -> None:
        """Play against bots of the next level."""
        levels, bot = (*bot_names(), EVEN), self.standing.opponents.bot
        self._choose(bot=levels[(levels.index(bot) + 1) % len(levels)])

    def action_edition(self) -> None:
        """Play the other edition."""
        self._choose(edition=3 - self.standing.opponents.edition)

    def _choose(self, **changes: object) -> None:
        """Store other choices about opponents, and go to their row."""
        opponents = replace(self.standing.opponents, **changes)
        self.standing = replace(self.standing, opponents=opponents)
        remember_opponents(opponents)
        self.query_one("#play").focus()
        self.sync()
