"""What a screen may ask of the app that shows it, which stands above all screens.

What is known of the table, and may be said there, is asked of the `Sitting`. Sizes, focus and the
stack of screens are Textual's own, at `self.app`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from driflamme_tui.drawing.frame_diff import SlowLine
from driflamme_tui.drawing.palette import Palette
from driflamme_tui.model.history_totals import Wanted
from driflamme_tui.preferences.remembered import WayBack
from driflamme_tui.preferences.settings import Settings, Value
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.text.signs import Glyphs
from engine.record import Record
from netcode.joining.discovery import FoundTable

if TYPE_CHECKING:
    # A table without doors loads no sockets.
    from driflamme_tui.hosting.open_doors import OpenDoors
    from driflamme_tui.hosting.outside import Outside


class Services(Protocol):
    """What any screen may ask of the app."""

    sitting: Sitting
    """The place at a table, or on the way to one."""
    player_name: str
    """The player's name."""

    COACHES: ClassVar[bool]
    """Whether first games have a coach."""
    settings: Settings
    """The player's settings."""
    glyphs: Glyphs
    """What everything is drawn with."""
    line: SlowLine
    """How fast the line to the terminal is."""
    guard_s: float
    """For how long after a question nothing answers it."""
    second_click_s: float
    """How soon after a choice a click confirms it."""

    def signal(self, sent: Iterable[str]) -> None:
        """Send what a terminal does not draw: a bell, a notice, a title."""

    @property
    def palette(self) -> Palette:
        """The colours that everything is drawn in."""

    def clock(self) -> float:
        """Return seconds that only ever go forward."""

    def ignores_keys(self) -> bool:
        """Whether keys that come now were typed at what has just gone."""

    def change_setting(self, name: str, value: Value) -> None:
        """Keep a setting for good, and let everything follow it at once."""

    def open_commands(self) -> None:
        """Show all commands of the present screen, to search and choose from."""

    def open_options(self) -> None:
        """Show the settings that the player may change."""

    @property
    def folder(self) -> Path | None:
        """Where files go that are saved; None on a machine that is not the player's."""

    def open_help(self, page: str) -> None:
        """Show the help at a page, with the keys of the present screen."""

    # Of a table, and the ways to one

    @property
    def doors(self) -> "OpenDoors | None":
        """The doors of the player's own table, if it has some."""

    @property
    def outside(self) -> "Outside | None":
        """The way for friends in other homes to the player's own table, if there can be one."""

    @property
    def found_tables(self) -> Sequence[FoundTable]:
        """The tables of this network, while they are looked for."""

    def after_lesson(self, way: str) -> object:
        """Leave the lesson and do what the learner chose next, a word of `alone_words`."""

    def can_reopen(self) -> bool:
        """Whether there is an unfinished table of the player's that no program has open."""

    def way_back(self) -> WayBack | None:
        """Return the way back to a seat that the player has left without giving it up."""

    def join(self, text: str, watch: bool = False) -> None:
        """Join or watch the table of what was typed: a link, a code, or an address and a code."""

    def watch_for_tables(self) -> None:
        """Begin to look for tables on this network."""

    def stop_watching(self) -> None:
        """Look for tables no more."""

    def enter_table(self, secret: bytes, watch: bool) -> None:
        """Go from a club to one of its tables, to sit down or to watch."""

    def open_club_table(self) -> None:
        """Open another table of the club, and go there."""

    def refresh_club(self) -> None:
        """Ask the club for its tables again."""

    def retry_now(self) -> None:
        """Try a lost line at once, rather than when its wait is over."""

    def leave_table(self) -> None:
        """Leave a table or a club; a table of one's own is closed."""

    def leaving_means(self) -> str:
        """Return what leaving now would do, and ask whether to."""

    # Other screens

    def show_result(self, shown: bool) -> None:
        """Go from the table at the end of a game to its result, or back."""

    def show_history(self, wanted: Wanted) -> None:
        """Show the past games that are wanted, over what is shown now."""

    def show_statistics(self, wanted: Wanted) -> None:
        """Show what the past games that are wanted add up to, over what is shown now."""

    def show_replay(self, record: Record, step: int = 0) -> None:
        """Look back at a game from a step on, over what is shown now; raises RecordError."""
