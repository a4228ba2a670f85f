"""What is laid over another screen: bases for a text, a menu in a box, a question, a line to type.

The game goes on beneath. A click beneath an overlay closes it, and so does one of its keys.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Click
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import Palette
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import EverywhereCommands, HelpedCommands, WritingCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.scrolling import ScrollCommands, Scrolling
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.inputs import StillInput
from engine.words import N_, ExplainedError


class OverlayCommands(HelpedCommands, ScrollCommands, prefix="overlay"):
    """What can be done in an overlay that is read."""

    close = Command("escape,q,enter", "dismiss", "close this", "close")


Item = TypeVar("Item")
Result = TypeVar("Result")

STYLES: Final = Path(__file__).parents[2] / "styles" / "overlays.tcss"
"""The stylesheet of all that is laid over other screens."""

FRAME_ROWS: Final = 2
"""What a box's frame takes of its height."""


class Overlay(Commanded, ModalScreen[Result], commands=EverywhereCommands):
    """What all overlays have in common."""

    CSS_PATH = STYLES

    def on_mount(self) -> None:
        """Show what the overlay is about."""
        self.sync()

    def on_resize(self) -> None:
        """Fit the new size."""
        self.sync()

    def frame(self, box: Widget, title: str = "", ways: Iterable[str] = ()) -> None:
        """Put a frame around a box: in its upper edge a title, in its lower what can be done."""
        plain = self.glyphs.plain
        colour = self.terminal.palette.frame
        box.styles.border = ("round" if self.glyphs.unicode else "ascii", colour)
        box.border_title, box.border_subtitle = plain(title), plain("  ".join(ways))

    def on_click(self, event: Click) -> None:
        """Close when what lies beneath is clicked."""
        if event.widget is self:
            self.dismiss()


class TextOverlay(Scrolling, Overlay[None], commands=OverlayCommands):
    """A text to scroll, with a title."""

    def __init__(self, heading: str) -> None:
        super().__init__()
        self.heading = heading

    def reading(self, palette: Palette) -> Text:
        """Return what is to be read."""
        raise TypeError("an overlay says what is to be read")

    def compose(self) -> ComposeResult:
        """A box with a title and a scrolling text."""
        with Vertical(id="overlay") as box:
            closes = _("{key} closes", key=key(OverlayCommands.close, self.glyphs))
            self.frame(box, self.heading, [closes])
            with VerticalScroll(id="overlay-text", can_focus=False):
                text = self.reading(self.terminal.palette)
                plain = Text(self.glyphs.plain(text.plain), end="")
                plain.spans = text.spans
                yield Static(plain)


class BoxedMenu(Overlay[Result]):
    """A board in a box: a menu to choose from, or a list."""

    around: ClassVar[Size] = Size(2, 0)
    """Columns and rows of the screen that stay free around the box."""

    def draw(self, canvas: Canvas) -> None:
        """Draw what is in it."""
        raise TypeError("a menu says what is drawn in it")

    def compose(self) -> ComposeResult:
        """A frame and what is drawn in it."""
        with Vertical(id="box"):
            yield Board(self.draw, ground="panel", id="menu")

    def fit(self, title: str, ways: Iterable[str], width: int, height: int) -> None:
        """Word the frame, and make the box so large as long as there is room."""
        box = self.query_one("#box")
        self.frame(box, title, ways)
        room = self.app.size - self.around
        box.styles.width, box.styles.height = min(width, room.width), min(height, room.height)
        self.query_one(Board).redraw()


class ChoiceMenu(BoxedMenu[Result], Generic[Item, Result]):
    """A boxed list of lines, one of which is selected by keys, wheel and clicks."""

    selected = 0
    """The line that is selected, from 0."""

    @property
    def items(self) -> Sequence[Item]:
        """What the lines stand for."""
        raise TypeError("a list says what is in it")

    @property
    def chosen(self) -> Item | None:
        """What is selected; None where there is nothing."""
        return self.items[min(self.selected, len(self.items) - 1)] if self.items else None

    def on_mouse_scroll_down(self) -> None:
        """Go on with the wheel."""
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        """Go back with the wheel."""
        self.action_move(-1)

    def action_move(self, by: int) -> None:
        """Select the next line, or the one before, going round at the ends."""
        if self.items:
            self.action_select((self.selected + by) % len(self.items))

    def action_select(self, index: int) -> None:
        """Select a line; -1 is the last."""
        if self.items:
            self.selected = index % len(self.items)
            self.sync()


class Dialog(Overlay[Result], commands=HelpedCommands):
    """Some words and, in the end, two buttons, each of which carries out a command."""

    buttons: tuple[tuple[str, Command], ...]
    """What stands on both buttons, to be translated, and the commands that they carry out."""

    def words(self) -> ComposeResult:
        """Return what stands above the buttons."""
        raise TypeError("a dialog says what it asks")

    def compose(self) -> ComposeResult:
        """The words and the buttons."""
        with Vertical(id="dialog") as box:
            self.frame(box)
            yield from self.words()
            for name, (label, command) in zip(("first", "second"), self.buttons, strict=True):
                words = _(label, key=key(command, self.glyphs))
                action = f"screen.{command.action}"
                yield Button(self.glyphs.plain(words), id=name, compact=True, action=action)


class ConfirmationCommands(HelpedCommands, prefix="confirmation"):
    """What can be done where one is asked whether to do something."""

    yes = Command("y", "sure(True)", "answer yes")
    no = Command("n,escape,q", "sure(False)", "answer no", row=yes)
    other = Command("left,right", "app.focus_next", "go to the other button", listed=False)


class Confirmation(Dialog[bool], commands=ConfirmationCommands):
    """Asks whether to do something; the first button does not."""

    def __init__(self, sentence: str, *, no: str, yes: str) -> None:
        """Ask a question; what stands on the buttons is to be translated."""
        super().__init__()
        self.sentence = sentence
        self.buttons = (no, ConfirmationCommands.no), (yes, ConfirmationCommands.yes)

    def words(self) -> ComposeResult:
        """The question."""
        yield Static(self.glyphs.plain(self.sentence), markup=False)

    def action_sure(self, sure: bool) -> None:
        """Do it or not."""
        self.dismiss(sure)


def ask_to_leave(app: App[Any], means: str, leave: Callable[[], object]) -> None:
    """Say what leaving means, and leave if the reader is sure."""
    confirm(app, means, leave, no=N_("Stay ({key})"), yes=N_("Leave ({key})"))


def confirm(app: App[Any], sentence: str, do: Callable[[], object], *, no: str, yes: str) -> None:
    """Ask whether to do something, and do it if the reader is sure."""

    def answered(sure: bool | None) -> None:
        if sure:
            do()

    app.push_screen(Confirmation(sentence, no=no, yes=yes), answered)


class InputCommands(HelpedCommands, prefix="input"):
    """What can be done where one line is asked for."""

    cancel = Command("escape", "dismiss", "close this", "back")
    up = Command("up", "app.focus_previous", "go to the line above", listed=False)
    down = Command("down", "app.focus_next", "go to the line below", row=up, listed=False)


class InputOverlay(Dialog[str], commands=InputCommands):
    """Asks for something to be typed; the first button takes it."""

    AUTO_FOCUS = "#dialog-text"
    longest: ClassVar[int]
    """Characters that may be typed."""
    done: str
    """What stands on the button that takes it, to be translated."""

    def __init__(
        self, how: str, title: str = "", before: str = "", *, typed: str = "", wrong: str = ""
    ) -> None:
        """Ask for a line, or once more for one that was typed before.

        Args:
            how: What can be typed.
            title: What stands above that.
            before: What stands before the line.
            typed: What was typed before.
            wrong: What is wrong with it.
        """
        super().__init__()
        self.buttons = (
            (self.done, WritingCommands.done),
            (N_("Back ({key})"), InputCommands.cancel),
        )
        self.how, self.heading, self.before = how, title, before
        self.typed, self.wrong = typed, wrong

    def words(self) -> ComposeResult:
        """What can be typed, where, and what is wrong with it."""
        plain = self.glyphs.plain
        if self.heading:
            yield Static(plain(self.heading), markup=False, id="dialog-title")
        yield Static(plain(self.how), markup=False)
        with Horizontal(id="dialog-line"):
            yield Static(self.before, markup=False, id="dialog-before")
            yield StillInput(self.typed, max_length=self.longest, id="dialog-text", compact=True)
        yield Static(self.glyphs.plain(self.wrong), id="dialog-notice", markup=False)

    def parsed(self, typed: str) -> str | None:
        """Return what is made of what was typed, None to give up; raises ExplainedError."""
        raise TypeError("an overlay with a line says what it takes")

    @on(Input.Submitted)
    def action_submit(self) -> None:
        """Take what was typed, or say why nothing can be made of it."""
        try:
            self.dismiss(self.parsed(self.query_one(Input).value))
        except ExplainedError as error:
            self.query_one("#dialog-notice", Static).update(error.sentence(_))
