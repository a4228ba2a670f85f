"""Formulates the player's conditional answers.

A conditional answer leaves a card face down without a question, until a round begins.
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
    """Yield the possible conditional answers for a card; first None: the table asks the player."""
    yield None
    for number in range(view.round + 1, ROUNDS + 1):
        yield Condition(card=card, until_round=number)


def condition_of(card: str, conditions: Sequence[Condition]) -> Condition | None:
    """Return the player's conditional answer for a card; None if the table asks the player."""
    return next((each for each in conditions if each.card == card), None)


def with_condition(
    conditions: Sequence[Condition], card: str, condition: Condition | None
) -> tuple[Condition, ...]:
    """Return the conditional answers with `condition` in place of the card's earlier one.

    With None, only remove the earlier one.
    """
    others = tuple(each for each in conditions if each.card != card)
    return others if condition is None else (*others, condition)


def condition_words(condition: Condition | None) -> str:
    """Return a conditional answer in a few words; for None, that the table asks the player."""
    if condition is None:
        return _("ask me")
    if condition.until_round is None:
        return _("leave")
    return _("leave until round {number} begins", number=condition.until_round)


def condition_sentence(condition: Condition) -> str:
    """Return a sentence with a card's name and its conditional answer."""
    return _(
        "{card}: {condition}.",
        card=card_name(condition.card[1:]),
        condition=condition_words(condition),
    )
