"""Applies the player's appearance settings: themes, signs, language, keys and clipboard.

Changes are visible at once: every screen has a method `relabel` that redraws its texts.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import constants
from textual.await_complete import AwaitComplete
from textual.screen import Screen
from textual.worker import WorkerFailed

from driflamme_tui.app.keyed_app import KeyedApp
from driflamme_tui.app.low_notices import LowNotices, pages_of
from driflamme_tui.drawing.palette import (
    DARK,
    LIGHT,
    PLAIN,
    textual_theme,
    theme_variables,
    themes,
)
from driflamme_tui.drawing.terminal_answers import Answers
from driflamme_tui.drawing.textual_internals import place_notices, withdraw_notification
from driflamme_tui.keymap.key_bindings import use_keys, whole_key_choice
from driflamme_tui.preferences import settings as config
from driflamme_tui.preferences.settings import AUTO, Settings, SettingsError
from driflamme_tui.screens.base.command_screen import Commanded, NoticeSpace
from driflamme_tui.screens.base.messages import Settle
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.text.signs import Glyphs, glyphs_of
from driflamme_tui.widgets.too_small import use_scrollbars
from netcode.tracebacks import error_line

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

NOTICE_S = 15.0
"""Seconds for which a warning is shown: enough to read two unexpected lines."""


NOTICE_EDGES: Final = 5
"""Columns of a notice besides its text: its frame, the space beside it, and a scroll bar."""

ENOUGH: Final = NoticeSpace(rows=9, below=1)
"""The space for notices that were due at a table which is closed now."""


class StyledApp(KeyedApp):
    """An app with the appearance of the player's settings."""

    # Use an absolute path: Textual would search beside the module of a subclass.
    CSS_PATH = str(Path(__file__).parents[1] / "styles" / "app.tcss")
    colours: ClassVar[str | None] = None
    """Rich's name of the app's colour system; None for the terminal's own system."""
    is_remote = False
    """True if the player's terminal is on another machine than the app."""

    def __init__(self, glyphs: Glyphs | None, settings: Settings, answers: Answers) -> None:
        """Set the appearance from the start.

        Args:
            glyphs: The signs to draw with; by default the settings select them.
            settings: The player's settings.
            answers: The terminal's answers about itself.
        """
        # Only Textual's ANSI mode keeps the terminal's own colours.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._palettes = themes(self.colours or self.console.color_system)
        for palette in (*self._palettes.values(), PLAIN):
            self.register_theme(textual_theme(palette))
        self.terminal.answers = answers
        self.terminal.is_remote = self.is_remote
        self.configure(settings, glyphs)
        self.rebind(settings.keys)
        self._low_notices = LowNotices()

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: "SeverityLevel" = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a notice; at a table in pages that cover neither a card nor the question.

        Any thread may call this method.
        """
        if self._notice_space is None:
            super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)
            return
        seconds = self.NOTIFICATION_TIMEOUT if timeout is None else timeout
        self.call_later(self._add_notice, message, severity, seconds)

    @property
    def _notice_space(self) -> NoticeSpace | None:
        """The space at the table that is shown, also below overlays; None without a table."""
        tables = (screen for screen in self.screen_stack if isinstance(screen, Commanded))
        return next(filter(None, (table.notice_space for table in tables)), None)

    def _add_notice(self, notice: str, severity: "SeverityLevel", seconds: float) -> None:
        width, rows = self.size.width - NOTICE_EDGES, (self._notice_space or ENOUGH).rows
        self._low_notices.add(pages_of(notice, width, rows, seconds, severity))
        self._show_pages()

    def _show_pages(self) -> None:
        """Show the pages of notices that are due, and come back when space is free."""
        now, space = self.terminal.clock(), self._notice_space or ENOUGH
        pages = self._low_notices.due(now, space.rows)
        for screen in self.screen_stack if pages else ():
            place_notices(screen, space.below)
        for page in pages:
            super().notify(page.text, severity=page.severity, timeout=page.seconds, markup=False)
        wait_s = self._low_notices.next_change(now)
        if wait_s is not None:
            self.set_timer(wait_s, self._show_pages)

    def withdraw(self, notice: str) -> None:
        """Remove a notice before its time is over."""
        withdraw_notification(self, notice)
        for page in self._low_notices.withdraw(notice):
            withdraw_notification(self, page.text)

    def warn(self, sentence: str) -> None:
        """Show a warning above all screens for `NOTICE_S` seconds."""
        self.notify(sentence, severity="warning", timeout=NOTICE_S, markup=False)

    def failure_report(self, error: BaseException | None) -> str:
        """Return the report that a failed app prints: kinds of errors, files and lines."""
        if isinstance(error, WorkerFailed):
            error = error.error
        return _(
            "Driflamme has crashed. Please report this message; it contains no card and"
            " no secret: {what}",
            what="" if error is None else error_line(error),
        )

    # Screens

    @property
    def lowest_screen(self) -> Screen[Any] | None:
        """The lowest screen of this program; None before it opens."""
        return self.screen_stack[1] if len(self.screen_stack) > 1 else None

    def change_screen(self, screen: Screen[None]) -> None:
        """Replace the lowest screen, and close all screens above it."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if len(self.screen_stack) == 1:
            self.push_screen(screen)
        else:
            self.switch_screen(screen)

    def pop_screen(self) -> AwaitComplete:
        """Close the uppermost screen.

        If the game closes the command palette under a typing player, ignore keys for a moment.
        """
        # Only the command palette has `closed`: a player types there.
        if not getattr(self.screen, "closed", True):
            self.terminal.ignore_keys()
        return super().pop_screen()

    # Appearance

    def configure(self, wanted: Settings, glyphs: Glyphs | None = None) -> None:
        """Set the appearance, before the first screen is drawn.

        Args:
            wanted: The player's settings.
            glyphs: The signs to draw with; by default the settings select them.
        """
        self.terminal.settings = wanted
        self.terminal.glyphs = glyphs or self._glyphs_of(wanted)
        self._follow_settings()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the stylesheet's variables that are used until the first theme is chosen."""
        return theme_variables(DARK)

    def refresh_css(self, animate: bool = True) -> None:
        """Apply a changed theme. Before the first screen, only set the stylesheet's variables."""
        if len(self.screen_stack) > 1:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def on_settle(self, message: Settle) -> None:
        """Apply a changed setting at once, and store it. If that fails, show the reason."""
        terminal, name, value = self.terminal, message.name, message.value
        if getattr(terminal.settings, name) == value:
            return
        changes: dict[str, Any] = {name: value}
        terminal.settings = terminal.settings._replace(**changes)
        if name == "language":
            set_language(terminal.settings.catalogue)
        elif name == "glyphs":
            terminal.glyphs = self._glyphs_of(terminal.settings)
        self._follow_settings()
        if name == "theme":
            self.warn_of_few_colours()
        try:
            config.change(name, value)
        except SettingsError as error:
            sentence = terminal.glyphs.plain(error.sentence(_))
            self.notify(sentence, severity="warning", markup=False)
        for screen in self.screen_stack:
            if isinstance(screen, Commanded) and screen.is_whole:
                screen.relabel()

    def _glyphs_of(self, settings: Settings) -> Glyphs:
        return glyphs_of(settings.glyphs, is_wide=self.terminal.answers.is_wide)

    def _follow_settings(self) -> None:
        settings = self.terminal.settings
        theme = settings.theme
        if theme == AUTO:
            theme = LIGHT.name if self.terminal.answers.is_light else DARK.name
        self.theme = PLAIN.name if self.no_color else theme
        self.terminal.palette = PLAIN if self.no_color else self._palettes.get(self.theme, DARK)
        use_scrollbars(self.terminal.glyphs)
        self.animation_level = constants.TEXTUAL_ANIMATIONS if settings.animation else "none"

    def rebind(self, mapping: Mapping[str, str]) -> None:
        """Use these keys for commands from now on.

        Commands without an entry keep their default keys.

        Args:
            mapping: The keys by command. `key_bindings.check_keys` must have accepted them.
        """
        use_keys(mapping)
        self.set_keymap(whole_key_choice(mapping))

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text through the terminal, and by the system's clipboard command if there is one.

        The command is used only on the player's own machine. If it fails, a warning is shown.
        """
        from driflamme_tui.drawing.clipboard import clipboard_command

        super().copy_to_clipboard(text)
        here = not self.is_remote and not self.is_headless
        command = clipboard_command(os.environ, sys.platform) if here else None
        self.terminal.copies_with = "" if command is None else command[0]
        if command is not None:
            self.run_worker(self._copy_with(command, text), group="clipboard")

    async def _copy_with(self, command: tuple[str, ...], text: str) -> None:
        from driflamme_tui.drawing.clipboard import fill_clipboard

        if not await fill_clipboard(command, text):
            program = command[0]
            sentence = _("{program} cannot copy: select the text with Shift and the mouse.")
            self.warn(sentence.format(program=program))

    def warn_of_few_colours(self) -> None:
        """Show a warning if the terminal has too few colours for the chosen light theme."""
        system = self.colours or self.console.color_system
        if self.terminal.settings.theme == LIGHT.name and system == "standard":
            self.warn(_("This terminal has 16 colours, so every theme is dark."))
