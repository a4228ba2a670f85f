"""What the screens of past games share: which games they are about, and how these are read.

The database is read on a thread of its own, so that the screen never waits for it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final, Generic, TypeVar

from msgspec.structs import replace
from rich.cells import cell_len
from textual import events
from textual.worker import get_current_worker

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import style
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings, key, keys_now
from driflamme_tui.keymap.screen_commands import PastCommands
from driflamme_tui.model.history_totals import Wanted
from driflamme_tui.screens.base.at_table import OfPlay
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.wording.program.history_words import nothing_found, nothing_yet, outcome_name
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from engine.edition import EDITIONS
from engine.words import ExplainedError
from netcode.storage.history import Filter, History
from netcode.table.errors import StoreError
from netcode.table.finished_game import OUTCOMES

NAME_ROOM: Final = 20
"""Signs that a name has at most, and what is searched for therefore too."""

WIDEST: Final = 116
"""Columns beyond which what belongs together stands too far apart."""

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


class PastScreen(OfPlay, FullScreen, Generic[Found]):
    """A screen that reads past games and shows what it has found."""

    BINDINGS = bindings("past")

    narrows: ClassVar[tuple[str, ...]] = ()
    """The fields of `CHOICES` that this screen lets one choose."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self.wanted = wanted
        self.notice = ""
        """What went wrong."""
        self._failed = False
        """Whether the last reading did not come to its end, which the next one makes good."""

    def left(self, width: int) -> int:
        """Return the column at which everything begins."""
        return max(2, (width - WIDEST) // 2)

    def draw_past(self, canvas: Canvas, title: str, count: str) -> None:
        """Draw a head, in the second row which games are shown, and in the last what went wrong."""
        self.draw_head(canvas, title, count)
        self._draw_choice(canvas, self.left(canvas.width), 1)
        canvas.text(self.left(canvas.width), canvas.height - 1, self.notice, canvas.alert)

    def _draw_choice(self, canvas: Canvas, x: int, y: int) -> None:
        """Draw what the games are narrowed to; each part may be clicked."""
        palette, mute, bold = canvas.palette, canvas.mute, canvas.bold
        searched = self.wanted.games.player or ""
        if self.wanted.typing:
            ink = style(palette.ink, palette.field, bold=True)
            x = canvas.text(x, y, _("Name: "), mute)
            x = canvas.text(x, y, f"{searched}{canvas.glyphs.bar}", ink, NAME_ROOM + 1) + 2
        else:
            label = _("Name: {name}").format(name=searched or self.glyphs.dash)
            x = canvas.place(x, y, label, bold if searched else mute, "search") + 2
        for each in self.narrows:
            text = self._choice(each)
            if x + cell_len(text) > canvas.width - 1:
                break
            ink = mute if getattr(self.wanted.games, each) is None else bold
            x = canvas.place(x, y, text, ink, f"narrow('{each}')") + 2

    def _choice(self, name: str) -> str:
        """Return what games are narrowed to by a field; a dash where they are not."""
        value = getattr(self.wanted.games, name)
        if name == "players":
            return _("families: {which}").format(which=value or self.glyphs.dash)
        if name == "edition":
            return _("edition: {which}").format(which=value or self.glyphs.dash)
        if name == "bots":
            words = {True: pgettext("bots", "some"), False: pgettext("bots", "none")}
            return _("bots: {which}").format(which=words.get(value, self.glyphs.dash))
        which = self.glyphs.dash if value is None else outcome_name(value)
        return _("outcome: {which}").format(which=which)

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

    def show_notice(self, notice: str) -> None:
        """Say what went wrong."""
        self.notice = notice
        self.sync()

    # Which games

    def want(self, games: Filter) -> None:
        """Look at other games from now on."""
        if games != self.wanted.games:
            self.wanted.games = games
            self.notice = ""
            self.read()
        self.sync()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let keys be letters while a name is typed."""
        if self.wanted.typing and action not in WHILE_TYPING:
            return False
        return super().check_action(action, parameters)

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        if command == PastCommands.all:
            return not self.wanted.all
        return super().can(command)

    def action_search(self) -> None:
        """Begin to type a name."""
        self.wanted.typing = True
        self.sync()

    def on_key(self, event: events.Key) -> None:
        """Write the name that is searched for."""
        if not self.wanted.typing:
            # Keys get here before what they are bound to is run: who types quickly loses no letter.
            if event.key in keys_now(PastCommands.search) and not self.services.ignores_keys():
                event.stop()
                self.action_search()
            return
        name = self.wanted.games.player or ""
        if event.key == "backspace":
            name = name[:-1]
        elif event.character is not None and event.is_printable and len(name) < NAME_ROOM:
            name += event.character
        else:
            return
        event.stop()
        event.prevent_default()
        self._search(name)

    def on_paste(self, event: events.Paste) -> None:
        """Search for what is pasted, too."""
        if self.wanted.typing:
            typed = (self.wanted.games.player or "") + " ".join(event.text.split())
            self._search(typed[:NAME_ROOM])

    def _search(self, name: str) -> None:
        self.want(replace(self.wanted.games, player=name or None))

    def action_narrow(self, name: str) -> None:
        """Choose the next value of one of the `CHOICES`."""
        values = CHOICES[name]
        following = (values.index(getattr(self.wanted.games, name)) + 1) % len(values)
        change: dict[str, Any] = {name: values[following]}
        self.want(replace(self.wanted.games, **change))

    def action_widen(self) -> None:
        """Look at all games again."""
        self.want(Filter())

    def action_back(self) -> None:
        """Stop typing, or else go back."""
        if self.wanted.typing:
            self.wanted.typing = False
            self.sync()
        else:
            self.dismiss()

    def empty_words(self) -> str:
        """Return what stands where games would, and how to come by some."""
        if self.wanted.all:
            return nothing_yet()
        return nothing_found() + " " + _("{key} shows all again.").format(key=key(PastCommands.all))

    async def clicked(self, action: str) -> None:
        """Stop typing, and do what was clicked."""
        self.wanted.typing = False
        await super().clicked(action)


WHILE_TYPING: Final = frozenset(
    {"back", "commands", "games", "help", "move", "open", "options", "page", "select", "turn"}
)
"""Actions that have keys which are no letters, and make sense while one types."""
