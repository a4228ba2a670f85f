"""The first screen of `driflamme` without a command's wishes: host, join, play, or read rules."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Center, Horizontal, Vertical
from textual.events import Key, Paste
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Static

from driflamme_tui.hosting.moved_tables import can_reopen, has_moved_table
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import other_key
from driflamme_tui.keymap.screen_commands import HelpedCommands, ScreenCommands
from driflamme_tui.model.history_totals import Wanted
from driflamme_tui.preferences.remembered import NEWCOMER
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.messages import Go
from driflamme_tui.screens.overlays.code_overlay import CodeOverlay
from driflamme_tui.seat.seat_keys import way_back
from driflamme_tui.seat.targets import Join, parse_target
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.inputs import LinkInput, StillInput
from driflamme_tui.widgets.start_widgets import (
    PICTURE_ROWS,
    ROOM_COLUMNS,
    ROOM_ROWS,
    FoundButton,
    FoundTables,
    StartPicture,
)
from engine import words
from engine.words import ExplainedError
from netcode.joining.discovery import DiscoveryError, FoundTable, browsing
from netcode.protocol.fields import NAME_LENGTH
from netcode.protocol.messages import PROTOCOL


class StartCommands(ScreenCommands, prefix="start"):
    """What can be done on the start screen."""

    learn = Command("f6", "app.learn", "learn the game in a guided first game")
    back = Command("", "app.go_back", "go back to the table where you have a seat", needs="back")
    reopen = Command(
        "", "app.reopen", "reopen your table, which stopped unfinished", needs="reopens"
    )
    play = Command("", "app.play", "play against bots")
    host = Command("", "app.host", "host a table for others")
    puzzle = Command("f8", "app.puzzle", "the puzzle of the day, and others")
    history = Command("f4", "history", "past games, and replays of them")
    statistics = Command("f5", "statistics", "what past games add up to")
    up = Command("up", "app.focus_previous", "go to the line above", listed=False, repeats=True)
    down = Command(
        "down", "app.focus_next", "go through what can be done", row=up, listed=False, repeats=True
    )
    do = Command(
        "left", "side('#do')", "go to what you can begin yourself", listed=False, repeats=True
    )
    join = Command(
        "right", "side('#join')", "go to the tables of others", listed=False, repeats=True
    )
    quit = Command("escape", "app.quit", "end the program", "quit", listed=False)


AROUND_WAYS: Final = 11
"""Rows of a screen that are not for the buttons of what to do."""

MAIN_ROWS: Final = 22
"""Rows of a screen from which the first thing to do is larger than the others."""


class StartScreen(Commanded, Screen[None], commands=StartCommands):
    """Asks what to do; also where one lands after leaving a table."""

    CSS_PATH = "../styles/start.tcss"
    AUTO_FOCUS = ".main"
    types_letters = True

    found: Sequence[FoundTable] = ()
    """The tables of this network."""

    def __init__(
        self, notice: str = "", address: str = "", *, browses: bool = False, joins: bool = False
    ) -> None:
        """Ask what to do.

        Args:
            notice: Why one is here, for instance that nobody answered.
            address: What was typed last, to be mended or to be taken again.
            browses: Whether there is a network to look for tables on.
            joins: Whether one came to join a table.
        """
        super().__init__()
        self._browses, self._joins = browses, joins
        self.notice, self.address = notice, address
        from driflamme_tui.study.guided_game import finished_or_begun

        finished, self._lesson_begun = finished_or_begun()
        newcomer = not finished and not NEWCOMER.recall().games
        self._learns_first = self.terminal.helps_newcomers and (newcomer or self._lesson_begun)
        """Whether the lesson is offered before everything else."""
        self.back, self.reopens = way_back(), can_reopen()

    def compose(self) -> ComposeResult:
        """What to do, the ways to somebody else's table, and what went wrong."""
        with Center(), Vertical(id="start"):
            opening = StartPicture(id="opening")
            opening.display = self._has_room()
            yield opening
            yield Static(self._title(), id="title")
            yield Static(_("A game of bluff for three to five families."), id="subtitle")
            with Horizontal(id="ways"):
                with Vertical(id="do"):
                    yield Label(_("Your name"))
                    yield StillInput(
                        self.sitting.name, max_length=NAME_LENGTH, id="name", compact=True
                    )
                    yield from self._ways()
                with Vertical(id="join"):
                    yield Label(_("Join with a link, a code or an address"))
                    example = _("K7Q-F2MXR, or paste a link")
                    line = LinkInput(
                        self.address,
                        placeholder=self.glyphs.plain(example),
                        id="address",
                        compact=True,
                    )
                    line.cut = self.glyphs.plain(line.cut)
                    yield line
                    yield Label(_("Tables on this network"))
                    yield FoundTables(id="found")
            yield Static(self.notice, id="notice", markup=False)

    def _ways(self) -> Sequence[Button]:
        """Return a button for each thing to begin; the lesson comes first for a newcomer."""
        host = "" if self.back is None else steady(self.back.host)

        def way(name: str, command: Command, label: words.Text) -> Button:
            told = _(label, key=other_key(command, self.glyphs), host=host)
            action = command.action if "." in command.action else f"screen.{command.action}"
            return Button(told, id=name, compact=True, action=action)

        ways = [
            way("play", StartCommands.play, "Play against bots"),
            way("host", StartCommands.host, "Host a table for others"),
            way("puzzle", StartCommands.puzzle, "Today's puzzle ({key})"),
            way("past", StartCommands.history, "Past games and statistics ({key})"),
            way("rules", HelpedCommands.help, "Rules and keys ({key})"),
            way("options-open", ScreenCommands.options, "Options ({key})"),
            way("quit", StartCommands.quit, "Quit ({key})"),
        ]
        learn = way("learn", StartCommands.learn, "Learn the game ({key})")
        if self._lesson_begun:
            learn = way("learn", StartCommands.learn, "Go on with the lesson ({key})")
        ways.insert(0 if self._learns_first else 2, learn)
        if self.reopens:
            ways.insert(0, way("reopen", StartCommands.reopen, "Reopen your table"))
        if self.back is not None:
            back = way("back", StartCommands.back, "Back to your seat")
            if host:
                back = way("back", StartCommands.back, "Back to {host}'s table")
            # The way back leads to where a sealed table was; who reopens it finds where it is.
            ways.insert(int(self.reopens and has_moved_table()), back)
        ways[0].add_class("main")
        return ways

    async def offer_ways(self) -> None:
        """Offer what can be done now, which may be something else than before."""
        before = self.back, self.reopens
        self.back, self.reopens = way_back(), can_reopen()
        if before != (self.back, self.reopens):
            await self._make_anew(self.notice)

    def _has_room(self) -> bool:
        width, height = self.app.size
        return width >= ROOM_COLUMNS and height >= ROOM_ROWS

    def on_resize(self) -> None:
        """Show the picture where there is room for it."""
        for opening in self.query(StartPicture):
            opening.display = self._has_room()
        rows = self.app.size.height - PICTURE_ROWS * self._has_room()
        # Each with an empty row above it, and the first is two rows larger.
        self.set_class(rows < AROUND_WAYS + 2 * len(self.query("#do Button")) + 2, "low")
        self.set_class(self.app.size.height < MAIN_ROWS, "lowest")

    def _title(self) -> Text:
        palette = self.terminal.palette
        title = Text("D R I F L A M M E  ", style="bold")
        for family, sign in self.glyphs.families.items():
            title.append(f" {sign} ", palette.families[family].hue)
        return title

    def on_key(self, event: Key) -> None:
        """Take letters for one's name, wherever the focus is: none of them does anything else."""
        if isinstance(self.focused, Input) or event.character is None:
            return
        if event.character.isalnum():
            event.stop()
            self._write(self.query_one("#name", Input), event.character)

    def on_paste(self, event: Paste) -> None:
        """Take what is pasted, wherever the focus is, for a link."""
        event.stop()
        line = self.query_one("#address", LinkInput)
        self._write(line, line.one_line(event.text))

    def _write(self, line: Input, text: str) -> None:
        """Begin a line anew with a text, which what is typed next does not replace."""
        line.select_on_focus = False
        self.set_focus(line)
        line.value, line.cursor_position = text, len(text)

    @on(Input.Blurred)
    def _written(self, event: Input.Blurred) -> None:
        event.input.select_on_focus = True

    async def on_mount(self) -> None:
        """Begin at the first thing to do, and to look for tables."""
        back = self.back is not None or self.reopens
        mends = self._joins or bool(self.notice and self.address)
        first = "#address" if mends and not back else ".main"
        for begin in self.query(first):
            self.set_focus(begin)
        await self._show_tables()
        if self._browses:
            self.run_worker(self._browse())

    def relabel(self) -> None:
        """Make everything anew, since labels and buttons keep the words that they were given."""
        # What went wrong was worded when it did, and is not said again.
        self.deliver(self._make_anew)

    async def _make_anew(self, notice: str = "") -> None:
        for line in self.query("#address").results(Input):
            self.address = line.value
        focused = self.focused
        name = None if focused is None or focused.has_class("main") else focused.id
        self.notice = notice
        await self.recompose()
        self.on_resize()
        await self._show_tables()
        found = self.query(f"#{name}") if name else ()
        for again in found or self.query(".main"):
            self.set_focus(again)

    async def _browse(self) -> None:
        """Look for tables for as long as the screen is there."""
        # Without a network there is nothing to find, and an address can still be typed.
        with suppress(DiscoveryError):
            async with browsing(self.take_found):
                await asyncio.Event().wait()

    def show_notice(self, notice: str, *, gone: bool = False) -> None:
        """Say what went wrong; where that was the way back, there may be none any more.

        What was typed is replaced by what is typed next, and goes if the table is gone.
        """
        self.notice = notice
        self.query_one("#notice", Static).update(notice)
        line = self.query_one("#address", Input)
        line.value = "" if gone else line.value
        line.select_all()
        if self.back is not None:
            self.deliver(self.offer_ways)

    def show_full(self, sentence: str) -> None:
        """Say why what was typed is left out."""
        self.query_one("#notice", Static).update(sentence)

    def take_found(self, tables: Sequence[FoundTable]) -> None:
        """Show the tables that have been found by now."""
        self.found = [table for table in tables if table.protocol == PROTOCOL]
        self.deliver(self._show_tables)

    async def _show_tables(self) -> None:
        for tables in self.query(FoundTables):
            await tables.show(self.found)

    @on(Input.Changed, "#name")
    def _named(self, event: Input.Changed) -> None:
        self.sitting.name = event.value.strip()

    @on(Input.Submitted, "#name")
    def _name_done(self) -> None:
        self.focus_next()

    @on(Input.Submitted, "#address")
    def _address_done(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.show_notice(_("Paste the host's link, or type the code that they tell you."))
            return
        self.join(event.value.strip())

    def join(self, text: str, *, watch: bool = False) -> None:
        """Join or watch the table of what was typed: a link, a code, or an address and a code."""
        try:
            self.app.post_message(Go(Join(parse_target(text, self.found), watch)))
        except ExplainedError as error:
            self.show_notice(error.sentence(_))

    @on(Button.Pressed)
    def _found_pressed(self, event: Button.Pressed) -> None:
        """Ask for the code of a table that was found: other buttons run an action."""
        assert isinstance(event.button, FoundButton)
        table = event.button.table

        def typed(code: str | None) -> None:
            if code is not None:
                self.join(f"{table.address} {code}", watch=not table.is_free)

        self.app.push_screen(CodeOverlay(table.address, table.room, table.name), typed)

    def action_history(self) -> None:
        """Show the past games."""
        from driflamme_tui.screens.lists.history_screens import HistoryScreen

        self.app.push_screen(HistoryScreen(Wanted()))

    def action_statistics(self) -> None:
        """Show what past games add up to."""
        from driflamme_tui.screens.lists.history_screens import StatisticsScreen

        self.app.push_screen(StatisticsScreen(Wanted()))

    def action_side(self, side: str) -> None:
        """Go to the other side, to its first thing to do."""
        focused = self.focused
        if focused is not None and self.query_one(side) not in focused.ancestors:
            first = "#address" if side == "#join" else ".main"
            self.set_focus(self.query_one(first))
