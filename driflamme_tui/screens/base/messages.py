"""Defines messages from a screen to the app, which imports no screen for them.

Data about the table, and requests to it, go through the `PlayerSeat`; the appearance comes from the
`Terminal`. Sizes, focus and the stack of screens come from Textual itself.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from driflamme_tui.preferences.settings import Value
    from driflamme_tui.seat.targets import Plan
    from engine.cards import Seat
    from engine.replaying import Replay


@dataclass(eq=False, repr=False)
class Go(Message):
    """Requests to go to a table."""

    plan: "Plan"


class LeaveTable(Message):
    """Requests to leave a table or a server. The player's own table then closes."""


@dataclass(eq=False, repr=False)
class ShowResult(Message):
    """Requests to switch from the table at the end of a game to its result, or back."""

    shown: bool


@dataclass(eq=False, repr=False)
class LookBack(Message):
    """Requests to show the replay of a game, from a step on, above the present screen."""

    replay: "Replay"
    step: int = 0
    own: "tuple[Seat, ...]" = ()
    """The reader's seats in the game."""
    learns: bool = False
    """True to judge the reader's decisions at once."""


@dataclass(eq=False, repr=False)
class Settle(Message):
    """Requests to store a setting permanently, and to apply it at once."""

    name: str
    value: "Value"
