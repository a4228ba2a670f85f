"""Defines messages from a screen to the app, which no screen imports.

Data about the table, and requests to it, go through the `PlayerSeat`; the appearance comes from the
`Terminal`. Sizes, focus and the stack of screens come from Textual itself.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from driflamme_tui.preferences.settings import Value
    from driflamme_tui.seat.targets import Plan
    from engine.replaying import Replay


@dataclass(eq=False, repr=False)
class Go(Message):
    """Go to a table."""

    plan: "Plan"


class LeaveTable(Message):
    """Leave a table or a club. The player's own table closes."""


@dataclass(eq=False, repr=False)
class ShowResult(Message):
    """Go from the table at the end of a game to the result screen, or back."""

    shown: bool


@dataclass(eq=False, repr=False)
class LookBack(Message):
    """Show the replay of a game from a step on, above the present screen."""

    replay: "Replay"
    step: int = 0


@dataclass(eq=False, repr=False)
class Settle(Message):
    """Store a setting permanently, and apply it at once."""

    name: str
    value: "Value"
