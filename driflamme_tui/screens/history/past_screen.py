"""What the screens of past games share: which games they are about, and how these are read.

The database is read on a thread of its own, so that the screen never waits for it.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from msgspec.structs import replace
from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.worker import get_current_worker

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import style
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings, key, keys_now
from driflamme_tui.keymap.screen_commands import PastCommands
from driflamme_tui.model.history_totals import Wanted
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.wording.program.history_words import nothing_found, nothing_yet, outcome_name
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from engine.edition import EDITIONS
from engine.words import ExplainedError
from netcode.storage.history import Filter, History
from netcode.table.errors import StoreError

if TYPE_CHECKING:
    from driflamme_tui.screens.base.app_services import PlayServices

NAME_ROOM: Final = 20
"""Signs that a name has at most, and what is searched for therefore too."""

WIDEST: Final = 116
"""Columns beyond which what belongs together stands too far apart."""

CHOICES: Final[dict[str, tuple[object, ...]]] = {
    "players": (None, *range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1)),
    "edition": (None, *EDITIONS),
    "bots": (None, True, False),
    "outcome": (None, "finished", "abandoned"),
}
"""What games can be narrowed by, besides a name: fields of `Filter`, and their values in turn."""

READING: Final = "reading"
"""The group of the workers that read what is shown: a new one takes the place of the last."""

Found = TypeVar("Found")


class PastBoard(Board):
    """A whole screen, drawn, with the choice of games in its second row."""

    narrows: ClassVar[tuple[str, ...]] = ()
    """The fields of `CHOICES` that this screen lets one choose."""

    def __init__(self, wanted: Wanted, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.wanted = wanted
        self.notice = ""
        """What went wrong."""

    def left(self, canvas: Canvas) -> int:
        """Return the column at which everything begins."""
        return max(2, (canvas.width - WIDEST) // 2)

    def draw_head(self, canvas: Canvas, title: str, count: str) -> None:
        """Draw the first row, and in the second which games are shown."""
        palette = canvas.palette
        head = style(palette.ink, palette.panel, bold=True)
        canvas.fill(0, 0, canvas.width, 1, head, " ")
        canvas.text(1, 0, f"Driflamme  {title}", head)
        mute = style(palette.mute, palette.panel)
        canvas.text(canvas.width - 1 - cell_len(canvas.glyphs.plain(count)), 0, count, mute)
        self._draw_choice(canvas, self.left(canvas), 1)

    def _draw_choice(self, canvas: Canvas, x: int, y: int) -> None:
        """Draw what the games are narrowed to; each part may be clicked."""
        palette, glyphs = canvas.palette, self.glyphs
        searched = self.wanted.games.player or ""
        if self.wanted.typing:
            ink = style(palette.ink, palette.field, bold=True)
            x = canvas.text(x, y, _("Name: "), canvas.mute)
            x = canvas.text(x, y, f"{searched}{glyphs.bar}", ink, NAME_ROOM + 1) + 2
        else:
            label = _("Name: {name}").format(name=searched or self.glyphs.dash)
            ink = canvas.bold if searched else canvas.mute
            x = self.place(canvas, x, y, label, ink, "search") + 2
        for each in self.narrows:
            text = self._choice(each)
            if x + cell_len(text) > canvas.width - 1:
                break
            ink = canvas.mute if getattr(self.wanted.games, each) is None else canvas.bold
            x = self.place(canvas, x, y, text, ink, f"narrow('{each}')") + 2

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

    def draw_notice(self, canvas: Canvas, y: int) -> None:
        """Draw what went wrong."""
        alert = canvas.ink(canvas.palette.alert, bold=True)
        canvas.text(self.left(canvas), y, self.notice, alert)


class PastScreen(FullScreen, Generic[Found]):
    """A screen that reads past games and shows what it has found."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("past")

    services: "PlayServices"

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self.wanted = wanted
        self._failed = False
        """Whether the last reading did not come to its end, which the next one makes good."""

    @property
    def board(self) -> PastBoard:
        """What the screen is drawn on."""
        return self.query_one(PastBoard)

    def on_screen_resume(self) -> None:
        """Read the games, and again when one comes back: they may be others, or fewer."""
        self.read()

    def relabel(self) -> None:
        """Word and draw everything anew."""
        self.board.notice = ""
        super().relabel()

    def sync(self) -> None:
        """Draw what is known, and the keys that can be pressed."""
        self.board.redraw()
        self.show_keys(self.query_one(Keys))

    def show_keys(self, keys: Keys) -> None:
        """Show what can be done now."""
        raise TypeError("a screen of past games says what can be done there")

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
                    self._failed, self.board.notice = False, ""
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
                with History.open() as history:
                    return task(history)
            except StoreError as error:
                return partial(self._failing, error, reading=group == READING)

        self.in_background(work, group=group)

    def _failing(self, error: ExplainedError, *, reading: bool) -> None:
        self._failed = self._failed or reading
        self.show_notice(error.sentence(_))

    def show_notice(self, notice: str) -> None:
        """Say what went wrong."""
        self.board.notice = notice
        self.sync()

    # Which games

    def want(self, games: Filter) -> None:
        """Look at other games from now on."""
        if games != self.wanted.games:
            self.wanted.games = games
            self.board.notice = ""
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
