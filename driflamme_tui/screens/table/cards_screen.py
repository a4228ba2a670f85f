"""What a table and a game that is looked back at share: the zones, and cards to look at."""

from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widget import Widget

from driflamme_tui.drawing.layout import (
    CHOICES,
    COMFORTABLE_WIDTH,
    HAND_MARGIN,
    NAMES,
    Layout,
    QueueRoom,
)
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.model.motion_frames import Reel
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.screens.base.messages import Settle
from driflamme_tui.screens.table.looking import Looking
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.header import Header, TableBar
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.widgets.table.side_panels import KNOWN_LEAST, KNOWN_WIDTH, CardHelp, Events
from engine.cards import HAND
from engine.view import View

WATCHING_WIDTH: Final = KNOWN_WIDTH + 5
"""Columns of what is known where a spectator has no hand."""


class CardsScreen(FullScreen):
    """A screen with the zones of a table."""

    look: Looking
    """What is looked at."""

    def __init__(self) -> None:
        super().__init__()
        self._reel = Reel()

    def state(self) -> TableState:
        """Return the present moment."""
        raise TypeError("a screen with cards says what it shows")

    def show(self) -> None:
        """Draw the present moment."""
        self.sync()

    # The zones

    def table_zones(
        self, asked: Widget, *beside: Widget, below: tuple[Widget, ...] = ()
    ) -> ComposeResult:
        """Lay the zones out from the top.

        Args:
            asked: What stands below the Queue.
            beside: What stands beside the hand and the panel about a card.
            below: What stands beside the events.
        """
        yield Header(id="header")
        yield Seats(id="seats")
        yield Queue(id="queue")
        yield asked
        with Horizontal(id="middle"):
            yield Hand(id="hand")
            yield CardHelp(id="card-help")
            yield from beside
        with Horizontal(id="bottom"):
            yield Events(id="events")
            yield from below

    def show_zones(self, state: TableState, asked: type[Widget], hand: int) -> None:
        """Give the zones their sizes, the hand so many columns, and draw a moment on them."""
        layout = state.layout
        self.query_one(Seats).styles.height = layout.seats + layout.air
        self.query_one(Queue).styles.height = layout.queue_height + layout.air
        self.query_one("#middle").styles.height = layout.hand_height + layout.air
        self.query_one(asked).styles.height = layout.prompt
        below, shown = layout.below, self.query_one(Hand)
        self.query_one("#middle").styles.layout = "vertical" if below else "horizontal"
        shown.styles.width = "100%" if below else hand
        shown.styles.height = layout.hand_height - below + NAMES if below else "100%"
        for zone in self.query(TableBar):
            zone.show(state)

    def hand_width(self, state: TableState) -> int:
        """Return the columns of the hand, which has a card less every round."""
        layout = state.layout
        if state.you is None:
            return WATCHING_WIDTH if layout.width >= COMFORTABLE_WIDTH else KNOWN_LEAST
        hand = layout.hand_card.across(HAND + 1 - state.view.round) + HAND_MARGIN
        return max(layout.hand_least, hand)

    def room(self, view: View) -> QueueRoom:
        """Return the room that the round of a view needs, so that nothing shifts within."""
        raise TypeError("a screen with cards says for how many it has room")

    def kept_rows(self) -> int:
        """Return the rows at the bottom that are for something else than the table's own."""
        return 0

    def layout_for(self, view: View, cards: str = "") -> Layout:
        """Return the layout, with cards of a size or else of the one that the player has chosen."""
        return self.room(view).layout(
            *self.app.size,
            chosen=cards or self.terminal.settings.cards,
            watching=0 if view.viewer is not None else view.players,
            kept=self.kept_rows(),
        )

    def action_size(self) -> None:
        """Draw the cards in the next size that makes a difference here."""
        view, cards = self.state().view, self.terminal.settings.cards
        now, layout = CHOICES.index(cards), self.layout_for(view)
        others = CHOICES[now + 1 :] + CHOICES[:now]
        size = next((each for each in others if self.layout_for(view, each) != layout), None)
        if size is not None:
            self.app.post_message(Settle("cards", size))
        else:
            self.notice = _("There is room for cards of one size only.")
        self.show()

    def pictures_wanted(self) -> bool:
        """Whether what happens is to be told in pictures."""
        return self.app.animation_level != "none" and not self.terminal.line.slow

    # Looking at cards

    def point_at(self, cursor: Cursor | None) -> None:
        """Look at what the mouse is on, unless the keys look around."""
        if cursor != self.look.cursor:
            self.look.point(cursor)
            self.show()

    @on(Seats.Hovered)
    def _seat_hovered(self, message: Seats.Hovered) -> None:
        self.point_at(Cursor(seat=message.seat) if message.seat >= 0 else None)

    @on(Hand.Hovered)
    def _hand_hovered(self, message: Hand.Hovered) -> None:
        self.point_at(Cursor(card=message.card) if message.card else None)

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

    def leave_at_once(self) -> None:
        """Leave at once: there is nothing to lose."""
        if len(self.app.screen_stack) > 2:
            self.dismiss()
        else:
            self.app.exit()
