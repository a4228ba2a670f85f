"""Whole games that a view could be a view of: its unknown cards dealt out at random.

A world differs from the view in nothing but what the viewer may not know, so the viewer's view
of every world is the same. Which of the possible cards lies where is all that there is to know:
the cards of a family that have been seen are out of the question, each of the others is somewhere.
"""

from random import Random

from engine.cards import CARDS, UNKNOWN, Card, Seat
from engine.game import Game
from engine.position import Stack, cards_in
from engine.view import View

_HANDS = [
    "".join(card for bit, card in enumerate(CARDS) if mask >> bit & 1) for mask in range(1024)
]
"""Every set of cards in the order of `CARDS`, by the sum of the bits of its cards."""

_BIT = {card: 1 << bit for bit, card in enumerate(CARDS)}


def unseen(view: View, seat: Seat) -> str:
    """Return the cards of a seat's family of which the viewer does not know where they are."""
    seen = set(view.out[seat] + view.hands[seat] + view.aside[seat])
    for stack in view.queue:
        if stack[0] == seat:
            seen.update(card for card, _, _ in cards_in(stack))
    return "".join(card for card in CARDS if card not in seen)


class Worlds:
    """Deals the cards that a view leaves open."""

    def __init__(self, view: View, rng: Random) -> None:
        self._rng = rng
        self._known = _as_game(view)
        self._families = [_Family(view, seat) for seat in range(view.players) if unseen(view, seat)]

    def sample(self) -> Game:
        """Return a game in which every card is known, at the question that the view asks."""
        game = self._known.copy()
        game.aside = game.aside.copy()
        for family in self._families:
            self._rng.shuffle(family.cards)
            family.deal(game)
        return game


class _Family:
    """Where the unknown cards of one family are."""

    def __init__(self, view: View, seat: Seat) -> None:
        self.seat = seat
        self.cards: list[Card] = list(unseen(view, seat))
        """First those in the Queue, from its start and each stack from the bottom; then those in
        hand; then those set aside."""
        self._stacks = [
            (index, _bottom_first(stack))
            for index, stack in enumerate(view.queue)
            if stack[0] == seat and any(card == UNKNOWN for card, _, _ in cards_in(stack))
        ]
        self._hand = view.hands[seat].count(UNKNOWN)
        self._aside = view.aside[seat].count(UNKNOWN)

    def deal(self, game: Game) -> None:
        """Put the cards, in the order in which they are, where the unknown ones are."""
        seat = self.seat
        cards = iter(self.cards)
        for index, stack in self._stacks:
            rebuilt: Stack | None = None
            for card, face_up, influence in stack:
                rebuilt = (
                    seat,
                    next(cards) if card == UNKNOWN else card,
                    face_up,
                    influence,
                    rebuilt,
                )
            assert rebuilt is not None
            game.queue[index] = rebuilt
        if self._hand:
            game.hands[seat] = _HANDS[sum(_BIT[next(cards)] for _ in range(self._hand))]
        if self._aside:
            game.aside[seat] = _HANDS[sum(_BIT[next(cards)] for _ in range(self._aside))]


def _bottom_first(stack: Stack) -> list[tuple[Card, bool, int]]:
    return cards_in(stack)[::-1]


def _as_game(view: View) -> Game:
    """Return the view as a game in which the unknown cards are still to be filled in."""
    game = Game()
    game.edition = view.edition
    game.families = view.families
    game.round = view.round
    game.first = view.first
    game.turn = view.turn
    game.asked = view.asked
    game.at = view.at
    game.queue = list(view.queue)
    game.hands = list(view.hands)
    game.aside = list(view.aside)
    game.out = list(view.out)
    game.pools = list(view.pools)
    game.legal = view.legal
    return game
