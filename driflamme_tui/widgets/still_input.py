"""A line to write on whose cursor does not blink: that would be sent over the line all the time."""

from textual.widgets import Input

from driflamme_tui.keymap.key_bindings import bindings


class StillInput(Input):
    """An input with a steady cursor."""

    BINDINGS = bindings("writing")

    def on_mount(self) -> None:
        """Keep the cursor still."""
        self.cursor_blink = False
