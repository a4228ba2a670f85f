"""What a table and a game that is looked back at share: cards to look at, by keys and by mouse."""

from textual import on
from textual.screen import Screen

from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.model.motion_frames import Reel
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.seats import Seats
from engine.position import cards_in


class CardsScreen(FullScreen):
    """A screen with the zones of a table."""

    def __init__(self) -> None:
        super().__init__()
        self.cursor: Cursor | None = None
        """What is looked at."""
        self.looking = False
        """Whether the arrow keys move the look cursor, and do nothing else."""
        self._reel = Reel()

    def state(self) -> TableState:
        """Return the present moment."""
        raise TypeError("a screen with cards says what it shows")

    def show(self) -> None:
        """Draw the present moment."""
        self.sync()

    def pictures_wanted(self) -> bool:
        """Whether what happens is to be told in pictures."""
        return self.app.animation_level != "none" and not self.services.line.slow

    def point_at(self, cursor: Cursor | None) -> None:
        """Look at what the mouse is on, unless the keys look around."""
        if not self.looking and cursor != self.cursor:
            self.cursor = cursor
            self.show()

    @on(Seats.Hovered)
    def _seat_hovered(self, message: Seats.Hovered) -> None:
        self.point_at(Cursor(seat=message.seat) if message.seat >= 0 else None)

    @on(Hand.Hovered)
    def _hand_hovered(self, message: Hand.Hovered) -> None:
        self.point_at(Cursor(card=message.card) if message.card else None)

    def action_depth(self, by: int) -> None:
        """Look a card further down a stack, or further up."""
        cursor, queue = self.cursor, self.state().view.queue
        if self.looking and cursor is not None and 0 <= cursor.index < len(queue):
            deepest = len(cards_in(queue[cursor.index])) - 1
            self.cursor = Cursor(cursor.index, max(0, min(deepest, cursor.depth + by)))
            self.show()

    def lay_over(self, overlay: Screen[None]) -> None:
        """Show something over the cards."""
        self.app.push_screen(overlay)

    def action_known(self) -> None:
        """Show what is known of every card."""
        from driflamme_tui.screens.overlays.card_reference import CardReferenceOverlay

        self.lay_over(CardReferenceOverlay(self.state()))

    def action_events(self) -> None:
        """Show all that has happened."""
        from driflamme_tui.screens.overlays.table_overlays import EventsOverlay

        self.lay_over(EventsOverlay(self.state()))
