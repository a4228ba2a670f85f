"""What a table and a game that is looked back at share: cards to look at, by keys and by mouse."""

from textual import on
from textual.screen import Screen

from driflamme_tui.drawing.layout import CHOICES, Layout
from driflamme_tui.drawing.queue_sizes import QueueRoom
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.model.motion_frames import Reel
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.seats import Seats
from engine.position import cards_in
from engine.view import View


class CardsScreen(FullScreen):
    """A screen with the zones of a table."""

    notice: str
    """What the last key or click came to, if that is not to be seen."""

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

    def room(self, view: View) -> QueueRoom:
        """Return the room that the phase of a view needs, so that nothing shifts within."""
        raise TypeError("a screen with cards says for how many it has room")

    def kept_rows(self) -> int:
        """Return the rows at the bottom that are for something else than the table's own."""
        return 0

    def layout_for(self, view: View, cards: str = "") -> Layout:
        """Return the layout, with cards of a size or else of the one that the player has chosen."""
        return self.room(view).layout(
            *self.app.size,
            chosen=cards or self.services.settings.cards,
            watching=0 if view.viewer is not None else view.players,
            kept=self.kept_rows(),
        )

    def action_size(self) -> None:
        """Draw the cards in the next size that makes a difference here."""
        view, cards = self.state().view, self.services.settings.cards
        now, layout = CHOICES.index(cards), self.layout_for(view)
        others = CHOICES[now + 1 :] + CHOICES[:now]
        size = next((each for each in others if self.layout_for(view, each) != layout), None)
        if size is not None:
            self.services.change_setting("cards", size)
        else:
            self.notice = _("There is room for cards of one size only.")
        self.show()

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
