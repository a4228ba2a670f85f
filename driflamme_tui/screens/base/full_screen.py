"""What screens that are no overlays share: a bar of keys, time, and a request for enough room."""

from collections.abc import Mapping
from typing import Final

from textual.app import ComposeResult
from textual.events import Event, ScreenResume
from textual.geometry import Size
from textual.screen import Screen
from textual.timer import Timer

from driflamme_tui.keymap.command_type import Entry, done_by
from driflamme_tui.keymap.key_bindings import label
from driflamme_tui.keymap.screen_commands import EverywhereCommands, HelpedCommands, ScreenCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.widgets.key_bar import Key, Keys, key_of

TICK_SLACK_S: Final = 0.01
"""How much later than the second a clock is drawn anew, so that it is never a second early."""


class FullScreen(Commanded, Screen[None], commands=ScreenCommands):
    """A screen of zones, one above the other, that is drawn anew as a whole."""

    AUTO_FOCUS = ""

    _ticker: Timer | None = None
    _fitted: Size | None = None
    """The size of the terminal that everything is shown in: a first frame is drawn once."""

    def compose(self) -> ComposeResult:
        """The screen's own widgets, then what all screens have."""
        yield from self.parts()
        yield from self.around()

    def around(self) -> ComposeResult:
        """Return what all screens have."""
        yield Keys(id="keys")

    def first_entries(self) -> Mapping[Entry, str]:
        """Return what is to be done before all else now, and what the key bar calls it."""
        return {}

    def entry_words(self, entry: Entry) -> str:
        """Return what the key bar calls something now; "" for what it leaves out."""
        return label(entry)

    def is_news(self, entry: Entry) -> bool:
        """Whether the key bar sets something apart, since there is news behind it."""
        return False

    def key_bar(self) -> list[Key]:
        """Return what the key bar offers now; help and the way out stay at its end."""
        *entries, out = self.command_set.entries
        first = self.first_entries()
        keys = [
            key_of(entry, self.glyphs, words, lit=self.is_news(entry))
            for entry in [*first, *(each for each in entries if each not in first)]
            if self.can(done_by(entry)) and (words := first.get(entry) or self.entry_words(entry))
        ]
        ways = EverywhereCommands.commands, HelpedCommands.help, out
        stay = (each for each in ways if each not in first)
        return keys + [
            key_of(each, self.glyphs, self.entry_words(each), stays=True) for each in stay
        ]

    def sync(self) -> None:
        """Show everything as it is now."""
        self.show_keys()

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Say why a key or a click did nothing, or (what is good) what it did."""
        self.notice, self.good = sentence, good
        self.sync()

    def tell_unknown_key(self, sentence: str) -> None:
        """Say that a key does nothing here."""
        self.show_notice(sentence)

    def show_full(self, sentence: str) -> None:
        """Say why what was typed is left out."""
        self.show_notice(sentence)

    def show_keys(self) -> None:
        """Show in the key bar what can be done now."""
        self.query_one(Keys).show(self.key_bar())

    async def on_event(self, event: Event) -> None:
        """Style nothing twice: what is shown first, and has no stylesheet of its own, just was."""
        if isinstance(event, ScreenResume) and not (self.stack_updates or self.css_path):
            event.refresh_styles = False
        await super().on_event(event)

    def on_resize(self) -> None:
        """Fit what is shown to the new size, or ask for more room."""
        if self._fitted != self.app.size:
            self.resized()

    def resized(self) -> None:
        """Show everything in the present size."""
        self._fitted = self.app.size
        self.cover()
        self.sync()

    def tick(self) -> None:
        """Show the present time."""

    def wake_in(self, seconds: float | None) -> None:
        """Have `tick` called after so many seconds, and at no time that was wanted before."""
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        if seconds is not None:
            self._ticker = self.set_timer(seconds + TICK_SLACK_S, self.tick)
