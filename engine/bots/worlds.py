"""Whole games that a view could be a view of: its unknown cards dealt out at random.

Which of the possible cards lies where is all that there is to know: the cards of a family that have
been seen are out of the question, each of the others is somewhere.
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
from engine.position import FIELDS, Stack, cards_in, unseen
from engine.views import View

BURN_IN: Final = 10
"""How often all cards are exchanged before the first deal counts as a likely one."""

_BIT = {card: 1 << bit for bit, card in enumerate(CARDS)}


class Worlds:
    """Deals the cards that a view leaves open."""

    def __init__(
        self,
        view: View,
        rng: Random,
        beliefs: Traits | None = None,
        memory: Memory | None = None,
    ) -> None:
        """Deal by `beliefs`, also in what is remembered; or else every deal is equally likely."""
        self._rng = rng
        self._known = _as_game(view)
        self._families = [_Family(view, seat) for seat in range(view.players) if unseen(view, seat)]
        self._likely = (
            [
                _Likely(family, family.traits(view, memory), beliefs, rng)
                for family in self._families
            ]
            if beliefs
            else []
        )

    def sample(self) -> Game:
        """Return a game in which every card is known, at the question that the view asks."""
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
    """Where the unknown cards of one family are."""

    def __init__(self, view: View, seat: Seat) -> None:
        self.seat = seat
        self.cards: list[Card] = list(unseen(view, seat))
        """First those alone in the Queue, then those in its taller stacks, each from the bottom,
        then those in hand, then those set aside, then those that went out unopened."""
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
        """Return the traits of each hidden card's place, in the order of `cards`."""
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
        """Put the cards in any order (Fisher, Yates 1938), faster than `Random.shuffle` does."""
        cards = self.cards
        for last in range(len(cards) - 1, 0, -1):
            other = int(random() * (last + 1))
            cards[last], cards[other] = cards[other], cards[last]

    def deal(self, game: Game) -> None:
        """Put the cards, in the order in which they are, where the unknown ones are."""
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
    """Keeps exchanging a family's cards so that likely deals come more often.

    A Markov chain whose stationary distribution is the belief about whole deals (Metropolis et
    al. 1953): each card is dealt once, and no deal has to be thrown away.
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
        """Try as many exchanges as there are cards, so many times."""
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
    """Return the cards of which bits are the sum, in the order of `CARDS`."""
    return "".join(card for card, bit in _BIT.items() if mask & bit)


def _as_game(view: View) -> Game:
    """Return the view as a game in which the unknown cards are still to be filled in."""
    game = Game()
    for name in FIELDS:
        setattr(game, name, getattr(view, name))
    game.legal = view.legal
    # A copy, since lists of the view are its own.
    game = game.copy()
    game.aside = view.aside.copy()
    return game
