"""Arranges the ways to other tables: the join field, found tables, and the last visits."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Label

from driflamme_tui.drawing.textual_internals import terminal_of
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.inputs import LinkInput
from driflamme_tui.widgets.start_widgets import FoundTables, SampleQueue, VisitedRows
from driflamme_tui.wording.program.start_words import Row
from netcode.joining.discovery import FoundTable


class JoinColumn(Vertical):
    """The column with the ways to other tables."""

    def __init__(self, address: str) -> None:
        """Begin with the text `address` in the join field."""
        super().__init__(id="join")
        self._address = address

    def compose(self) -> ComposeResult:
        """Yield the column's widgets from the top."""
        plain = terminal_of(self).glyphs.plain
        yield SampleQueue(id="sample")
        yield Label(plain(_("JOIN A TABLE")))
        example = _("K7Q-F2MXR, or paste a link")
        line = LinkInput(self._address, placeholder=plain(example), id="address", compact=True)
        line.cut = plain(line.cut)
        yield line
        yield Label(plain(_("TABLES ON THIS NETWORK")), classes="later")
        yield FoundTables(id="found")
        yield Label(plain(_("LAST VISITS")), id="visited-title", classes="later")
        yield VisitedRows(id="visited")

    @property
    def line(self) -> LinkInput:
        """The join field."""
        return self.query_one("#address", LinkInput)

    def write(self, text: str) -> None:
        """Put pasted text into the join field, without selecting it, so that keys extend it."""
        line = self.line
        line.select_on_focus = False
        self.screen.set_focus(line)
        line.value = line.one_line(text)
        line.cursor_position = len(line.value)

    def on_input_blurred(self, event: Input.Blurred) -> None:
        """Let the next focus select the text again."""
        event.input.select_on_focus = True

    async def show(self, found: Sequence[FoundTable], visited: Sequence[Row]) -> None:
        """Show the found tables and the rows of earlier visits."""
        await self.query_one(FoundTables).show(found)
        await self.query_one(VisitedRows).show(visited)
