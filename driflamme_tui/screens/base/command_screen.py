"""Defines the base class of every screen and overlay: commands, help, and a safe life cycle.

Results from threads, processes and the network arrive at any time, even while a screen is composed
or removed. So they go through the screen's own message queue (`deliver`, `in_background`), which
Textual processes from composition to removal. Direct callers of a screen must first check
`is_whole`. Until `is_whole` is True, no action runs and no click or paste arrives
(`app/keyed_app`). Keys wait in the queue.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from importlib import import_module
from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from msgspec import Struct
from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from driflamme_tui.drawing.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH
from driflamme_tui.drawing.palette import text_style
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.drawing.textual_internals import FrameDiffApp, terminal_of
from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.keymap.key_bindings import bindings, keys_now
from driflamme_tui.keymap.screen_commands import AppCommands, EverywhereCommands
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.i18n import ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import DrawnWidget
from driflamme_tui.widgets.too_small import TooSmall
from engine.cards import Family
from netcode.protocol.messages import Lobby

if TYPE_CHECKING:
    from textual.widget import Widget as _Widget

    from driflamme_tui.seat.sections import Sections
    from driflamme_tui.widgets.inputs import StillInput
else:
    # Textual takes a widget's style from its first base class that is a widget. This must be the
    # screen, so the mixin is no widget.
    _Widget = object

Show = Callable[[], object]
"""A function that shows the result of some work, on the app's thread. It may be a coroutine
function.
"""

_HANDLED_WHEN_GONE = (events.Callback, events.Compose, events.ScreenSuspend, events.Unmount)
"""The events that Textual needs to remove a screen."""


_LEAVING: Final = frozenset({"leave", "dismiss", "sure(False)", "escape", "app.quit"})
"""The actions that leave a screen."""

UNKNOWN_S: Final = 5.0
"""Seconds for which an overlay shows that a key has no effect."""

OVERLAYS: Final = "driflamme_tui.screens.overlays"
"""The package of the overlays that a command can open."""

FOLDER: Final = Path(__file__).parents[2] / "styles"
"""The folder of the stylesheets."""


class ScreenApp(FrameDiffApp):
    """The app as its screens see it. Screens request actions of the app by `messages`."""

    player_seat: PlayerSeat
    """The player's seat at a table, or the attempt to take one."""


class Choice(Struct, frozen=True):
    """A line of the command palette."""

    text: str
    """The effect of the line, translated and without a full stop."""
    run: Callable[[], object]
    """Called when the line is chosen. It may be a coroutine function."""
    keys: str = ""
    """The key with the effect of the choice, as it is shown to the player; "" for none."""


def overlay_at(path: str) -> Callable[[], Screen[Any]]:
    """Import and return the class of an overlay that needs no data.

    The path names module and class, as in `people_overlay.PeopleOverlay`.
    """
    module, _dot, name = path.partition(".")
    overlay: Callable[[], Screen[Any]] = getattr(import_module(f"{OVERLAYS}.{module}"), name)
    return overlay


class Reminder(Struct, frozen=True):
    """The table's question, or the reason why the table waits.

    An overlay shows this text, since it hides the table's own prompt.
    """

    text: str
    family: Family
    yours: bool


class NoticeSpace(NamedTuple):
    """The rows of a screen that notices may cover."""

    rows: int
    below: int
    """The rows below that space."""


class Commanded(_Widget):
    """A mixin with commands for screens and overlays.

    The mixin must be the first base, before `Screen`.
    """

    command_set: type[CommandSet] = EverywhereCommands
    """The commands of the screen. The method `action_...` of a command runs it."""
    notice = ""
    """A sentence about the last key, click or change, mostly a refusal; "" for none."""
    good = False
    """True if `notice` is good news; False for a refusal or other bad news."""
    fits_anywhere = False
    """True if the screen is also shown on terminals that are too small for the game."""
    _unknown_key_at = float("-inf")
    """The time, by the terminal's clock, of the last message about a key without effect; minus
    infinity before the first.
    """
    types_letters = False
    """True while letters and digits are typed as text instead of running commands."""

    def __init_subclass__(cls, commands: type[CommandSet] | None = None, **options: Any) -> None:
        """Store the set of commands, and bind their keys."""
        if commands is not None:
            cls.command_set, cls.BINDINGS = commands, bindings(commands)
        super().__init_subclass__(**options)

    def can(self, command: Command) -> bool:
        """Return True if a command has an effect now.

        Raises:
            LookupError: The command belongs to another screen.
        """
        if command not in self.command_set.in_order():
            raise LookupError(f"{command.id} is no command of {type(self).__name__}")
        if command.action.startswith("wing("):
            return self.sections.can(command)
        return self.is_possible(command)

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now.

        Screens override this method for their own commands. Every command is possible by default.
        """
        return True

    @property
    def sections(self) -> "Sections":
        """The sections of wings on this screen.

        Raises:
            TypeError: The screen has no sections.
        """
        raise TypeError("a screen with sections builds them by `sections_of`")

    def action_wing(self, id: str) -> None:
        """Run the wing's command with this id."""
        command = next(each for each in self.command_set.in_order() if each.id == id)
        self.sections.do(command)

    def action_overlay(self, path: str) -> None:
        """Open an overlay, by its module in `screens.overlays` and its class."""
        self.app.push_screen(overlay_at(path)())

    def show_sentence(self, sentence: str, *, good: bool) -> None:
        """Show the effect of a key or click. With `good` False, show the reason for a refusal."""
        self.notice, self.good = sentence, good
        self.sync()

    def copy_text(self, text: str, copied: str) -> None:
        """Copy a text to the clipboard, and confirm this in a notice.

        `copied` is the sentence that names the copied thing. Does nothing if the text is empty.
        """
        from driflamme_tui.wording.program.joining_words import copied_sentence

        if text:
            self.app.copy_to_clipboard(text)
            self.show_sentence(copied_sentence(self.terminal.copies_with, copied), good=True)

    def sync(self) -> None:
        """Redraw everything in the present size. The default draws nothing."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True if the screen has all its widgets and the terminal does not ignore keys."""
        return self.is_whole and not self.terminal.ignores_keys()

    def moment(self) -> object:
        """Return a value that changes as soon as the same command would have another meaning.

        The default never changes.
        """
        return None

    def relabel(self) -> None:
        """Redraw everything after a change of language, signs or colours."""
        self.sync()
        for drawn in self.query(DrawnWidget):
            drawn.refresh()

    @property
    def glyphs(self) -> Glyphs:
        """The signs for drawing."""
        return self.terminal.glyphs

    async def on_drawn_widget_pressed(self, message: DrawnWidget.Pressed) -> None:
        """Run the action that was clicked."""
        message.stop()
        await self.run_action(message.action)

    # Keys on a screen that is too small; the app asks for them before a key reaches the screen

    @property
    def is_covered(self) -> bool:
        """True if a request for more space covers the screen. Then only leaving is possible."""
        request = self.query_one_optional(TooSmall) if self.is_whole else None
        return request is not None and bool(request.display)

    def ways_out(self) -> Iterator[Command]:
        """Yield the commands that leave the screen."""
        yield from (each for each in self.command_set.in_order() if each.action in _LEAVING)

    async def press_covered(self, name: str) -> None:
        """Leave the text input and the covered screen, if a key leaves the screen.

        Any other key has no effect. `name` is Textual's name of the pressed key.
        """
        way = next((each for each in self.ways_out() if name in keys_now(each)), None)
        if way is not None:
            self.stop_typing()
            await self.run_action(way.action)

    def on_resize(self, event: events.Resize) -> None:
        """Cover or uncover the screen for its new size, unless it fits on any terminal.

        A screen that is laid out sends itself this event once more. Textual would lay out all
        screens of the stack again, which only a screen with breakpoints needs.
        """
        screen = cast(Screen[Any], self)
        has_breakpoints = screen.HORIZONTAL_BREAKPOINTS or screen.VERTICAL_BREAKPOINTS
        if event.size == self.outer_size and not has_breakpoints:
            event.prevent_default()
        if not self.fits_anywhere:
            self.cover()

    def cover(self) -> None:
        """Cover the screen with a request for more space if needed, or uncover it."""
        width, height = self.app.size
        is_small = width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT
        request = self.query_one_optional(TooSmall)
        if request is not None:
            request.display = is_small
        elif is_small:
            way_out = next(self.ways_out(), AppCommands.quit)
            self.mount(TooSmall(way_out, self.is_game_beneath))

    def has_game(self) -> bool:
        """Return True if the screen shows a game that continues while nobody can see it.

        The default is False.
        """
        return False

    def is_game_beneath(self) -> bool:
        """Return True if this screen, or a screen below it, shows a game that continues."""
        return any(
            isinstance(screen, Commanded) and screen.has_game() for screen in self.app.screen_stack
        )

    def stop_typing(self) -> None:
        """Stop typing in a text input. The default does nothing."""

    def leaving_question(self) -> str:
        """Return a question with the effect of leaving; "" if nothing would be lost."""
        return ""

    @property
    def notice_space(self) -> NoticeSpace | None:
        """The space for notices on this screen; None for no limit."""
        return None

    def show_unknown_key(self, sentence: str) -> None:
        """Show a notification with a sentence about a key without effect.

        Does nothing if the last such notification is younger than `UNKNOWN_S`.
        """
        now = self.terminal.clock()
        if now - self._unknown_key_at >= UNKNOWN_S:
            self._unknown_key_at = now
            self.notify(sentence, markup=False, timeout=UNKNOWN_S)

    def on_still_input_full(self, message: "StillInput.Full") -> None:
        """Show that the input is full."""
        message.stop()
        self.show_full(
            ngettext(
                "Type at most {n} character here.",
                "Type at most {n} characters here.",
                message.most,
            )
        )

    def show_full(self, sentence: str) -> None:
        """Show a sentence about left-out characters of a full input. The default shows nothing."""

    def writing_ended(self) -> None:
        """Prepare for the key after the end of typing, which may still be meant as text.

        The default does nothing.
        """

    def runner(self, command: Command) -> Callable[[], Awaitable[None]]:
        """Return a function that runs a command.

        The function does nothing if the command has become impossible or `moment` has changed.
        """
        moment = self.moment()

        async def run() -> None:
            if self.is_whole and self.can(command) and self.moment() == moment:
                await self.run_action(command.action)

        return run

    def choices(self) -> Iterator[Choice]:
        """Yield further lines for the command palette, such as the options of a question."""
        yield from ()

    def help_page(self) -> str:
        """Return the name of the help page for this moment. The default is the page about keys."""
        from driflamme_tui.wording.game.help_pages import KEYS

        return KEYS

    def reminder(self) -> Reminder | None:
        """Return the table's question for the help; None on screens that show no question."""
        return None

    def table_reminder(self) -> Reminder | None:
        """Return the question of the table below an overlay.

        Returns None if no screen in the stack shows a question.
        """
        reminders = (getattr(screen, "reminder", None) for screen in self.app.screen_stack)
        return next(filter(None, (reminder() for reminder in reminders if reminder)), None)

    # Contents

    def parts(self) -> ComposeResult:
        """Yield this screen's own widgets, without widgets that all screens of its kind have."""
        yield from ()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the content of each `Static`, by its id. The default has no contents."""
        return {}

    def show_texts(self) -> None:
        """Redraw all texts. Hide empty ones."""
        for name, text in self.texts().items():
            widget = self.query_one(f"#{name}", Static)
            widget.display, widget.auto_links = bool(text), False
            widget.update(text)

    def text(self, *pieces: str | tuple[str, str] | Text) -> Text:
        """Join pieces into one text, in the terminal's signs.

        A piece is a string, a string with the role that gives its style, or a `Text`, which is
        added unchanged.
        """
        text = Text()
        for piece in pieces:
            if isinstance(piece, Text):
                text.append_text(piece)
                continue
            words, role = (piece, None) if isinstance(piece, str) else piece
            style = text_style(self.terminal.palette, role) if role else None
            text.append(self.glyphs.plain(words), style)
        return text

    def grid(self, columns: int, gap: int = 1) -> Table:
        """Return an empty table with this many columns. Long cells are wrapped.

        After each column, `gap` cells stay empty.
        """
        table = Table.grid(padding=(0, gap, 0, 0))
        for _column in range(columns):
            table.add_column(overflow="fold")
        return table

    def link(self, words: str, action: str, role: str = "plain") -> Text:
        """Return words in a role's style. A click on them runs an action of the screen."""
        return self.clickable(self.text((words, role)), action)

    def clickable(self, text: Text, action: str) -> Text:
        """Let a click on a text run an action of the screen; return the same text."""
        text.stylize(Style(meta={"@click": f"screen.{action}"}))
        return text

    # Scrolling, on a screen with a scrolling part

    @property
    def scrolled(self) -> VerticalScroll:
        """The part of the screen that scrolls."""
        return self.query_one(VerticalScroll)

    def action_scroll(self, by: int) -> None:
        """Scroll down by `by` lines; up if `by` is negative."""
        self.scrolled.scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """Scroll down by `by` pages; up if `by` is negative.

        A page has one row less than is visible.
        """
        self.action_scroll(by * max(1, self.scrolled.size.height - 1))

    def action_edge(self, side: int) -> None:
        """Scroll to the bottom; to the top if `side` is negative."""
        if side < 0:
            self.scrolled.scroll_home(animate=False)
        else:
            self.scrolled.scroll_end(animate=False)

    # Data of the app, and results that arrive later

    @property
    def terminal(self) -> Terminal:
        """The terminal that shows the screen: its look, and the time."""
        return terminal_of(self)

    @property
    def player_seat(self) -> PlayerSeat:
        """The player's seat at a table, or the attempt to take one."""
        return cast(ScreenApp, self.app).player_seat

    @property
    def lobby(self) -> Lobby:
        """The latest lobby of the table."""
        return self.player_seat.lobby

    @property
    def player_name(self) -> str:
        """The name of the reader at the table."""
        return self.player_seat.player_name

    @property
    def is_whole(self) -> bool:
        """True if the screen has all its widgets: it was composed, and not yet removed."""
        return self.is_mounted and self.is_running and not self._is_gone

    @property
    def _is_gone(self) -> bool:
        """True if the screen was removed, even before its composition, or if the app is ending."""
        stack: Sequence[object] = self.app.screen_stack
        return not (self.is_attached and self.app.is_running) or self not in stack

    async def on_event(self, event: events.Event) -> None:
        """Process an event.

        After the removal of the screen, process only the events that Textual needs for the removal.
        """
        if isinstance(event, _HANDLED_WHEN_GONE) or not self._is_gone:
            await super().on_event(event)

    def deliver(self, show: Show) -> None:
        """Call `show` as soon as the screen has its widgets.

        If the screen is removed first, the call is dropped.

        Any thread may call this method.
        """
        self.call_later(self._show, show)

    async def _show(self, show: Show) -> None:
        shown = None if self._is_gone else show()
        if isawaitable(shown):
            await shown

    def in_background(self, work: Callable[[], Show], *, group: str) -> None:
        """Do some work on a thread, and deliver its result unless the work was cancelled.

        Args:
            work: The slow work; it uses no widget. It returns the function that shows the result.
            group: New work cancels unfinished work of the same group.
        """

        def run() -> None:
            show = work()
            if not get_current_worker().is_cancelled:
                self.deliver(show)

        self.run_worker(run, thread=True, exclusive=True, group=group)
