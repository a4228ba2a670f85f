"""The reader's hand as one widget, with the cards that they set aside."""

from dataclasses import dataclass

from textual import events
from textual.message import Message

from driflamme_tui.i18n import _
from driflamme_tui.table_state import TableState
from driflamme_tui.widgets.canvas import Canvas
from driflamme_tui.widgets.card_art import Face, Look, draw_card
from driflamme_tui.widgets.drawn import Drawn
from driflamme_tui.widgets.layout import HAND_TITLE
from driflamme_tui.widgets.palette import style
from driflamme_tui.wording.names import card_name_for
from engine.cards import Card
from engine.position import PLACE


class Hand(Drawn):
    """The cards of the hand, side by side."""

    @dataclass
    class Pressed(Message):
        """A card was clicked."""

        card: Card

    @dataclass
    class Hovered(Message):
        """The pointer is over a card, or over none (an empty letter)."""

        card: Card

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state: TableState | None = None
        self._hovered: Card = ""

    def show(self, state: TableState) -> None:
        """Draw a moment of the table."""
        self.state = state
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        """Draw the hand; for a spectator, that they are watching."""
        palette = canvas.palette
        state = self.state
        if state is None:
            return
        you, view, glyphs = state.you, state.view, state.glyphs
        if you is None:
            canvas.text(1, 0, _("WATCHING"), style(palette.ink, palette.table, bold=True))
            canvas.text(1, 1, _("You see what everybody sees."), style(palette.mute, palette.table))
            return
        family = view.families[you]
        hand = view.hands[you]
        hue = style(palette.families[family].hue, palette.table, bold=True)
        end = canvas.text(1, 0, _("HAND {n}").format(n=len(hand)), hue)
        room = 6 if canvas.width < 48 else 9
        aside = " ".join(card_name_for(card, room - 2).lower() for card in view.aside[you])
        label = _("aside {cards}").format(cards=aside)
        canvas.text(end + 2, 0, label, style(palette.mute, palette.table, italic=True))
        chosen = state.chosen_card()
        asked = state.answerable and view.asked == PLACE
        for index, card in enumerate(hand):
            look = Look.PLAIN if asked else Look.DIM
            if asked and card == chosen:
                look = Look.CHOSEN
            looked = state.cursor is not None and state.cursor.card == card
            draw_card(
                canvas,
                1 + index * state.layout.hand_card.pitch,
                HAND_TITLE,
                state.layout.hand_card,
                Face(family, card, face_up=True),
                look,
                glyphs,
                key=True,
                underline=looked,
            )

    def on_click(self, event: events.Click) -> None:
        """Tell which card was clicked."""
        card = self._card_at(event.x, event.y)
        if card:
            self.post_message(self.Pressed(card))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell which card the pointer is over, when that changes."""
        self._hover(self._card_at(event.x, event.y))

    def on_leave(self, event: events.Leave) -> None:
        """The pointer is over no card."""
        self._hover("")

    def _hover(self, card: Card) -> None:
        if card != self._hovered:
            self._hovered = card
            self.post_message(self.Hovered(card))

    def _card_at(self, x: int, y: int) -> Card:
        state = self.state
        if state is None or state.you is None or y < HAND_TITLE or x < 1:
            return ""
        hand = state.view.hands[state.you]
        index = (x - 1) // state.layout.hand_card.pitch
        return hand[index] if index < len(hand) else ""
