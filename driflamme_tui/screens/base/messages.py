"""Defines the messages that screens send to the app.

The app fulfils these requests. Data about the table, and requests to the table, go through the
`PlayerSeat`. The appearance comes from the `Terminal`. Sizes, focus and the stack of screens come
from Textual itself.
"""

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from driflamme_tui.preferences.settings import Value
    from driflamme_tui.seat.targets import Plan
    from engine.cards import Seat
    from engine.replaying import Replay


class Go(Message):
    """Asks the app to start a plan, for example to join a table."""

    def __init__(self, plan: "Plan", name: str = "") -> None:
        """Go under another name of the player; "" for the present name."""
        super().__init__()
        self.plan, self.name = plan, name


class LeaveTable(Message):
    """Asks the app to leave a table or a list of tables.

    If the player hosts the table, the table closes.
    """


class ShowResult(Message):
    """Asks for the result of a finished game; with `is_shown` False, for the table at its end."""

    def __init__(self, *, is_shown: bool) -> None:
        super().__init__()
        self.is_shown = is_shown


class LookBack(Message):
    """Asks the app to show the replay of a game, from a step on, above the present screen."""

    def __init__(
        self,
        replay: "Replay",
        step: int = 0,
        own: "tuple[Seat, ...]" = (),
        *,
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
    """Asks the app to store a setting permanently, and to apply it at once."""

    def __init__(self, name: str, value: "Value") -> None:
        super().__init__()
        self.name = name
        self.value = value
