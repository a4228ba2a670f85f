"""Shows the options: the player's settings, which take effect at once and are stored in a file."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import HelpedCommands, ScreenCommands, closing
from driflamme_tui.preferences.settings import SETTINGS, config_file
from driflamme_tui.screens.base.messages import Settle
from driflamme_tui.screens.base.overlay import ListOverlay
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.widgets.list_table import Column
from driflamme_tui.wording.program.settings_words import value_name


class OptionsCommands(HelpedCommands, prefix="options"):
    """Commands that choose a setting, and change its value."""

    up = Command("up", "move(-1)", "choose a setting", "choose", listed=False, repeats=True)
    down = Command("down", "move(1)", "choose the next setting", row=up, listed=False, repeats=True)
    before = Command(
        "left",
        "change(-1)",
        "change the setting, here and for good",
        "change",
        listed=False,
        repeats=True,
    )
    after = Command(
        "right,enter,space",
        "change(1)",
        "change the setting to the next value",
        row=before,
        listed=False,
        repeats=True,
    )
    close = Command("escape,q", "dismiss", "close this window", "close")
    close_too = closing(ScreenCommands.options)
    bar = "up/down before/after close"


FULL_WIDTH: Final = 70
"""Minimum columns of the screen for showing all values of a setting beside its name."""


class OptionsOverlay(ListOverlay[str, None], commands=OptionsCommands):
    """Shows a row for each setting, and below them an explanation of the chosen one."""

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _("Options")

    @property
    def items(self) -> Sequence[str]:
        """The settings, by name."""
        return list(SETTINGS)

    def columns(self) -> Sequence[Column[str]]:
        """Return the columns for names and values."""
        return (
            Column("", lambda name: self.text(pgettext("setting", SETTINGS[name].name))),
            Column("", self._values, grows=True),
        )

    def _values(self, name: str) -> Text:
        """Return the values of a setting, with marks around the present one.

        On a narrow screen, return only the present value.
        """
        before, after = self.glyphs.chosen_mark
        texts = []
        for index, value in enumerate(SETTINGS[name].choices):
            here, action = value == self._present(name), f"set('{name}', {index})"
            if here:
                texts.append(self.link(f"{before}{value_name(value)}{after}", action, "bold"))
            elif self.app.size.width >= FULL_WIDTH:
                texts.append(self.link(f" {value_name(value)} ", action, "mute"))
        return Text().join(texts)

    def _present(self, name: str) -> object:
        return getattr(self.terminal.settings, name)

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the explanation of the chosen setting, and the path of the file."""
        about = "" if self.chosen is None else _(SETTINGS[self.chosen].sentence)
        kept = _("Kept in {file}", file=config_file())
        return {"about": self.text(f"\n{about}\n\n", (kept, "mute"))}

    def action_open(self) -> None:
        """Change the chosen setting to its next value."""
        self.action_change(1)

    def action_change(self, by: int) -> None:
        """Change the chosen setting to its next or previous value."""
        if self.chosen is not None:
            values, present = SETTINGS[self.chosen].choices, self._present(self.chosen)
            now = next((at for at, value in enumerate(values) if value == present), 0)
            self.action_set(self.chosen, (now + by) % len(values))

    def action_set(self, name: str, index: int) -> None:
        """Choose a setting, and change it to its value at this index."""
        self.action_select(self.items.index(name))
        self.app.post_message(Settle(name, SETTINGS[name].choices[index]))
