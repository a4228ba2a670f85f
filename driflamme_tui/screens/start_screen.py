"""Shows the first screen of `driflamme` without arguments: host, join, play, read the rules."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus, Paste
from textual.widgets import Button, Input, Label, Static

from driflamme_tui import local_date
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.model.past_game_totals import GameFilter, PlayerGames
from driflamme_tui.preferences.remembered import remember
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.screens.base.messages import Go
from driflamme_tui.screens.overlays.code_overlay import CodeOverlay, NameOverlay
from driflamme_tui.screens.start.host_watch import HostWatch
from driflamme_tui.screens.start.join_column import JoinColumn
from driflamme_tui.screens.start.start_commands import StartCommands
from driflamme_tui.screens.start.start_menu import StartMenu, read_later
from driflamme_tui.screens.start.start_texts import StartTexts
from driflamme_tui.screens.start_rows import AddedRow, refresh_rows, visited_rows
from driflamme_tui.seat.targets import Join, parse_target
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.inputs import LinkInput
from driflamme_tui.widgets.start_widgets import (
    FoundButton,
    LaterQueue,
    Preview,
    RowButton,
    SampleQueue,
)
from driflamme_tui.wording.program.joining_words import joining_words
from driflamme_tui.wording.program.start_words import Row, TodaysPuzzle, heading
from engine.texts import ExplainedError
from netcode.joining.discovery import SEARCH_S, DiscoveryError, FoundTable, browsing
from netcode.protocol.messages import PROTOCOL

NARROW, WIDE, TALL, SPACIOUS, GRAND = 79, 116, 23, 38, 56
"""Minimum sizes of the screen for more contents.

Columns for two columns of widgets, and for three; rows for gaps between the groups, for large cards
above the menu, and for larger cards.
"""

REFRESH_S: Final = 20.0
"""Seconds between two requests for news of the player's tables."""


class StartScreen(FullScreen, commands=StartCommands):
    """The first screen, and the screen after leaving a table."""

    CSS_PATH = "../styles/start.tcss"
    AUTO_FOCUS = ".main"

    found: Sequence[FoundTable] = ()
    """The tables found on this network that this program's protocol can join."""
    _noticed_at: object = None
    """The widget that had the focus when the notice appeared.

    When the focus moves to another widget, the notice goes. None without a notice, and while the
    screen is rebuilt.
    """

    def __init__(
        self,
        notice: str = "",
        address: str = "",
        *,
        browses: bool = False,
        joins: bool = False,
        named_player: str = "",
    ) -> None:
        """Prepare the screen.

        Args:
            notice: The reason for coming here, for instance that nobody answered; "" for none.
            address: The last typed address, to be corrected or submitted again; "" for none.
            browses: True to look for tables on the network.
            joins: True if the player wants to join a table.
            named_player: The only player whose seats stand above the menu, as in `StartMenu`.
        """
        super().__init__()
        self._browses, self._joins = browses, joins
        self.notice, self.address = notice, address
        self.menu = StartMenu(teaches=self.terminal.helps_beginners, named_player=named_player)
        self._texts, self._host_watch = StartTexts(self, self.menu), HostWatch()

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Commands of rows need their row."""
        match command:
            case StartCommands.first_waiting:
                return bool(self.menu.waiting_names)
            case StartCommands.back:
                return self.menu.back
            case StartCommands.reopen:
                return self.menu.standing.reopens
            case StartCommands.resume:
                return self.menu.standing.resumes
            case StartCommands.forget:
                return self.menu.forgetting(self._focused_row) is not None
        return super().is_possible(command)

    # Contents

    def parts(self) -> ComposeResult:
        """Yield the menu, the ways to other tables, and the preview of the chosen row."""
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
                yield JoinColumn(self.address)
            with Vertical(id="bottom"):
                yield Static(id="latest", markup=False)
                yield Static(self.notice, id="notice", markup=False)
                yield Preview(id="about")

    def _menu(self) -> Iterator[Label | RowButton]:
        """Yield the rows, with a heading above each group that has a heading."""
        for number, each in enumerate(self.menu.menu_rows()):
            name = heading(each.row.group)
            if each.begins_group and name:
                yield Label(self.glyphs.plain(name), classes="later" if number else "")
            opens = "" if each.command is None else key(each.command, self.glyphs)
            button = RowButton(each.row, opens, each.action)
            button.set_class(each.is_main, "main")
            button.set_class(each.begins_group and not name, "gap")
            yield button

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
        self.set_class(bool(self.menu.visited), "visited")
        self.set_class(bool(self.found), "found")
        is_crowded = sum(row.waits for row in self.menu.rows()) > 1
        self.set_class(is_crowded, "crowded")
        self.set_class(is_crowded and height < SPACIOUS, "dense")
        self.query_one("#notice", Static).update(self.glyphs.plain(self.notice))
        self.query_one("#title", Static).update(self._texts.title())
        who = self.query_one("#who", Static)
        who.auto_links = False
        who.update(self._texts.who(who.content_size.width))
        self.query_one("#latest", Static).update(self._texts.latest())
        buttons = self.query("#do RowButton").results(RowButton)
        for button, row in zip(buttons, self.menu.rows(), strict=True):
            button.show(row)
        for preview in self.query(Preview):
            self._texts.show_about(preview, self.focused)

    @property
    def _focused_row(self) -> Row | None:
        """The row of the menu that has the focus; None if another widget or none has it."""
        return self.focused.row if isinstance(self.focused, RowButton) else None

    def action_forget(self) -> None:
        """Remove the focused row for good, and update the menu.

        If that is impossible, do nothing.
        """
        if (forgets := self.menu.forgetting(self._focused_row)) is not None:
            forgets()
            self.set_focus(None)
            self.deliver(self.offer_ways)
            self._read_later()

    def action_leave(self) -> None:
        """Go to the menu if the join field has the focus; otherwise end the program."""
        if isinstance(self.focused, Input):
            self.set_focus(self.query(".main").first())
        else:
            self.app.exit()

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry in the key bar.

        While the join field has the focus, the way out leads to the menu.
        """
        if entry == StartCommands.quit and isinstance(self.focused, Input):
            return _("menu")
        return super().entry_words(entry)

    def show_way(self, *, is_going: bool) -> None:
        """Show a notice about the player's way to a table, or hide that notice."""
        if is_going:
            self.show_notice(joining_words(), good=True)
        elif self.notice == joining_words():
            super().show_notice("")

    async def offer_ways(self) -> None:
        """Update the menu if the possible rows have changed."""
        if self.menu.update():
            await self._make_anew(self.notice)

    def on_paste(self, event: Paste) -> None:
        """Write pasted text into the join field, regardless of the focus."""
        event.stop()
        self.query_one(JoinColumn).write(event.text)

    async def on_mount(self) -> None:
        """Show all rows, and look for tables if wanted.

        Focus the main row. If the player wants to join a table, or to correct an address, focus the
        join field, unless an interrupted game or table waits.
        """
        mends = self._joins or bool(self.notice and self.address)
        first = "#address" if mends and not self.menu.waiting_names else ".main"
        for begin in self.query(first):
            self.set_focus(begin)
        self._noticed_at = self.focused
        await self._show_ways()
        self._read_later()
        if self._browses:
            self.refresh_rows()
            self.set_interval(REFRESH_S, self.refresh_rows)
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
            self.menu.read(puzzle, games, rows)
            await self._show_ways()
            self.sync()

        def work() -> Callable[[], Awaitable[None]]:
            today = local_date.today()
            rows = visited_rows(today, except_at=self.menu.seats)
            return partial(show, *read_later(today), rows)

        self.in_background(work, group="standing")

    def refresh_rows(self) -> None:
        """Request news of the player's tables in the background, and show the new rows.

        Do nothing while another screen is above this one.
        """
        if not self.is_current:
            return

        async def show(has_changed: bool) -> None:
            if has_changed:
                await self.offer_ways()
                self._read_later()

        self.in_background(lambda: partial(show, refresh_rows()), group="news")

    def on_screen_resume(self) -> None:
        """Read again all data that a screen above may have changed."""
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
        await self._show_ways()
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
        """Show a notice, and select the typed address, so that the next key replaces it.

        With `gone`, the table no longer exists, and its address is removed. If the menu has a way
        back to a table, the menu is updated, since that way may be gone too.
        """
        self._noticed_at = self.focused
        super().show_notice(sentence, good=good)
        line = self.query_one("#address", Input)
        line.value = "" if gone else line.value
        line.select_all()
        if self.menu.back:
            self.deliver(self.offer_ways)

    def show_unknown_key(self, sentence: str) -> None:
        """Show a notice about a key that has no effect. The typed address stays as it is."""
        self._noticed_at = self.focused
        super().show_notice(sentence)

    def show_full(self, sentence: str) -> None:
        """Show a notice about characters that a full input has left out."""
        self.show_unknown_key(sentence)

    def on_descendant_focus(self, _event: DescendantFocus) -> None:
        """Show the effect of the focused row, and remove a notice about another row."""
        # Ask for the present focus, since an event of an earlier focus may arrive late.
        if self._noticed_at is not None and self.focused is not self._noticed_at:
            self.notice, self._noticed_at = "", None
        if self.is_whole:
            self.sync()

    def take_found(self, tables: Sequence[FoundTable]) -> None:
        """Show the tables found so far, except those of another protocol.

        Once the first search has ended, call the player if the table with their seat is open again.
        """
        self.found = [table for table in tables if table.protocol == PROTOCOL]
        self.deliver(self._show_ways)
        if self._host_watch.has_begun:
            self._look_for_host()

    def _look_for_host(self) -> None:
        """If the table with the player's seat is open again, call the player and show a notice."""
        if sentence := self._host_watch.update(self.found):
            self.terminal.call(sentence)
            self.deliver(partial(self.show_notice, sentence, good=True))

    async def _show_ways(self) -> None:
        """Show the tables of this network, and the rows of earlier visits."""
        for column in self.query(JoinColumn):
            await column.show(self.found, [each.row for each in self.menu.visited])

    @on(Input.Submitted, "#address")
    def _address_done(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.show_notice(_("Paste the host's link, or type the code that they tell you."))
            return
        self.join(event.value.strip())

    def join(self, text: str) -> None:
        """Join a table by typed text: a link, a code, or an address and a code.

        At a table without a free seat the reader watches, and may get the seat of a bot. If the
        text leads to no table, show the reason.
        """
        try:
            self.app.post_message(Go(Join(parse_target(text, self.found))))
        except ExplainedError as error:
            self.show_notice(error.sentence(_))

    @on(Button.Pressed)
    def _found_pressed(self, event: Button.Pressed) -> None:
        """Ask for the code of the pressed table.

        Textual sends no `Pressed` for a button with an action, so the button is a `FoundButton`.
        """
        assert isinstance(event.button, FoundButton)
        table = event.button.table

        def typed(code: str | None) -> None:
            if code is not None:
                self.join(f"{table.address} {code}")

        self.app.push_screen(CodeOverlay(table.address, table.prefix, table.name), typed)

    def action_history(self) -> None:
        """Show the past games."""
        from driflamme_tui.screens.lists.history_screens import HistoryScreen

        self.app.push_screen(HistoryScreen(GameFilter()))

    def action_statistics(self) -> None:
        """Show the statistics of past games."""
        from driflamme_tui.screens.lists.history_screens import StatisticsScreen

        self.app.push_screen(StatisticsScreen(GameFilter()))

    def action_side(self, side: str) -> None:
        """Focus the main row if `side` is `#do`, or the join field if `side` is `#join`.

        If the focus is on that side already, or nowhere, do nothing.
        """
        focused = self.focused
        if focused is not None and self.query_one(side) not in focused.ancestors:
            first = "#address" if side == "#join" else ".main"
            self.set_focus(self.query_one(first))

    def action_open(self) -> None:
        """Open the focused row or found table, or submit the join field."""
        focused = self.focused
        if isinstance(focused, Button):
            focused.press()
        elif isinstance(focused, LinkInput):
            self.run_worker(focused.action_submit())

    async def action_waiting(self, index: int) -> None:
        """Open a row that leads to an interrupted game or table.

        `index` counts these rows from 0. Without such a row, do nothing.
        """
        names = self.menu.waiting_names
        if index < len(names):
            self.query_one(f"#{names[index]}", RowButton).press()

    def action_visit(self, name: str) -> None:
        """Start the plan of a wing's row or of an earlier visit, by the row's name.

        If the row has a name for the player, the player goes under this name. If the plan has
        become impossible, show the reason.
        """
        added = self.menu.added(name)
        if added is None:
            return
        try:
            plan = added.plan()
        except ExplainedError as error:
            self.show_notice(error.sentence(_))
        else:
            self.app.post_message(Go(plan, added.name))

    def action_rename(self) -> None:
        """Ask for another name in an overlay, and store the name unless the player gives up."""

        def typed(name: str | None) -> None:
            if name is not None:
                self.player_seat.name = name
                remember(name=name)
                self.notice = ""
                self.menu.named_player = self.menu.named_player and name
                self.deliver(self.offer_ways)
                self.sync()

        name = self.player_seat.name
        ask = NameOverlay(name, done="Use this name ({key})", at_table=False)
        self.app.push_screen(ask, typed)

    # Opponents

    def action_more_bots(self) -> None:
        """Add one bot opponent; after the maximum start again at the minimum."""
        self._choose(self.menu.more_bots)

    def action_bots(self, by: int) -> None:
        """Choose `by` more bot opponents, or fewer if `by` is negative, within the limits."""
        self._choose(partial(self.menu.bots, by))

    def action_level(self) -> None:
        """Choose the next level of bot opponents, and after the last one the first."""
        self._choose(self.menu.next_level)

    def action_edition(self) -> None:
        """Choose the other edition for games against bots."""
        self._choose(self.menu.other_edition)

    def _choose(self, choose: Callable[[], None]) -> None:
        """Change the choice of opponents by calling `choose`, and focus the row that plays."""
        choose()
        self.query_one("#play").focus()
        self.sync()
