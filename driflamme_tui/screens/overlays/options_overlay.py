"""The options: what the player may settle, changed and seen at once; it is kept in a file."""

from textwrap import wrap
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.binding import BindingType

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.key_bindings import bindings, both, key
from driflamme_tui.keymap.overlay_commands import OptionsCommands
from driflamme_tui.preferences.settings import Settings, Value, choices, config_file, names
from driflamme_tui.screens.base.overlay import FRAME_ROWS, BoxedMenu
from driflamme_tui.text.cell_widths import shortened
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import Board
from driflamme_tui.wording.program.options_words import setting_name, setting_sentence, value_name

WIDEST: Final = 72
"""Columns beyond which a value stands too far from its name."""

VALUES_AT: Final = 17
"""The column of the values, beside the names."""

LAST_ROWS: Final = 5
"""Rows under the settings: a gap, what the selected one is about, and where all is kept."""


class OptionsBoard(Board):
    """A row for each setting, and under them what the selected one is about."""

    ground = "panel"

    def __init__(self) -> None:
        super().__init__(id="options-board")
        self.settings = Settings()
        self.selected = 0

    def rows(self) -> int:
        """Return how many rows there are to draw."""
        return len(names()) + LAST_ROWS

    def draw(self, canvas: Canvas) -> None:
        """Draw the settings, then the explanation."""
        for row, name in enumerate(names()):
            self._draw_setting(canvas, row, name)
        ink, mute = canvas.plain, canvas.mute
        about = wrap(setting_sentence(names()[self.selected]), max(1, canvas.width - 2))[:2]
        canvas.lines(1, len(names()) + 1, about, ink)
        where = _("Kept in {file}").format(file=config_file())
        where = shortened(where, canvas.width - 2, canvas.glyphs)
        canvas.text(1, canvas.height - 1, where, mute)

    def _draw_setting(self, canvas: Canvas, row: int, name: str) -> None:
        here = row == self.selected
        mark = canvas.glyphs.turn if here else " "
        label = canvas.bold if here else canvas.plain
        words = f"{mark} {setting_name(name)}"
        self.place(canvas, 0, row, words, label, f"select({row})", VALUES_AT)
        present: Value = getattr(self.settings, name)
        values = choices(name)
        width = sum(cell_len(value_name(value)) + 2 for value in values)
        if VALUES_AT + width > canvas.width:
            values = (present,)
        x = VALUES_AT
        for value in values:
            index = choices(name).index(value)
            words = f" {value_name(value)} "
            ink = canvas.chosen if value == present else canvas.mute
            x = self.place(canvas, x, row, words, ink, f"set({row}, {index})")


class OptionsOverlay(BoxedMenu[None]):
    """Shows what may be settled, and changes it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("helped", "options")

    drawn: OptionsBoard

    def __init__(self) -> None:
        super().__init__(OptionsBoard())

    def sync(self) -> None:
        """Show the settings as they are now."""
        glyphs, board = self.services.glyphs, self.drawn
        ways = [
            _("{keys} choose").format(keys=both(OptionsCommands.up, OptionsCommands.down, glyphs)),
            _("{keys} change").format(
                keys=both(OptionsCommands.before, OptionsCommands.after, glyphs)
            ),
            _("{key} closes").format(key=key(OptionsCommands.close, glyphs)),
        ]
        board.settings = self.services.settings
        self.fit(_("Options"), ways, WIDEST, board.rows() + FRAME_ROWS)

    def action_move(self, by: int) -> None:
        """Select another setting."""
        self.action_select(self.drawn.selected + by)

    def action_select(self, row: int) -> None:
        """Select a setting."""
        board = self.drawn
        board.selected = row % len(names())
        board.redraw()

    def action_change(self, by: int) -> None:
        """Give the selected setting its next value, or the one before."""
        row = self.drawn.selected
        name = names()[row]
        values = choices(name)
        present = getattr(self.services.settings, name)
        now = values.index(present) if present in values else 0
        self.action_set(row, (now + by) % len(values))

    def action_set(self, row: int, index: int) -> None:
        """Give a setting a value."""
        self.action_select(row)
        name = names()[row]
        self.services.change_setting(name, choices(name)[index])
