"""What the app with which one plays and the app that looks back at a game have in common.

The player's settings and keys, which it follows at the start and whenever they change, and the
overlays that can be opened over any screen. A setting that is changed is written into the config
file and shown at once: every screen of the app has a `relabel`, which words and draws it anew.
"""

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from textual import constants
from textual.await_complete import AwaitComplete
from textual.events import Key
from textual.widgets import Input

from driflamme_tui.drawing.palette import (
    DARK,
    PLAIN,
    Palette,
    textual_theme,
    theme_variables,
    themes,
)
from driflamme_tui.drawing.textual_internals import FrameDiffApp, write
from driflamme_tui.keymap.key_bindings import bindings, keys_of, use_keys, whole
from driflamme_tui.preferences import settings
from driflamme_tui.preferences.settings import Settings, SettingsError, Value
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.table.answering import GUARD_S, SECOND_CLICK_S
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.text.signs import Glyphs, glyphs_of
from driflamme_tui.widgets.scrollbars import use_scrollbars

UNHEEDED_S: Final = 1.0
"""For so long somebody who types may not notice that what they type at has gone."""


class BaseApp(FrameDiffApp):
    """An app that looks as the player has settled, with keys from the registry of commands."""

    CSS_PATH = "../styles/app.tcss"
    TITLE = "Driflamme"
    ENABLE_COMMAND_PALETTE = False
    """Textual's own, with a Ctrl chord; ours is `commands.open`."""
    BINDINGS = bindings("app")
    COACHES: ClassVar[bool] = True
    """Whether first games have a coach: tests say themselves when they want one."""

    colours: ClassVar[str | None] = None
    """The colour system in which it is seen, called as by Rich; None for the terminal's."""

    visits = False
    """Whether one is a visitor on the host's machine, who goes to its table and nowhere else."""

    guard_s = GUARD_S
    second_click_s = SECOND_CLICK_S
    _heeds_from = 0.0

    def __init__(self, wanted: Settings, glyphs: Glyphs | None = None) -> None:
        """Start with the player's settings, and other signs than theirs if some are given."""
        # Only in this mode does Textual leave the terminal's own colours alone.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._palettes = themes(self.colours or self.console.color_system)
        for palette in (*self._palettes.values(), PLAIN):
            self.register_theme(textual_theme(palette))
        self.configure(wanted, glyphs)
        self.rebind(wanted.keys)

    def configure(self, wanted: Settings, glyphs: Glyphs | None = None) -> None:
        """Look like this from the start, in the language that is set already.

        Args:
            wanted: The player's settings.
            glyphs: What everything is drawn with, whatever the settings say.
        """
        self.settings = wanted
        self.glyphs = glyphs or glyphs_of(wanted.glyphs)
        """What everything is drawn with."""
        self._follow_settings()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give the stylesheet its variables before the first theme is chosen."""
        return theme_variables(DARK)

    def refresh_css(self, animate: bool = True) -> None:
        """Follow a theme that has changed; before our first screen there is nothing to restyle."""
        if len(self.screen_stack) > 1:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    @property
    def palette(self) -> Palette:
        """The colours that everything is drawn in."""
        return PLAIN if self.no_color else self._palettes.get(self.theme, DARK)

    def change_setting(self, name: str, value: Value) -> None:
        """Keep a setting for good, and let everything follow it at once."""
        if getattr(self.settings, name) == value:
            return
        changes: dict[str, Any] = {name: value}
        self.settings = self.settings._replace(**changes)
        if name == "language":
            set_language(self.settings.catalogue)
        elif name == "glyphs":
            self.glyphs = glyphs_of(self.settings.glyphs)
        self._follow_settings()
        try:
            settings.change(name, value)
        except SettingsError as error:
            self.notify(self.glyphs.plain(error.sentence(_)), severity="warning", markup=False)
        for screen in self.screen_stack:
            if isinstance(screen, Commanded) and screen.is_whole:
                screen.relabel()

    def _follow_settings(self) -> None:
        self.theme = PLAIN.name if self.no_color else self.settings.theme
        use_scrollbars(self.glyphs)
        moving = constants.TEXTUAL_ANIMATIONS
        self.animation_level = moving if self.settings.animation else "none"

    def rebind(self, mapping: Mapping[str, str]) -> None:
        """Use these keys, by command, from now on; others stay as they usually are.

        Args:
            mapping: What `key_bindings.check_keys` has passed.
        """
        use_keys(mapping)
        self.set_keymap(whole(mapping))

    def signal(self, sent: Iterable[str]) -> None:
        """Send what a terminal does not draw: a bell, a notice, a title.

        It goes through Textual's driver, whose thread would mix it with a frame otherwise.
        """
        if not self.is_headless:
            write(self, sent)

    @property
    def folder(self) -> Path | None:
        """Where files go that are saved; None on a machine that is not the player's."""
        return None if self.visits else Path.cwd()

    def clock(self) -> float:
        """Return seconds that only ever go forward."""
        return time.monotonic()

    def ignore_keys(self) -> None:
        """Heed no keys for a moment: those that come now were typed at what has just gone."""
        self._heeds_from = self.clock() + UNHEEDED_S

    def ignores_keys(self) -> bool:
        """Whether keys that come now were typed at what has just gone."""
        return self.clock() < self._heeds_from

    def on_key(self, event: Key) -> None:
        """Give a line what was typed to it, in one burst, before it had the focus."""
        line = self.focused
        if event.is_printable and event.character and isinstance(line, Input):
            event.prevent_default()
            line.insert_text_at_cursor(event.character)

    def pop_screen(self) -> AwaitComplete:
        """Close what is uppermost."""
        # What the game closes may still be typed at.
        if not getattr(self.screen, "closed", True):
            self.ignore_keys()
        return super().pop_screen()

    async def action_interrupt(self) -> None:
        """Leave the program."""
        self.exit()

    # Overlays are imported when they are shown, as all screens are.

    def open_commands(self) -> None:
        """Show all commands of the present screen, to search and choose from."""
        from driflamme_tui.screens.overlays.command_palette import CommandMenu

        self.push_screen(CommandMenu())

    def open_options(self) -> None:
        """Show the settings that the player may change."""
        from driflamme_tui.screens.overlays.options_overlay import OptionsOverlay

        self.push_screen(OptionsOverlay())

    def open_help(self, page: str) -> None:
        """Show the help at a page, with the keys of the present screen."""
        from driflamme_tui.screens.overlays.help_overlay import HelpOverlay

        self.push_screen(HelpOverlay(self.glyphs, keys_of(self.screen, self.glyphs), page))
