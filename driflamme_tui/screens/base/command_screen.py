"""What every screen and every overlay has: its commands, help on itself, and a life in steps.

Whatever comes from a thread, another process or the network comes when it likes, and a screen is
composed and taken away in steps of which others see the middle. So results go through the screen's
own queue of messages (`deliver`, `in_background`), which Textual empties from its composition to
its end. Who calls a screen directly asks first whether it `is_whole`. No action is run before that,
and no click or paste comes to it (`app/keyed_app`); a key waits in that queue.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
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
from textual.widgets import Static
from textual.worker import get_current_worker

from driflamme_tui.drawing.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH
from driflamme_tui.drawing.palette import written
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.drawing.textual_internals import FrameDiffApp, terminal_of
from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.keymap.key_bindings import bindings, keys_now
from driflamme_tui.keymap.screen_commands import AppCommands, EverywhereCommands
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.text.i18n import ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import Drawn
from driflamme_tui.widgets.inputs import StillInput
from driflamme_tui.widgets.too_small import TooSmall
from engine.cards import Family
from netcode.protocol.messages import Lobby

if TYPE_CHECKING:
    from textual.widget import Widget as _Widget

    from driflamme_tui.seat.sections import Sections
else:
    # Textual takes a widget's style from its first base that is one, which must be the screen.
    _Widget = object

Show = Callable[[], object]
"""Shows what has come of some work, on the app's own thread; may be a coroutine function."""

_HEARD_WHEN_GONE = (events.Callback, events.Compose, events.ScreenSuspend, events.Unmount)
"""What Textual itself needs to take a screen away."""


_LEAVING: Final = frozenset({"leave", "dismiss", "sure(False)", "escape", "app.quit"})
"""The actions that leave a screen."""

UNKNOWN_S: Final = 5.0
"""Seconds for which an overlay shows that a key does nothing."""

FOLDER: Final = Path(__file__).parents[2] / "styles"
"""Where the stylesheets lie."""


class ScreenApp(FrameDiffApp):
    """The app as its screens know it; what they ask of it besides are `messages`."""

    sitting: Sitting
    """The place at a table, or on the way to one."""


class Choice(Struct, frozen=True):
    """A line of the command palette."""

    text: str
    """What it does, translated; without a full stop."""
    run: Callable[[], object]
    """Does it; may be a coroutine function."""
    keys: str = ""
    """The key that does the same, as a person reads it."""


class Reminder(NamedTuple):
    """What the table asks while the reader reads."""

    text: str
    family: Family
    """Of whoever is asked."""
    yours: bool


class Commanded(_Widget):
    """Beside `Screen`, first of its bases."""

    command_set: type[CommandSet] = EverywhereCommands
    """What can be done here; each command's `action_...` carries it out."""
    notice = ""
    """Why the last key or click was refused, or nothing."""
    good = False
    """Whether the notice tells of something that went well instead."""
    fits_anywhere = False
    """Whether it is shown on terminals that are too small for the game too."""
    _unknown_told_at = float("-inf")
    """When the reader was last told that a key does nothing here."""
    types_letters = False
    """Whether letters and digits write something, and are no keys."""

    def __init_subclass__(cls, commands: type[CommandSet] | None = None, **options: Any) -> None:
        """Have what can be done here, by the keys of these commands."""
        if commands is not None:
            cls.command_set, cls.BINDINGS = commands, bindings(commands)
        super().__init_subclass__(**options)

    def can(self, command: Command) -> bool:
        """Return whether a command of this screen can do anything now."""
        if command not in self.command_set.in_order():
            raise LookupError(f"{command.id} is no command of {type(self).__name__}")
        if command.action.startswith("wing("):
            section = self.sections.owner(command)
            return section is not None and section.can(command)
        return self.is_possible(command)

    def is_possible(self, command: Command) -> bool:
        """Return whether what a command needs is true now; each screen judges its own commands."""
        return True

    @property
    def sections(self) -> "Sections":
        """What wings show on this screen, if it shows sections."""
        raise TypeError("a screen with sections builds them by `sections_of`")

    def action_wing(self, id: str) -> None:
        """Carry out a wing's command."""
        command = next(each for each in self.command_set.in_order() if each.id == id)
        section = self.sections.owner(command)
        if section is not None and section.can(command):
            section.do(command)

    def show_sentence(self, sentence: str, *, good: bool) -> None:
        """Show what a key or a click did, or why it did nothing."""
        self.notice, self.good = sentence, good
        self.sync()

    def copy_text(self, text: str) -> None:
        """Copy a text to the clipboard, and say so."""
        from driflamme_tui.wording.program.joining_words import copied

        if text:
            self.app.copy_to_clipboard(text)
            self.show_sentence(copied(self.terminal.copies_with), good=True)

    def sync(self) -> None:
        """Show everything as it is now, in the present size."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keep keys from doing anything that were not typed at this screen, and all of it."""
        return self.is_whole and not self.terminal.ignores_keys()

    def moment(self) -> object:
        """Return what stays the same for as long as a command means the same here."""
        return None

    def relabel(self) -> None:
        """Word and draw everything anew: the language, the signs or the colours are others now."""
        self.sync()
        for drawn in self.query(Drawn):
            drawn.refresh()

    @property
    def glyphs(self) -> Glyphs:
        """The signs that everything is drawn with."""
        return self.terminal.glyphs

    async def on_drawn_pressed(self, message: Drawn.Pressed) -> None:
        """Do what was clicked."""
        message.stop()
        await self.run_action(message.action)

    # What the app asks before a key reaches the screen

    @property
    def is_covered(self) -> bool:
        """Whether a request for more room covers the screen, so that only leaving works."""
        request = self.query_one_optional(TooSmall) if self.is_whole else None
        return request is not None and bool(request.display)

    def ways_out(self) -> Iterator[Command]:
        """Return the commands that leave the screen."""
        yield from (each for each in self.command_set.in_order() if each.action in _LEAVING)

    async def press_covered(self, name: str) -> None:
        """Leave the covered screen if that is what the key does; ignore all other keys."""
        way = next((each for each in self.ways_out() if name in keys_now(each)), None)
        if way is not None:
            self.stop_typing()
            await self.run_action(way.action)

    def on_resize(self) -> None:
        """Ask for more room where there is too little."""
        if not self.fits_anywhere:
            self.cover()

    def cover(self) -> None:
        """Cover the screen with a request for more room, or uncover it."""
        width, height = self.app.size
        is_small = width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT
        request = self.query_one_optional(TooSmall)
        if request is not None:
            request.display = is_small
        elif is_small:
            way_out = next(self.ways_out(), AppCommands.quit)
            self.mount(TooSmall(way_out, self.is_game_beneath))

    def has_game(self) -> bool:
        """Whether the screen shows a game that goes on while nobody can see it."""
        return False

    def is_game_beneath(self) -> bool:
        """Whether this screen or one beneath it shows a game that goes on."""
        return any(
            isinstance(screen, Commanded) and screen.has_game() for screen in self.app.screen_stack
        )

    def stop_typing(self) -> None:
        """Leave the line that is typed on, if there is one."""

    def leaving_question(self) -> str:
        """Return what leaving the screen would do, as a question; "" if nothing would be lost."""
        return ""

    def tell_unknown_key(self, sentence: str) -> None:
        """Say that a key does nothing here."""
        now = self.terminal.clock()
        if now - self._unknown_told_at >= UNKNOWN_S:
            self._unknown_told_at = now
            self.notify(sentence, markup=False, timeout=UNKNOWN_S)

    def on_still_input_full(self, message: StillInput.Full) -> None:
        """Say that no more can be typed."""
        message.stop()
        self.show_full(
            ngettext(
                "At most {n} character has room here.",
                "At most {n} characters have room here.",
                message.most,
            )
        )

    def show_full(self, sentence: str) -> None:
        """Say why what was typed is left out."""

    def writing_ended(self) -> None:
        """Take note that a key has just ended some writing: the next may be one too many."""

    def runner(self, command: Command) -> Callable[[], Awaitable[None]]:
        """Return what carries out a command, unless the moment for it has passed by then."""
        moment = self.moment()

        async def run() -> None:
            if self.is_whole and self.can(command) and self.moment() == moment:
                await self.run_action(command.action)

        return run

    def choices(self) -> Iterator[Choice]:
        """Return what else can be done now than commands: what there is to choose from."""
        yield from ()

    def help_page(self) -> str:
        """Return the name of the page of the help that is most about this moment."""
        from driflamme_tui.wording.game.help_pages import KEYS

        return KEYS

    def reminder(self) -> Reminder | None:
        """Return what is asked while somebody reads the help, or None where nothing is."""
        return None

    def table_reminder(self) -> Reminder | None:
        """Return what the table beneath an overlay asks, if there is one."""
        told = (getattr(screen, "reminder", None) for screen in self.app.screen_stack)
        return next(filter(None, (tell() for tell in told if tell)), None)

    # What it is made of

    def parts(self) -> ComposeResult:
        """Return the screen's own widgets, besides what all of its kind have."""
        yield from ()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return what stands in each `Static`, by its name."""
        return {}

    def show_texts(self) -> None:
        """Show all texts as they are now; who says nothing has no place."""
        for name, text in self.texts().items():
            widget = self.query_one(f"#{name}", Static)
            widget.display, widget.auto_links = bool(text), False
            widget.update(text)

    def text(self, *pieces: str | tuple[str, str] | Text) -> Text:
        """Return pieces in the signs of the terminal, each in its role if it has one."""
        text = Text()
        for piece in pieces:
            if isinstance(piece, Text):
                text.append_text(piece)
                continue
            words, role = (piece, None) if isinstance(piece, str) else piece
            style = written(self.terminal.palette, role) if role else None
            text.append(self.glyphs.plain(words), style)
        return text

    def grid(self, columns: int, gap: int = 1) -> Table:
        """Return a table of so many columns in which nothing is cut."""
        table = Table.grid(padding=(0, gap, 0, 0))
        for _column in range(columns):
            table.add_column(overflow="fold")
        return table

    def link(self, words: str, action: str, role: str = "plain") -> Text:
        """Return words that run an action of the screen when they are clicked."""
        return self.clickable(self.text((words, role)), action)

    def clickable(self, text: Text, action: str) -> Text:
        """Return a text that runs an action of the screen when it is clicked."""
        text.stylize(Style(meta={"@click": f"screen.{action}"}))
        return text

    # What scrolls, on a screen with such a part

    @property
    def scrolled(self) -> VerticalScroll:
        """What scrolls."""
        return self.query_one(VerticalScroll)

    def action_scroll(self, by: int) -> None:
        """Scroll a line."""
        self.scrolled.scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """Scroll a page."""
        self.action_scroll(by * max(1, self.scrolled.size.height - 1))

    def action_edge(self, side: int) -> None:
        """Scroll to the top or to the bottom."""
        if side < 0:
            self.scrolled.scroll_home(animate=False)
        else:
            self.scrolled.scroll_end(animate=False)

    # What reaches it, and when

    @property
    def terminal(self) -> Terminal:
        """How everything looks, and the time."""
        return terminal_of(self)

    @property
    def sitting(self) -> Sitting:
        """The place at a table, or on the way to one."""
        return cast(ScreenApp, self.app).sitting

    @property
    def lobby(self) -> Lobby:
        """What was told last of everything at the table but the game."""
        return self.sitting.lobby

    @property
    def own_name(self) -> str:
        """What the others call the reader."""
        return self.sitting.own_name

    @property
    def is_whole(self) -> bool:
        """Whether the screen has all its widgets: it is composed, and was not taken away."""
        return self.is_mounted and self.is_running and not self._is_gone

    @property
    def _is_gone(self) -> bool:
        """Whether the screen was taken away, or the app ends; maybe before it was composed."""
        stack: Sequence[object] = self.app.screen_stack
        return not (self.is_attached and self.app.is_running) or self not in stack

    async def on_event(self, event: events.Event) -> None:
        """Ignore keys, sizes and timers that come for a screen that was taken away."""
        if isinstance(event, _HEARD_WHEN_GONE) or not self._is_gone:
            await super().on_event(event)

    def deliver(self, show: Show) -> None:
        """Call something that touches widgets as soon as the screen has them, if it ever does.

        May be called from anywhere, threads included.
        """
        self.call_later(self._show, show)

    async def _show(self, show: Show) -> None:
        shown = None if self._is_gone else show()
        if isawaitable(shown):
            await shown

    def in_background(self, work: Callable[[], Show], *, group: str) -> None:
        """Do some work on a thread, and deliver what it returns.

        Args:
            work: What takes long; it touches no widget.
            group: Nothing comes of what was begun in it before, unless that has come already.
        """

        def run() -> None:
            show = work()
            if not get_current_worker().is_cancelled:
                self.deliver(show)

        self.run_worker(run, thread=True, exclusive=True, group=group)
