"""What is laid over the table: help, all events, public knowledge, and the way out.

The game goes on beneath; Esc or the same key again closes an overlay.
"""

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from driflamme_tui.actions import bindings, key
from driflamme_tui.i18n import _
from driflamme_tui.screens.commanded import Commanded
from driflamme_tui.table_state import TableState
from driflamme_tui.widgets.glyphs import Glyphs
from driflamme_tui.widgets.palette import Palette

if TYPE_CHECKING:
    from driflamme_tui.app import DriflammeApp


class Overlay(Commanded, ModalScreen[None]):
    """A text to scroll, with a title."""

    app: "DriflammeApp"

    BINDINGS: ClassVar[list[BindingType]] = bindings("everywhere", "overlay")

    def __init__(self, glyphs: Glyphs, heading: str) -> None:
        super().__init__()
        self.glyphs = glyphs
        self.heading = glyphs.plain(heading)

    def text(self, palette: Palette) -> Text:
        """Return what is to be read."""
        raise TypeError("an overlay says what is to be read")

    def compose(self) -> ComposeResult:
        """A box with a title and a scrolling text."""
        palette = self.app.palette
        with Vertical(id="overlay") as box:
            if not self.glyphs.unicode:
                box.styles.border = ("ascii", palette.mute)
            box.border_title = self.heading
            box.border_subtitle = _("{key} closes").format(key=key("overlay.close", self.glyphs))
            with VerticalScroll(id="overlay-text", can_focus=False):
                text = self.text(palette)
                plain = Text(self.glyphs.plain(text.plain), end="")
                plain.spans = text.spans
                yield Static(plain)

    def on_click(self, event: Click) -> None:
        """Close when the table beneath is clicked."""
        if event.widget is self:
            self.dismiss()

    def action_scroll(self, by: int) -> None:
        """Scroll a line."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """Scroll a page."""
        view = self.query_one(VerticalScroll)
        view.scroll_relative(y=by * max(1, view.size.height - 1), animate=False)

    def action_edge(self, side: int) -> None:
        """Scroll to the top or to the bottom."""
        view = self.query_one(VerticalScroll)
        if side < 0:
            view.scroll_home(animate=False)
        else:
            view.scroll_end(animate=False)


class EventsOverlay(Overlay):
    """Everything that happened in this game."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("helped", "events")

    def __init__(self, state: TableState) -> None:
        super().__init__(state.glyphs, _("All events of this game"))
        self.state = state

    def on_mount(self) -> None:
        """Begin at the latest."""
        self.action_edge(1)

    def text(self, palette: Palette) -> Text:
        """One line an event, in its family's colour."""
        text = Text()
        for seat, sentence in self.state.log:
            if seat is None:
                text.append(f"-- {sentence}\n", palette.mute)
            else:
                family = self.state.view.families[seat]
                text.append(f"{self.state.prompter.tag(seat)} ", palette.families[family].hue)
                text.append(f"{sentence}\n")
        return text


class LeaveOverlay(Commanded, ModalScreen[bool]):
    """Asks whether to leave, and says what that means."""

    app: "DriflammeApp"

    BINDINGS: ClassVar[list[BindingType]] = bindings("everywhere", "helped", "leave")

    def __init__(self, meaning: str) -> None:
        super().__init__()
        self.meaning = meaning

    def compose(self) -> ComposeResult:
        """A sentence and two buttons."""
        with Vertical(id="leave") as box:
            if not self.app.glyphs.unicode:
                box.styles.border = ("ascii", self.app.palette.frame)
            yield Static(self.meaning, markup=False)
            stay = _("Stay ({key})").format(key=key("leave.no", self.app.glyphs))
            yield Button(stay, id="stay", compact=True)
            leave = _("Leave ({key})").format(key=key("leave.yes", self.app.glyphs))
            yield Button(leave, id="go", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Stay or leave."""
        self.dismiss(event.button.id == "go")

    def on_click(self, event: Click) -> None:
        """Stay when the table beneath is clicked."""
        if event.widget is self:
            self.dismiss(False)

    def action_sure(self, sure: bool) -> None:
        """Stay or leave."""
        self.dismiss(sure)

    def action_other(self) -> None:
        """Go to the other button."""
        self.focus_next()
