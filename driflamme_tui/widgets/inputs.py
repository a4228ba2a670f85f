"""Lines to type on: without a blinking cursor, and one for a link."""

from rich.text import Text
from textual.events import Focus, Paste
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input
from textual.widgets.input import Selection

from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import TalkCommands, WritingCommands
from driflamme_tui.seat.targets import COMMAND
from driflamme_tui.text.i18n import _


def printable(text: str) -> str:
    """Return what can be seen of a line; a tab is a space."""
    return "".join(sign for sign in text.replace("\t", " ") if sign.isprintable())


class StillInput(Input):
    """An input with a steady cursor."""

    BINDINGS = bindings(WritingCommands)

    _selected_by_focus: Selection | None = None
    """What the focus has selected; None once a character was deleted."""

    class Full(Message):
        """What was typed or pasted has no room any more."""

        def __init__(self, most: int) -> None:
            super().__init__()
            self.most = most
            """Characters that have room."""

    def restricted(self) -> None:
        """Report that what was typed is left out."""
        if self.max_length:
            self.post_message(self.Full(self.max_length))

    def on_mount(self) -> None:
        """Keep the cursor still."""
        self.cursor_blink = False

    def on_focus(self, event: Focus) -> None:
        """Note what Textual's own handler, which comes next, is to select."""
        selects = self.select_on_focus and not event.from_app_focus and bool(self.value)
        self._selected_by_focus = Selection(0, len(self.value)) if selects else None

    def action_delete_left(self) -> None:
        """Delete a character; the text only if it was the player who selected it."""
        selected, self._selected_by_focus = self._selected_by_focus, None
        if selected == self.selection:
            # Textual selects all on focus, so that typing replaces it.
            self.cursor_position = len(self.value)
        super().action_delete_left()

    def on_paste(self, event: Paste) -> None:
        """Insert what a terminal pastes; Textual's own inputs lose all but its first line."""
        event.stop()
        event.prevent_default()
        self.insert_pasted(event.text)

    def action_paste(self) -> None:
        """Insert what was copied in this program."""
        self.insert_pasted(self.app.clipboard)

    def insert_pasted(self, text: str) -> None:
        """Insert all lines of a text as one, as far as there is room, and say if it is cut off."""
        line, (start, end) = self.one_line(text), sorted(self.selection)
        room = len(line)
        if self.max_length:
            room = self.max_length - len(self.value) + end - start
        self.replace(line[:room], start, end)
        if len(line) > room:
            told = _("Only the beginning of what you pasted fits here: up to {n} characters do.")
            self.app.notify(told.format(n=self.max_length), severity="warning", markup=False)

    def one_line(self, text: str) -> str:
        """Return a text of any number of lines as one, without what cannot be seen."""
        lines = [each for line in text.splitlines() if (each := printable(line)).strip()]
        return lines[0] if len(lines) == 1 else " ".join(each.strip() for each in lines)


class TalkInput(StillInput):
    """Where one writes; Enter and Esc leave it, and nothing else does."""

    BINDINGS = bindings(TalkCommands)

    class Closed(Message):
        """Whoever was writing goes back, without sending."""

    def action_close(self) -> None:
        """Go back, keeping what is written for later."""
        self.post_message(self.Closed())


class LinkInput(StillInput):
    """A line that shows both ends of what is too long for it, unless one moves about in it.

    A link that a terminal or a mail program has broken is whole again once it is pasted.
    """

    cut = "…"
    """The sign for what is left out."""

    def one_line(self, text: str) -> str:
        """Return a text as one line, and a link without what has broken it."""
        from netcode.joining.invitation import is_invitation

        line = super().one_line(text).strip()
        return "".join(line.split()) if is_invitation(line) and not COMMAND.match(line) else line

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        value, room = self.value, self.scrollable_content_region.width - 1
        moves = self.has_focus and not self.cursor_at_end
        if y or moves or not value.isascii() or len(value) <= room or room < 3:
            return super().render_line(y)
        tail = room // 3
        text = Text(value[: room - tail - len(self.cut)] + self.cut + value[-tail:], end="")
        if not self.selection.is_empty:
            text.stylize(self.get_component_rich_style("input--selection"))
        if self.has_focus:
            text.append(" ", self.get_component_rich_style("input--cursor"))
        strip = Strip(self.app.console.render(text)).extend_cell_length(room + 2)
        return strip.apply_style(self.rich_style)
