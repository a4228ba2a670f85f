"""The part of the app that follows the player's settings, at the start and when they change.

What is changed is written into the config file and shown at once: every screen of the app has a
`relabel`, which words and draws it anew.
"""

from collections.abc import Iterable

from textual import constants
from textual.app import App

from driflamme_tui.drawing.palette import DARK, PLAIN, THEMES, Palette, textual_theme
from driflamme_tui.preferences import settings
from driflamme_tui.preferences.settings import Settings, SettingsError, Value
from driflamme_tui.screens.base.commanded import Commanded
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.text.signs import UNICODE, Glyphs, glyphs_of
from driflamme_tui.widgets.scrollbars import use_scrollbars


class ConfiguredApp(App[None]):
    """An app that looks as the player has settled."""

    settings = Settings()
    glyphs: Glyphs = UNICODE
    """What everything is drawn with."""
    card_size = settings.cards
    """How large cards are, one of `widgets.layout.CHOICES`."""

    def configure(self, wanted: Settings, glyphs: Glyphs | None = None) -> None:
        """Look like this from the start, in the language that is set already.

        Args:
            wanted: The player's settings.
            glyphs: What everything is drawn with, whatever the settings say.
        """
        for palette in (*THEMES.values(), PLAIN):
            self.register_theme(textual_theme(palette))
        self.settings = wanted
        self.glyphs = glyphs or glyphs_of(wanted.glyphs)
        self._follow_settings()

    @property
    def palette(self) -> Palette:
        """The colours that everything is drawn in."""
        return PLAIN if self.no_color else THEMES.get(self.theme, DARK)

    def change_setting(self, name: str, value: Value) -> None:
        """Keep a setting for good, and let everything follow it at once."""
        if getattr(self.settings, name) == value:
            return
        self.settings = settings.changed(self.settings, name, value)
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

    def signal(self, sent: Iterable[str]) -> None:
        """Send what a terminal does not draw: a bell, a notice, a title.

        Textual has a public way for the bell only. Whatever else is written must go through its
        driver too, whose thread would mix it with a frame otherwise; `App.bell` does the same.
        """
        driver = self._driver
        if driver is None or self.is_headless:
            return
        for each in sent:
            driver.write(each)
        driver.flush()

    def _follow_settings(self) -> None:
        self.theme = PLAIN.name if self.no_color else self.settings.theme
        self.card_size = self.settings.cards
        use_scrollbars(self.glyphs)
        moving = constants.TEXTUAL_ANIMATIONS
        self.animation_level = moving if self.settings.animation else "none"
