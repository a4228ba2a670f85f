"""Defines base classes of overlays, which lie over another screen: text, list, question, input.

The game continues below. A click outside an overlay closes it, and so does each of its closing
keys.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import Any, ClassVar, Final, Generic, TypeVar

from textual import on
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Click, Compose, Event, Key, Resize, ScreenResume
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from driflamme_tui.drawing.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH
from driflamme_tui.keymap.command_type import Command, done_by
from driflamme_tui.keymap.key_bindings import entry_keys, key, keys_now, label, letter_of
from driflamme_tui.keymap.screen_commands import (
    EverywhereCommands,
    HelpedCommands,
    ScrollCommands,
    WritingCommands,
)
from driflamme_tui.screens.base.command_screen import FOLDER, Commanded
from driflamme_tui.screens.base.list_screen import Item, ListScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.inputs import StillInput
from engine.texts import ExplainedError, Text


class OverlayCommands(HelpedCommands, ScrollCommands, prefix="overlay"):
    """Commands that scroll an overlay and close it."""

    close = Command("escape,q,enter", "dismiss", "close this window", "close")
    bar = "close"


Result = TypeVar("Result")

STYLES: Final[list[str | PurePath]] = [FOLDER / "lists.tcss", FOLDER / "overlays.tcss"]
"""The stylesheets of all overlays."""


class Overlay(Commanded, ModalScreen[Result], commands=EverywhereCommands):
    """The base class of all overlays. A click outside an overlay closes it."""

    CSS_PATH = STYLES

    def on_compose(self) -> None:
        """Style notices above a table as at the table, before there are widgets to style again."""
        is_above = any(getattr(each, "has_low_notices", False) for each in self.app.screen_stack)
        self.set_class(is_above, "above-table")

    def on_mount(self) -> None:
        """Show the contents."""
        self.sync()

    def on_resize(self, event: Resize) -> None:
        """Fit the contents to the new size."""
        self.sync()

    def frame(self, box: Widget, title: str = "", ways: Iterable[str] = ()) -> None:
        """Put a frame around a box, with a title at the top and keys at the bottom."""
        plain = self.glyphs.plain
        colour = self.terminal.palette.frame
        box.styles.border = ("round" if self.glyphs.unicode else "ascii", colour)
        box.border_title, box.border_subtitle = plain(title), plain("  ".join(ways))

    def on_click(self, event: Click) -> None:
        """Close the overlay after a click outside it."""
        if event.widget is self:
            self.dismiss()


class Boxed(Overlay[Result]):
    """A box in the middle of the screen, as large as its contents.

    Its lower edge is its key bar.
    """

    def heading(self) -> str:
        """Return the title in the upper edge. Each box must override this method."""
        raise TypeError("a box says what is in it")

    def compose(self) -> ComposeResult:
        """Yield the box with the parts of the overlay."""
        with Vertical(id="overlay"):
            yield from self.parts()

    def sync(self) -> None:
        """Redraw the texts, and the frame with its title and the keys that have an effect."""
        entries = [each for each in self.command_set.entries if self.can(done_by(each))]
        ways = (f"{entry_keys(each, self.glyphs)} {label(each)}" for each in entries)
        self.frame(self.query_one("#overlay"), self.heading(), ways)
        self.show_texts()


class TextOverlay(Boxed[Result], commands=OverlayCommands):
    """A text that scrolls."""

    def parts(self) -> ComposeResult:
        """Yield a scrolling widget for the text `reading`."""
        with VerticalScroll(id="overlay-text", can_focus=False):
            yield Static(id="reading")


class ListOverlay(ListScreen[Item], Boxed[Result], Generic[Item, Result]):
    """A list to choose from, and below it the text about the chosen line."""

    def sync(self) -> None:
        """Redraw everything. The columns have no headings."""
        self.listing.show_header = False
        self.listing.relist()
        super().sync()

    def show_chosen(self) -> None:
        """Show the text about the chosen line."""
        self.show_texts()

    def action_move(self, by: int) -> None:
        """Choose the next or previous line. The list wraps around at its ends."""
        self.listing.select((self.listing.selected + by) % max(1, len(self.items)))


class Dialog(Overlay[Result], commands=HelpedCommands):
    """Some text above buttons, each of which runs an action."""

    title_words = ""
    """The title in the upper edge, to be translated; "" for an edge without a title."""

    async def on_event(self, event: Event) -> None:
        """Handle an event.

        When a dialog appears, style only the dialog itself, whose stylesheets may be new: its
        widgets were styled when they were mounted, and none of them scrolls.
        """
        if isinstance(event, Compose):
            self.app.update_styles(self)
        elif isinstance(event, ScreenResume) and not self.stack_updates:
            event.refresh_styles = False
        await super().on_event(event)

    def words(self) -> ComposeResult:
        """Yield the widgets above the buttons. Each dialog must override this method."""
        raise TypeError("a dialog says what it asks")

    def buttons(self) -> Sequence[tuple[str, str]]:
        """Return the labels of the buttons, and their actions.

        Each dialog must override this method.
        """
        raise TypeError("a dialog says what can be answered")

    def button(self, words: Text, command: Command) -> tuple[str, str]:
        """Return the label and the action of a button that runs a command.

        `words` is the label, to be translated, with `{key}` for the command's key.
        """
        return _(words, key=key(command, self.glyphs)), command.action

    def compose(self) -> ComposeResult:
        """Yield the text and the buttons."""
        with Vertical(id="dialog") as box:
            self.frame(box, self.title_words and _(self.title_words))
            yield from self.words()
            with Vertical(id="answers"):
                for number, (words, action) in enumerate(self.buttons(), 1):
                    words, action = self.glyphs.plain(words), f"screen.{action}"
                    yield Button(words, id=f"answer-{number}", compact=True, action=action)


class ConfirmationCommands(HelpedCommands, prefix="confirmation"):
    """Commands that answer a question by yes or no."""

    yes = Command("y", "sure(True)", "answer yes, or no", letter="y")
    no = Command("n,escape,q", "sure(False)", "answer no", row=yes)
    other = Command(
        "left,right", "app.focus_next", "go to the other button", listed=False, repeats=True
    )


class Confirmation(Dialog[bool], commands=ConfirmationCommands):
    """Asks for confirmation. The first button declines.

    Returns True for yes and False for no; None if the reader clicks outside the dialog.
    """

    def __init__(self, sentence: str, *, no: Text, yes: Text) -> None:
        """Ask a question; the labels of the buttons are to be translated."""
        super().__init__()
        self.sentence, self.no, self.yes = sentence, no, yes

    def words(self) -> ComposeResult:
        """Yield the question."""
        yield Static(self.glyphs.plain(self.sentence), markup=False)

    def buttons(self) -> Sequence[tuple[str, str]]:
        """Return the buttons for no and yes."""
        commands = ConfirmationCommands
        return self.button(self.no, commands.no), self.button(self.yes, commands.yes)

    def on_key(self, event: Key) -> None:
        """Accept the letter of yes in the reader's language, for which there is no binding."""
        yes, letter = ConfirmationCommands.yes, letter_of(ConfirmationCommands.yes)
        if event.character == letter != yes.keys and letter in keys_now(yes):
            event.stop()
            self.action_sure(True)

    def action_sure(self, sure: bool) -> None:
        """Close the dialog, and return the answer."""
        self.dismiss(sure)


class LeaveDialog(Confirmation):
    """Asks whether to leave. It is shown on terminals of any size."""

    fits_anywhere = True

    ends_program = False

    def on_resize(self, event: Resize) -> None:
        """On a small terminal, use a style that keeps both buttons visible."""
        width, height = self.app.size
        self.set_class(width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT, "small")


def ask_to_leave(
    app: App[Any], means: str, leave: Callable[[], object], *, ends_program: bool = False
) -> None:
    """Ask for confirmation, and call `leave` after a yes.

    Args:
        app: The app that shows the question.
        means: The question, with the effect of leaving.
        leave: Leaves the table or the program.
        ends_program: True if leaving ends the program. Ctrl-C in the dialog then ends the program
            without a further question.
    """
    dialog = LeaveDialog(means, no="Stay ({key})", yes="Leave ({key})")
    dialog.ends_program = ends_program
    _ask(app, dialog, leave)


def confirm(app: App[Any], sentence: str, do: Callable[[], object], *, no: Text, yes: Text) -> None:
    """Ask for confirmation, and call `do` after a yes.

    `no` and `yes` are the labels of the buttons, to be translated.
    """
    _ask(app, Confirmation(sentence, no=no, yes=yes), do)


def _ask(app: App[Any], question: Confirmation, do: Callable[[], object]) -> None:
    def answered(sure: bool | None) -> None:
        if sure:
            do()

    app.push_screen(question, answered)


class InputCommands(HelpedCommands, prefix="input"):
    """Commands that leave an input overlay, and that move between input and buttons."""

    cancel = Command("escape", "dismiss", "close this window", "back")
    up = Command(
        "up", "app.focus_previous", "go to the line above or below", listed=False, repeats=True
    )
    down = Command(
        "down", "app.focus_next", "go to the line below", row=up, listed=False, repeats=True
    )


class InputOverlay(Dialog[str], commands=InputCommands):
    """Asks for a line of text. The first button submits it.

    Returns the value of the text; None if the reader gives up.
    """

    AUTO_FOCUS = "#dialog-text"
    longest: ClassVar[int]
    """Maximum number of characters that can be typed."""
    done: Text
    """The label of the button that submits, to be translated."""

    def __init__(
        self, how: str, title: str = "", before: str = "", *, typed: str = "", wrong: str = ""
    ) -> None:
        """Ask for a line, or ask again after an invalid one.

        Args:
            how: The explanation of possible input.
            title: The title above the explanation; "" for none.
            before: The label of the input.
            typed: The text that was typed before; "" for an empty input.
            wrong: The error in the text that was typed before; "" for none.
        """
        super().__init__()
        self.how, self.heading, self.before = how, title, before
        self.typed, self.wrong = typed, wrong

    def words(self) -> ComposeResult:
        """Yield the explanation, the input, and the error."""
        plain = self.glyphs.plain
        if self.heading:
            yield Static(plain(self.heading), markup=False, id="dialog-title")
        yield Static(plain(self.how), markup=False)
        with Horizontal(id="dialog-line"):
            yield Static(self.before, markup=False, id="dialog-before")
            yield StillInput(self.typed, max_length=self.longest, id="dialog-text", compact=True)
        yield Static(self.glyphs.plain(self.wrong), id="dialog-notice", markup=False)

    def buttons(self) -> Sequence[tuple[str, str]]:
        """Return the buttons that submit and cancel."""
        cancel = self.button("Back ({key})", InputCommands.cancel)
        return self.button(self.done, WritingCommands.done), cancel

    def show_full(self, sentence: str) -> None:
        """Show a sentence about left-out characters of a full input below the input."""
        self.query_one("#dialog-notice", Static).update(self.glyphs.plain(sentence))

    @on(Input.Changed)
    def _typed(self) -> None:
        self.query_one("#dialog-notice", Static).update(self.glyphs.plain(self.wrong))

    def parsed(self, typed: str) -> str | None:
        """Return the value of the typed text; None to close the overlay without a value.

        Raises:
            ExplainedError: The text is invalid. The overlay then shows the error's sentence and
                stays open.
        """
        raise TypeError("an overlay with a line says what it takes")

    @on(Input.Submitted)
    def action_submit(self) -> None:
        """Submit the typed text.

        If the text is invalid, show the error and keep the overlay open.
        """
        try:
            self.dismiss(self.parsed(self.query_one(Input).value))
        except ExplainedError as error:
            self.query_one("#dialog-notice", Static).update(error.sentence(_))
