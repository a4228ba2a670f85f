"""The options: what the player may settle, changed and seen at once; it is kept in a file."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import both, key
from driflamme_tui.keymap.screen_commands import HelpedCommands, ScreenCommands, closing
from driflamme_tui.preferences.settings import SETTINGS, config_file
from driflamme_tui.screens.base.messages import Settle
from driflamme_tui.screens.base.overlay import FRAME_ROWS, ChoiceMenu
from driflamme_tui.text.cell_widths import shortened
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.wording.program.settings_words import value_name


class OptionsCommands(HelpedCommands, prefix="options"):
    """What can be done in the options."""

    up = Command("up", "move(-1)", "choose what to settle", "choose", listed=False)
    down = Command("down", "move(1)", "choose the next of it", row=up, listed=False)
    before = Command("left", "change(-1)", "change it, here and for good", "change", listed=False)
    after = Command(
        "right,enter,space", "change(1)", "change it to the next value", row=before, listed=False
    )
    close = Command("escape,q", "dismiss", "close this", "closes")
    close_too = closing(ScreenCommands.options)


WIDEST: Final = 72
"""Columns beyond which a value stands too far from its name."""

VALUES_AT: Final = 17
"""The column of the values, beside the names."""

LAST_ROWS: Final = 5
"""Rows under the settings: a gap, what the selected one is about, and where all is kept."""


class OptionsOverlay(ChoiceMenu[str, None], commands=OptionsCommands):
    """A row for each setting, and under them what the selected one is about."""

    @property
    def items(self) -> Sequence[str]:
        """The settings, by name."""
        return list(SETTINGS)

    def draw(self, canvas: Canvas) -> None:
        """Draw the settings, then the explanation."""
        for row, name in enumerate(self.items):
            self._draw_setting(canvas, row, name)
        about = wrap(_(SETTINGS[self.items[self.selected]].sentence), max(1, canvas.width - 2))[:2]
        canvas.lines(1, len(self.items) + 1, about, canvas.plain)
        where = _("Kept in {file}", file=config_file())
        where = shortened(where, canvas.width - 2, canvas.glyphs)
        canvas.text(1, canvas.height - 1, where, canvas.mute)

    def _draw_setting(self, canvas: Canvas, row: int, name: str) -> None:
        here = row == self.selected
        words = f"{canvas.glyphs.turn if here else ' '} {pgettext('setting', SETTINGS[name].name)}"
        label = canvas.bold if here else canvas.plain
        canvas.place(0, row, words, label, f"select({row})", VALUES_AT)
        present = getattr(self.terminal.settings, name)
        values = SETTINGS[name].choices
        roomy = sum(cell_len(value_name(value)) + 2 for value in values) <= canvas.width - VALUES_AT
        x = VALUES_AT
        for index, value in enumerate(values):
            if value == present or roomy:
                ink = canvas.chosen if value == present else canvas.mute
                x = canvas.place(x, row, f" {value_name(value)} ", ink, f"set({row}, {index})")

    def sync(self) -> None:
        """Show the settings as they are now."""
        glyphs = self.glyphs
        ways = [
            _("{keys} choose", keys=both(OptionsCommands.up, OptionsCommands.down, glyphs)),
            _("{keys} change", keys=both(OptionsCommands.before, OptionsCommands.after, glyphs)),
            _("{key} closes", key=key(OptionsCommands.close, glyphs)),
        ]
        self.fit(_("Options"), ways, WIDEST, len(self.items) + LAST_ROWS + FRAME_ROWS)

    def action_change(self, by: int) -> None:
        """Give the selected setting its next value, or the one before."""
        name = self.items[self.selected]
        values = SETTINGS[name].choices
        present = getattr(self.terminal.settings, name)
        now = values.index(present) if present in values else 0
        self.action_set(self.selected, (now + by) % len(values))

    def action_set(self, row: int, index: int) -> None:
        """Give a setting a value."""
        self.action_select(row)
        name = self.items[row]
        self.app.post_message(Settle(name, SETTINGS[name].choices[index]))
