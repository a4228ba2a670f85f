"""What a screen asks of the app that shows it, which stands above all screens.

What is known of the table, and may be said there, is asked of the `Sitting`; how all looks, of the
`Terminal`. Sizes, focus and the stack of screens are Textual's own.
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
    """Leave a table or a club; a table of one's own is closed."""


@dataclass(eq=False, repr=False)
class ShowResult(Message):
    """Go from the table at the end of a game to its result, or back."""

    shown: bool


@dataclass(eq=False, repr=False)
class LookBack(Message):
    """Look back at a game from a step on, over what is shown now."""

    replay: "Replay"
    step: int = 0


@dataclass(eq=False, repr=False)
class Settle(Message):
    """Keep a setting for good, and let everything follow it at once."""

    name: str
    value: "Value"
