"""What the screens of past games share: which games they are about, and how these are read.

The database is read on a thread of its own, so that the screen never waits for it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, Final, Generic, TypeVar

from msgspec.structs import replace
from rich.console import RenderableType
from rich.text import Text
from textual.worker import get_current_worker

from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import PastCommands
from driflamme_tui.model.history_totals import Wanted
from driflamme_tui.screens.base.page import Page
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.wording.program.history_words import nothing_found, nothing_yet, outcome_name
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from engine.edition import EDITIONS
from engine.words import ExplainedError
from netcode.storage.history import Filter, History
from netcode.table.errors import StoreError
from netcode.table.finished_game import OUTCOMES

CHOICES: Final[dict[str, tuple[object, ...]]] = {
    "players": (None, *range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1)),
    "edition": (None, *EDITIONS),
    "bots": (None, True, False),
    "outcome": (None, *OUTCOMES),
}
"""What games can be narrowed by, besides a name: fields of `Filter`, and their values in turn."""

READING: Final = "reading"
"""The group of the workers that read what is shown: a new one takes the place of the last."""

Found = TypeVar("Found")


class PastScreen(Page, Generic[Found], commands=PastCommands):
    """A screen that reads past games and shows what it has found."""

    narrows: ClassVar[tuple[str, ...]] = ()
    """The fields of `CHOICES` that this screen lets one choose."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self.wanted = wanted
        self._failed = False
        """Whether the last reading did not come to its end, which the next one makes good."""

    def on_mount(self) -> None:
        """Go on with the name that is searched for already."""
        self.search_for(self.wanted.games.player or "")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return what the games are narrowed to; each part may be clicked."""
        return {**super().texts(), "choices": Text("  ").join(self._choices())}

    def _choices(self) -> Iterable[Text]:
        if not self.searching and not self.wanted.games.player:
            yield self.link(_("Name: {name}").format(name=self.glyphs.dash), "search", "mute")
        for each in self.narrows:
            role = "mute" if getattr(self.wanted.games, each) is None else "bold"
            yield self.link(self._choice(each), f"narrow('{each}')", role)

    def _choice(self, name: str) -> str:
        """Return what games are narrowed to by a field; a dash where they are not."""
        value, dash = getattr(self.wanted.games, name), self.glyphs.dash
        some = {True: pgettext("bots", "some"), False: pgettext("bots", "none"), None: dash}
        words = {
            "players": lambda: _("families: {which}").format(which=value or dash),
            "edition": lambda: _("edition: {which}").format(which=value or dash),
            "bots": lambda: _("bots: {which}").format(which=some[value]),
            "outcome": lambda: _("outcome: {which}").format(
                which=dash if value is None else outcome_name(value)
            ),
        }
        return words[name]()

    def on_screen_resume(self) -> None:
        """Read the games, and again when one comes back: they may be others, or fewer."""
        self.read()

    def relabel(self) -> None:
        """Word and draw everything anew."""
        self.notice = ""
        super().relabel()

    # Reading

    def find(self, history: History, games: Filter, stopped: Callable[[], bool]) -> Found:
        """Return what is to be shown; called on a thread of its own, may raise StoreError."""
        raise TypeError("a screen of past games says what it reads")

    def found(self, found: Found) -> None:
        """Take what has been read."""
        raise TypeError("a screen of past games says what becomes of what it reads")

    def read(self) -> None:
        """Read what is wanted, and show it once it is there."""
        games = self.wanted.games

        def stopped() -> bool:
            return get_current_worker().is_cancelled

        def task(history: History) -> Callable[[], None]:
            found = self.find(history, games, stopped)

            def show() -> None:
                if self._failed:
                    self._failed, self.notice = False, ""
                self.found(found)
                self.sync()

            return show

        self.with_history(task, group=READING)

    def with_history(
        self, task: Callable[[History], Callable[[], None]], group: str = "past"
    ) -> None:
        """Do something with the history on a thread; what it returns is then called here."""

        def work() -> Callable[[], None]:
            try:
                with History.open(reading=True) as history:
                    return task(history)
            except StoreError as error:
                return partial(self._failing, error, reading=group == READING)

        self.in_background(work, group=group)

    def _failing(self, error: ExplainedError, *, reading: bool) -> None:
        self._failed = self._failed or reading
        self.show_notice(error.sentence(_))

    # Which games

    def want(self, games: Filter) -> None:
        """Look at other games from now on."""
        if games != self.wanted.games:
            self.wanted.games = games
            self.notice = ""
            self.read()
        self.sync()

    @property
    def is_narrowed(self) -> bool:
        """Whether not all games are shown."""
        return not self.wanted.all

    def search(self, sought: str) -> None:
        """Look at the games of whoever is called like that."""
        self.want(replace(self.wanted.games, player=sought or None))

    def action_narrow(self, name: str) -> None:
        """Choose the next value of one of the `CHOICES`."""
        values = CHOICES[name]
        following = (values.index(getattr(self.wanted.games, name)) + 1) % len(values)
        change: dict[str, Any] = {name: values[following]}
        self.want(replace(self.wanted.games, **change))

    def action_widen(self) -> None:
        """Look at all games again."""
        self.search_for("")
        self.want(Filter())

    def action_back(self) -> None:
        """Go back to where one came from."""
        self.dismiss()

    def empty_words(self) -> str:
        """Return what stands where games would, and how to come by some."""
        if self.wanted.all:
            return nothing_yet()
        return nothing_found() + " " + _("{key} shows all again.").format(key=key(PastCommands.all))
