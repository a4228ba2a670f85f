"""Samples games that fit a view, by dealing its unknown cards at random.

The cards that the view shows stay where they are. Each other card is dealt to one of the hidden
places.
"""

from collections.abc import Callable
from functools import cache
from math import exp
from random import Random
from typing import Final

from engine.bots.beliefs import ASIDE, Traits, in_hand, in_queue, weights
from engine.bots.memory import Memory
from engine.cards import CARDS, UNKNOWN, Card, Seat
from engine.game import Game
from engine.position import FIELDS, Stack, cards_in, unseen_cards
from engine.views import View

BURN_IN: Final = 10
"""Number of rounds of exchanges before the first sample."""

_BIT = {card: 1 << bit for bit, card in enumerate(CARDS)}


class Worlds:
    """Samples the hidden cards of a view."""

    def __init__(
        self,
        view: View,
        rng: Random,
        beliefs: Traits | None = None,
        memory: Memory | None = None,
    ) -> None:
        """Prepare the samples of a view. Deals that `beliefs` makes likely are more frequent.

        The traits of cards include their history in `memory`. Without beliefs all deals are equally
        likely.
        """
        self._rng = rng
        self._known = _as_game(view)
        self._families = [
            _Family(view, seat) for seat in range(view.players) if unseen_cards(view, seat)
        ]
        self._likely = (
            [
                _Likely(family, family.traits(view, memory), beliefs, rng)
                for family in self._families
            ]
            if beliefs
            else []
        )

    def sample(self) -> Game:
        """Return a game whose cards are all known, at the question of the view."""
        game = self._known.copy()
        game.aside = game.aside.copy()
        for likely in self._likely:
            likely.stir(1)
        for family in self._families:
            if not self._likely:
                family.shuffle(self._rng.random)
            family.deal(game)
        return game


class _Family:
    """The hidden places and cards of one family."""

    def __init__(self, view: View, seat: Seat) -> None:
        self.seat = seat
        self.cards: list[Card] = list(unseen_cards(view, seat))
        """The hidden cards, in the order of the zones.

        First come cards alone in the Queue, then cards in taller stacks from the bottom. The hand,
        the cards set aside, and the cards that went out unopened follow.
        """
        mine = [(index, stack) for index, stack in enumerate(view.queue) if stack[0] == seat]
        self._single = [
            (index, stack[3]) for index, stack in mine if stack[1] == UNKNOWN and stack[4] is None
        ]
        self._stacks = [
            (index, cards_in(stack)[::-1])
            for index, stack in mine
            if stack[4] is not None and any(card == UNKNOWN for card, _, _ in cards_in(stack))
        ]
        self._hand = view.hands[seat].count(UNKNOWN)
        self._aside = view.aside[seat].count(UNKNOWN)
        self._out = view.out[seat].count(UNKNOWN)

    def traits(self, view: View, memory: Memory | None) -> list[tuple[str, ...]]:
        """Return the traits of each hidden place, in the order of `cards`."""
        places = [(index, 0) for index, _ in self._single]
        places += [
            (index, len(stack) - 1 - at)
            for index, stack in self._stacks
            for at, (card, _, _) in enumerate(stack)
            if card == UNKNOWN
        ]
        found = [in_queue(view, *place) for place in places]
        if memory is not None:
            pairs = zip(found, places, strict=True)
            found = [traits + memory.traits(*place) for traits, place in pairs]
        found += [in_hand(view, self.seat)] * self._hand
        return found + [ASIDE] * (self._aside + self._out)

    def shuffle(self, random: Callable[[], float]) -> None:
        """Shuffle the cards (Fisher, Yates 1938), faster than `Random.shuffle`."""
        cards = self.cards
        for last in range(len(cards) - 1, 0, -1):
            other = int(random() * (last + 1))
            cards[last], cards[other] = cards[other], cards[last]

    def deal(self, game: Game) -> None:
        """Deal the cards, in their present order, to the hidden places."""
        seat = self.seat
        cards = self.cards
        queue = game.queue
        given = 0
        for index, influence in self._single:
            queue[index] = (seat, cards[given], False, influence, None)
            given += 1
        for index, stack in self._stacks:
            rebuilt: Stack | None = None
            for card, face_up, influence in stack:
                if card == UNKNOWN:
                    card = cards[given]
                    given += 1
                rebuilt = (seat, card, face_up, influence, rebuilt)
            assert rebuilt is not None
            queue[index] = rebuilt
        if self._hand:
            game.hands[seat] = _in_order(cards[given : given + self._hand])
        if self._aside:
            given += self._hand
            game.aside[seat] = _in_order(cards[given : given + self._aside])
        if self._out:
            out = game.out[seat].replace(UNKNOWN, "")
            game.out[seat] = out + "".join(cards[-self._out :])


class _Likely:
    """Exchanges a family's cards so that likely deals are sampled more often.

    The exchanges form a Markov chain whose stationary distribution is the belief about whole deals
    (Metropolis et al. 1953). Each card is dealt once, and no deal is rejected.
    """

    def __init__(
        self, family: _Family, places: list[tuple[str, ...]], beliefs: Traits, rng: Random
    ) -> None:
        self._cards = family.cards
        self._random = rng.random
        self._weights = [
            {card: exp(weight) for card, weight in weights(beliefs, traits).items()}
            for traits in places
        ]
        rng.shuffle(self._cards)
        self.stir(BURN_IN)

    def stir(self, times: int) -> None:
        """Try `times` rounds of exchanges, each with as many exchanges as there are cards."""
        cards, all_weights, random = self._cards, self._weights, self._random
        number = len(cards)
        for _ in range(number * times):
            one = int(random() * number)
            two = int(random() * number)
            card, other = cards[one], cards[two]
            weight, others = all_weights[one], all_weights[two]
            now = weight[card] * others[other]
            then = weight[other] * others[card]
            if then >= now or random() * now < then:
                cards[one], cards[two] = other, card


def _in_order(cards: list[Card]) -> str:
    mask = 0
    for card in cards:
        mask |= _BIT[card]
    return _hand(mask)


@cache
def _hand(mask: int) -> str:
    """Return the cards of a bit mask, in the order of `CARDS`."""
    return "".join(card for card, bit in _BIT.items() if mask & bit)


def _as_game(view: View) -> Game:
    """Return the view as a game whose hidden cards are still unknown."""
    game = Game()
    for name in FIELDS:
        setattr(game, name, getattr(view, name))
    game.legal = view.legal
    # The lists belong to the view, so copy them.
    game = game.copy()
    game.aside = view.aside.copy()
    return game
