"""A line to write on whose cursor does not blink: that would be sent over the line all the time."""

from textual.widgets import Input

from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import WritingCommands


class StillInput(Input):
    """An input with a steady cursor."""

    BINDINGS = bindings(WritingCommands)

    def on_mount(self) -> None:
        """Keep the cursor still."""
        self.cursor_blink = False
