"""Defines input lines: with a steady cursor, for the chat, and for links."""

import re
from contextlib import suppress

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
    """Return the printable characters of a line. Tabs become spaces."""
    return "".join(sign for sign in text.replace("\t", " ") if sign.isprintable())


class StillInput(Input):
    """An input with a steady cursor. It joins pasted lines, and reports text that is too long."""

    BINDINGS = bindings(WritingCommands)

    _selected_by_focus: Selection | None = None
    """The selection that Textual made when the input got the focus.

    None if Textual made none, and after a character was deleted.
    """

    class Full(Message):
        """Sent when typed text is longer than the input allows."""

        def __init__(self, most: int) -> None:
            super().__init__()
            self.most = most
            """Maximum number of characters."""

    def restricted(self) -> None:
        """Send `Full` because a typed text is too long. Without a maximum, do nothing."""
        if self.max_length:
            self.post_message(self.Full(self.max_length))

    def on_mount(self) -> None:
        """Stop the cursor's blinking."""
        self.cursor_blink = False

    def on_focus(self, event: Focus) -> None:
        """Store the selection that Textual's own handler will make next."""
        selects = self.select_on_focus and not event.from_app_focus and bool(self.value)
        self._selected_by_focus = Selection(0, len(self.value)) if selects else None

    def action_delete_left(self) -> None:
        """Delete the selection that the player has made, or else one character.

        A selection that Textual made on focus does not count.
        """
        selected, self._selected_by_focus = self._selected_by_focus, None
        if selected == self.selection:
            # Textual selects the whole text on focus. Drop that selection, so that only one
            # character is deleted.
            self.cursor_position = len(self.value)
        super().action_delete_left()

    def on_paste(self, event: Paste) -> None:
        """Insert a text that was pasted in the terminal.

        Textual's own inputs drop all but its first line.
        """
        event.stop()
        event.prevent_default()
        self.insert_pasted(event.text)

    def action_paste(self) -> None:
        """Insert a text that was copied in this program."""
        self.insert_pasted(self.app.clipboard)

    def insert_pasted(self, text: str) -> None:
        """Insert all lines of a text as one line, in place of the selection.

        If the text is too long, its end is cut off, and a notification has the maximum length.
        """
        line, (start, end) = self.one_line(text), sorted(self.selection)
        space = len(line)
        if self.max_length:
            space = self.max_length - len(self.value) + end - start
        self.replace(line[:space], start, end)
        if len(line) > space:
            sentence = _("Only the beginning of what you pasted fits here: at most {n} characters.")
            self.app.notify(sentence.format(n=self.max_length), severity="warning", markup=False)

    def one_line(self, text: str) -> str:
        """Return a text as one line of printable characters."""
        lines = [each for line in text.splitlines() if (each := printable(line)).strip()]
        return lines[0] if len(lines) == 1 else " ".join(each.strip() for each in lines)


class TalkInput(StillInput):
    """The input for a chat line. Of all keys, only Enter and Esc leave it."""

    BINDINGS = bindings(TalkCommands)

    class Closed(Message):
        """Sent when the writer closes the input without sending the line."""

    def action_close(self) -> None:
        """Close the input. Its text stays for later."""
        self.post_message(self.Closed())


class LinkInput(StillInput):
    """An input that shows both ends of a long link while its cursor is at the end.

    If a terminal or mail program has broken a link into lines, pasting joins the lines again.
    """

    cut = "…"
    """The sign for the part of the link that is not shown."""

    def one_line(self, text: str) -> str:
        """Return a text as one line, and a link without line breaks and spaces.

        Text around a valid link is dropped.
        """
        from netcode.joining.invitation import InvitationError, is_invitation, parse_invitation

        line = super().one_line(text).strip()
        if not is_invitation(line):
            return line
        with suppress(InvitationError):
            return str(parse_invitation(line))
        return line if re.match(COMMAND, line) else "".join(line.split())

    def render_line(self, y: int) -> Strip:
        """Return the row `y`.

        A long ASCII value is shown by its two ends, unless the cursor stands before the end of the
        value.
        """
        value, space = self.value, self.scrollable_content_region.width - 1
        moves = self.has_focus and not self.cursor_at_end
        if y or moves or not value.isascii() or len(value) <= space or space < 3:
            return super().render_line(y)
        tail = space // 3
        text = Text(value[: space - tail - len(self.cut)] + self.cut + value[-tail:], end="")
        if not self.selection.is_empty:
            text.stylize(self.get_component_rich_style("input--selection"))
        if self.has_focus:
            text.append(" ", self.get_component_rich_style("input--cursor"))
        strip = Strip(self.app.console.render(text)).extend_cell_length(space + 2)
        return strip.apply_style(self.rich_style)
