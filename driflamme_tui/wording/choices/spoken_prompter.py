"""Formulates questions for listeners, without signs."""

from collections.abc import Iterable

from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.names import card_name
from engine.cards import UNKNOWN, Card, Seat
from engine.texts import Text


class SpokenPrompter(Prompter, frozen=True):
    """Formulates questions for listeners: players are named only by name, without signs."""

    addresses_reader: bool = True
    """True if the reader's own cards are "your" cards; otherwise they have the reader's name."""

    def tag(self, seat: Seat) -> str:
        """Return a player's name."""
        return self.names[seat]

    who = tag

    def named(self, seat: Seat, card: Card, face_up: bool, position: int) -> str:
        """Return a card of the Queue as events name it, in the same words face up and face down."""
        text: Text = "{name}'s {card} at {position}"
        if self.addresses_reader and self.view.viewers == (seat,):
            text = "your {card} at {position}"
        elif card == UNKNOWN:
            text = "{name}'s card at {position}"
        return _(text, name=self.tag(seat), card=card_name(card), position=position)

    def placed(self, card: Card, position: int) -> str:
        """Return a card's name and position, without its owner."""
        return _("the {card} at {position}", card=card_name(card), position=position)

    def sequence(self, moves: Iterable[str], between: str = " ") -> str:
        """Return moves in a row, with the language's semicolon between two moves."""
        return _("; ").join(moves)

    def _shout(self, position: int) -> str:
        return self.at(position).upper()

    def _with_influence(self, card: Card, face_up: bool, influence: int) -> str:
        return super()._with_influence(card, True, influence)

    def place(self, position: int) -> str:
        """Return a place in the Queue, in words that follow the number of a choice."""
        return _("Position {n}", n=position)
