"""Lines to type on: without a blinking cursor, and one for a link."""

from rich.text import Text
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input

from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import TalkCommands, WritingCommands


class StillInput(Input):
    """An input with a steady cursor."""

    BINDINGS = bindings(WritingCommands)

    def on_mount(self) -> None:
        """Keep the cursor still."""
        self.cursor_blink = False


class TalkInput(StillInput):
    """Where one writes; Enter and Esc leave it, and nothing else does."""

    BINDINGS = bindings(TalkCommands)

    class Closed(Message):
        """Whoever was writing goes back, without sending."""

    def action_close(self) -> None:
        """Go back, keeping what is written for later."""
        self.post_message(self.Closed())


class LinkInput(StillInput):
    """A line that shows both ends of what is too long for it, unless one moves about in it."""

    cut = "…"
    """The sign for what is left out."""

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
