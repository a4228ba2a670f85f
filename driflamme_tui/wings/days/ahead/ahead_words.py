"""Formulates the player's wishes for later questions.

A wish says that a card is left face down without a question, until a round.
"""

from collections.abc import Iterator, Sequence

from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name
from engine.cards import ROUNDS, UNKNOWN
from engine.views import View
from netcode.wings.days.messages import Condition


def cards_to_leave(view: View) -> list[tuple[str, int]]:
    """Return the reader's face-down cards in the Queue, each with its position.

    A card is named by the letters of its family and of the card.
    """
    found = []
    for position, stack in enumerate(view.queue, 1):
        seat, card, face_up, _influence, _covered = stack
        if seat in view.viewers and not face_up and card != UNKNOWN:
            found.append((f"{view.families[seat]}{card}", position))
    return found


def choices(view: View, card: str) -> Iterator[Condition | None]:
    """Yield the possible wishes for a card; the first is None: the player decides when asked."""
    yield None
    for number in range(view.round + 1, ROUNDS + 1):
        yield Condition(card=card, until_round=number)


def wish_of(card: str, conditions: Sequence[Condition]) -> Condition | None:
    """Return the player's wish for a card; None if they decide when asked."""
    return next((each for each in conditions if each.card == card), None)


def with_wish(
    conditions: Sequence[Condition], card: str, wish: Condition | None
) -> tuple[Condition, ...]:
    """Return the wishes with `wish` for a card in place of an earlier one; None only removes it."""
    others = tuple(each for each in conditions if each.card != card)
    return others if wish is None else (*others, wish)


def wish_words(wish: Condition | None) -> str:
    """Return a wish in a few words; for None, that the player wants to be asked."""
    if wish is None:
        return _("ask me")
    if wish.until_round is None:
        return _("leave")
    return _("leave until round {number} begins", number=wish.until_round)


def wish_sentence(wish: Condition) -> str:
    """Return a sentence with a card's name and the player's wish for the card."""
    return _("{card}: {wish}.", card=card_name(wish.card[1:]), wish=wish_words(wish))
