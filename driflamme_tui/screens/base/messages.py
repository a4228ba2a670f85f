"""Defines messages from a screen to the app, which imports no screen for them.

Data about the table, and requests to it, go through the `PlayerSeat`; the appearance comes from the
`Terminal`. Sizes, focus and the stack of screens come from Textual itself.
"""

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from driflamme_tui.preferences.settings import Value
    from driflamme_tui.seat.targets import Plan
    from engine.cards import Seat
    from engine.replaying import Replay


class Go(Message):
    """Requests to go to a table."""

    def __init__(self, plan: "Plan") -> None:
        super().__init__()
        self.plan = plan


class LeaveTable(Message):
    """Requests to leave a table or a server. The player's own table then closes."""


class ShowResult(Message):
    """Requests to switch from the table at the end of a game to its result, or back."""

    def __init__(self, shown: bool) -> None:
        super().__init__()
        self.shown = shown


class LookBack(Message):
    """Requests to show the replay of a game, from a step on, above the present screen."""

    def __init__(
        self,
        replay: "Replay",
        step: int = 0,
        own: "tuple[Seat, ...]" = (),
        learns: bool = False,
    ) -> None:
        super().__init__()
        self.replay = replay
        self.step = step
        self.own = own
        """The reader's seats in the game."""
        self.learns = learns
        """True to judge the reader's decisions at once."""


class Settle(Message):
    """Requests to store a setting permanently, and to apply it at once."""

    def __init__(self, name: str, value: "Value") -> None:
        super().__init__()
        self.name = name
        self.value = value
