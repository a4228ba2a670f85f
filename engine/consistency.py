"""Checks that the cards, the Queue and the question of a position fit together.

The engine checks every position or view that it parses from text, and a client every view from a
host. The checks accept positions that no game can reach.
"""

from typing import Final

from engine.abilities import neighbours
from engine.cards import (
    CARDS,
    HAND,
    INTRIGUES,
    MAXIMUM_PLAYERS,
    MINIMUM_PLAYERS,
    ROUNDS,
    SET_ASIDE,
    SHAPESHIFTER,
    UNKNOWN,
    Card,
    in_order,
)
from engine.position import (
    LEAVE_OR_REVEAL,
    OVER,
    PLACE,
    Position,
    Stack,
    cards_of,
    top_card,
)
from engine.texts import ExplainedError
from engine.views import View

FEWEST_ANSWERS: Final = 2
"""The fewest answers to a question. If there is only one answer, nobody is asked."""


class PositionError(ExplainedError):
    """Raised if the parts of a position do not fit together.

    The error's sentence has the reason.
    """


def check_position(position: Position) -> None:
    """Raise PositionError unless the families, the cards, the Queue and the question fit together.

    The number of legal answers is not checked.
    """
    check_families(position.families)
    for stack in position.queue:
        _check_stack(position, stack)
    for cards in (*position.hands, *position.aside):
        check_cards(cards, mixed=False)
    _check_turn(position)
    _check_ten_cards(position)


def check_view(seen: View) -> None:
    """Raise PositionError unless a view is consistent and shows its viewers their own cards.

    A question to a viewer needs at least two answers.
    """
    check_position(seen)
    for seat in seen.viewers:
        if not 0 <= seat < seen.players:
            raise PositionError(
                "There is no seat {seat} at this table: choose one of its players.", seat=seat
            )
        if UNKNOWN in cards_of(seen, seat):
            raise PositionError(
                "Write the player's own cards instead of ?: players know their own cards."
            )
    if seen.turn in seen.viewers and not seen.over:
        check_answers(len(seen.legal))


def check_answers(answers: int) -> None:
    """Raise PositionError if a question has too few answers."""
    if answers < FEWEST_ANSWERS:
        raise PositionError(
            "Write a position with two answers or more: with fewer, nobody is asked."
        )


def check_families(families: str) -> None:
    """Raise PositionError unless three to five different families play."""
    if not MINIMUM_PLAYERS <= len(families) <= MAXIMUM_PLAYERS:
        raise PositionError("Write 3 to 5 families, not {families}.", families=len(families))
    if len(set(families)) < len(families):
        raise PositionError("Write each family once among the players.")


def check_cards(cards: str, *, mixed: bool) -> None:
    """Raise PositionError unless cards are in the order of `in_order`.

    Unless `mixed` is True, either all cards or none must be unknown.
    """
    if cards != in_order(cards) or (not mixed and UNKNOWN in cards and set(cards) != {UNKNOWN}):
        raise PositionError(
            "Write cards in the order {order}, each once, not {cards!r}.",
            order=CARDS,
            cards=cards,
        )


def _check_stack(position: Position, stack: Stack) -> None:
    """Raise PositionError if a card of a stack cannot lie on the card beneath it."""
    family = position.families[stack[0]]
    lower: Stack | None = stack
    while lower is not None:
        seat, _, face_up, influence, covered = lower
        if face_up and influence:
            raise PositionError(
                "Do not write influence on {card!r}: it is face up.", card=top_card(family, lower)
            )
        if covered is not None and covered[0] != seat:
            raise PositionError(
                "Do not write {card!r} on a card of another family: players stack only on their "
                "own cards.",
                card=top_card(family, lower),
            )
        if covered is not None and covered[2] and covered[1] in INTRIGUES:
            raise PositionError("Do not write a card on a face-up Intrigue: it cannot be covered.")
        lower = covered


def _check_turn(position: Position) -> None:
    """Raise PositionError unless the question fits the round and the resolving card.

    No other Intrigue may be face up.
    """
    if position.question == OVER and position.round != ROUNDS:
        raise PositionError("Write that the game is over only in round 6: it does not end before.")
    resolving = None
    if position.at >= 0:
        if position.at >= len(position.queue):
            raise PositionError(
                "Write a turn about a card in the Queue: there is none at position {position}.",
                position=position.at + 1,
            )
        seat, card, face_up, _, _ = position.queue[position.at]
        if position.question == LEAVE_OR_REVEAL:
            fits = not face_up
        else:
            fits = face_up and _may_apply(position, card, position.question)
        if seat != position.turn or not fits:
            raise PositionError(
                "Write a turn that fits the card at position {position}.",
                position=position.at + 1,
            )
        resolving = position.at
    for index, (_, card, face_up, _, _) in enumerate(position.queue):
        if face_up and card in INTRIGUES and index != resolving:
            raise PositionError(
                "Write the Intrigue at position {position} face down: it is not being resolved.",
                position=index + 1,
            )


def _may_apply(position: Position, card: Card, ability: str) -> bool:
    if card == ability:
        return True
    return card == SHAPESHIFTER and any(
        position.queue[beside][2] and position.queue[beside][1] == ability
        for beside in neighbours(position, position.at)
    )


def _check_ten_cards(position: Position) -> None:
    """Raise PositionError unless each family has its ten cards, each once.

    Three must be set aside, and the size of the hand must fit the round and the turn.
    """
    after = HAND - position.round
    placed = position.players
    if position.question == PLACE:
        placed = (position.turn - position.first) % position.players
    for seat, family in enumerate(position.families):
        if len(position.aside[seat]) != SET_ASIDE:
            raise PositionError(
                "Write 3 cards set aside for family {family}, not {cards}.",
                family=family,
                cards=len(position.aside[seat]),
            )
        cards = cards_of(position, seat)
        known = [card for card in cards if card != UNKNOWN]
        if len(cards) != len(CARDS) or len(set(known)) != len(known):
            raise PositionError("Write all ten cards of family {family}, each once.", family=family)
        order = (seat - position.first) % position.players
        needed, found = after if order < placed else after + 1, len(position.hands[seat])
        if found != needed:
            raise PositionError(
                "Write {cards} cards in hand for family {family} now, not {found}.",
                family=family,
                cards=needed,
                found=found,
            )
