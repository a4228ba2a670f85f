"""Defines the base class of all screens except overlays, with the key bar and timers."""

from collections.abc import Mapping
from typing import Final

from textual.app import ComposeResult
from textual.events import Event, Resize, ScreenResume
from textual.geometry import Size
from textual.screen import Screen
from textual.timer import Timer

from driflamme_tui.keymap.command_type import Entry, done_by
from driflamme_tui.keymap.key_bindings import label
from driflamme_tui.keymap.screen_commands import EverywhereCommands, HelpedCommands, ScreenCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.widgets.key_bar import Key, Keys, fits_one_row, key_of

TICK_SLACK_S: Final = 0.01
"""Seconds after a full second at which a clock is redrawn, so that it never changes too early."""

HIGH: Final = 30
"""Minimum rows of the screen for a key bar of two rows."""


class FullScreen(Commanded, Screen[None], commands=ScreenCommands):
    """A screen that fills the terminal, with a key bar. Each change redraws it as a whole."""

    AUTO_FOCUS = ""

    has_many_keys = False
    """True if the key bar may get a second row on a high terminal when one row is too short."""
    key_rows = 1
    """Rows of the key bar. A second row stays until the size of the terminal changes."""
    _ticker: Timer | None = None
    _fitted: Size | None = None
    """The size for which the contents were last drawn, so that the first frame is drawn only once.

    None before the first drawing.
    """

    def compose(self) -> ComposeResult:
        """Yield the screen's own widgets, then the widgets of all screens."""
        yield from self.parts()
        yield from self.around()

    def around(self) -> ComposeResult:
        """Yield the widgets that all screens have."""
        yield Keys(id="keys")

    def first_entries(self) -> Mapping[Entry, str]:
        """Return the entries that come first in the key bar now, each with its label.

        By default there are none.
        """
        return {}

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry in the key bar; "" to leave it out."""
        return label(entry)

    def is_news(self, entry: Entry) -> bool:
        """Return True if the key bar must highlight an entry, because it leads to news.

        The default is False.
        """
        return False

    def key_bar(self) -> list[Key]:
        """Return the present entries of the key bar.

        The command palette, help and the way out come last, unless they are among `first_entries`.
        """
        *entries, out = self.command_set.entries
        first = self.first_entries()
        keys = [
            key_of(
                entry,
                self.glyphs,
                words,
                lit=self.is_news(entry),
                # Entries that come first matter most, so keep them even if space is short.
                stays=entry in (first or self.command_set.promised),
            )
            for entry in [*first, *(each for each in entries if each not in first)]
            if self.can(done_by(entry)) and (words := first.get(entry) or self.entry_words(entry))
        ]
        ways = EverywhereCommands.commands, HelpedCommands.help, out
        stay = (each for each in ways if each not in first)
        return keys + [
            key_of(each, self.glyphs, self.entry_words(each), stays=True) for each in stay
        ]

    def sync(self) -> None:
        """Redraw the key bar. Subclasses redraw their contents too."""
        self.show_keys()

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Show a sentence about the last key or click; "" hides it.

        The sentence is the reason for a refusal, or with `good` the effect.
        """
        self.notice, self.good = sentence, good
        self.sync()

    def show_way(self, *, is_going: bool) -> None:
        """Show that the player is on the way to a table; hide it if they are not going any more.

        The default shows nothing.
        """

    def show_unknown_key(self, sentence: str) -> None:
        """Show a sentence about a key without effect as the screen's notice."""
        self.show_notice(sentence)

    def show_full(self, sentence: str) -> None:
        """Show a sentence about left-out characters of a full input as the screen's notice."""
        self.show_notice(sentence)

    def show_keys(self) -> None:
        """Show the available entries in the key bar."""
        keys, (width, height) = self.key_bar(), self.app.size
        is_high = self.has_many_keys and height >= HIGH
        if is_high and self.key_rows == 1 and not fits_one_row(keys, width):
            self.key_rows = 2
            # Redraw, since the second row leaves one row less for everything else.
            self.sync()
        else:
            self.query_one(Keys).show(keys, self.key_rows)

    async def on_event(self, event: Event) -> None:
        """Process an event.

        When a screen without stylesheets of its own appears, prevent a second styling by Textual.
        """
        if isinstance(event, ScreenResume) and not (self.stack_updates or self.css_path):
            event.refresh_styles = False
        await super().on_event(event)

    def on_resize(self, event: Resize) -> None:
        """Fit the contents to the new size, or ask for more space."""
        if self._fitted != self.app.size:
            self.resized()

    def resized(self) -> None:
        """Redraw everything in the present size, and ask for more space if needed."""
        self._fitted, self.key_rows = self.app.size, 1
        self.cover()
        self.sync()

    def tick(self) -> None:
        """Redraw everything that depends on the time. The timer of `wake_in` calls this method.

        The default draws nothing.
        """

    def wake_in(self, seconds: float | None) -> None:
        """Call `tick` after `seconds`, or never if None. Cancel any earlier timer."""
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        if seconds is not None:
            self._ticker = self.set_timer(seconds + TICK_SLACK_S, self.tick)
