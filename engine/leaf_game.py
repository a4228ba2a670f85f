"""Plays a game in which a letter stands for each card until its owner opens the card.

A program that runs such a game does not know the unopened cards, so nobody has to trust a dealer.
The letters are called leaves. The rules are the same; the game waits where it needs to know a card.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from engine.actions import Action, Eliminate
from engine.cards import AMBUSH, LEAVES, UNKNOWN, Card, Seat, in_order
from engine.events import Eliminated, Event, Left, Moved, Placed, Uncovered
from engine.game import Deal, Game
from engine.legal import IllegalAction, Refusal, legal_actions
from engine.position import FIELDS, Stack

OPENING: Final = "!"
"""The value of `question` while the game waits for a player to open a card."""

Known: TypeAlias = Mapping[Seat, str]
"""The cards that a reader knows: for each seat, the card of each leaf in order. `UNKNOWN` stands
for an unknown card. Seats without a known card are missing.
"""


class Owed(NamedTuple):
    """A card that was eliminated before its owner opened it."""

    seat: Seat
    card: Card
    """The leaf, or the card after its owner has opened it."""
    gain: int
    """Influence for its owner at the end of the game if the card is an Ambush."""


class LeafGame(Game):
    """A game whose deal has leaves instead of cards.

    >>> from engine.edition import SECOND_EDITION
    >>> game = LeafGame.start(Deal(SECOND_EDITION, "rbg", 0, ("0123456",) * 3, ("789",) * 3))
    >>> for token in ("0>", "0>", "0>", "!"):
    ...     game = game.play(token)
    ...
    >>> game.question, game.turn, game.opening
    ('!', 0, 0)
    >>> game = game.open("X").play("x2").open(None)
    >>> game.out, game.owed
    (['X', '0', ''], (Owed(seat=1, card='0', gain=4),))
    """

    __slots__ = ("owed",)

    owed: tuple[Owed, ...]
    """Cards that were eliminated before their owners opened them, in order. While the game waits
    for the owner of the last card, that card is still in the Queue.
    """

    @classmethod
    def start(cls, deal: Deal) -> "LeafGame":
        """Return a new game, before the first card is placed."""
        game = cls()
        game.owed = ()
        game._set_table(deal)
        return game

    def copy(self) -> "LeafGame":
        """Return an independent game in the same position."""
        twin = LeafGame()
        for name in (*FIELDS, "legal", "owed"):
            setattr(twin, name, getattr(self, name))
        twin.queue, twin.hands = self.queue.copy(), self.hands.copy()
        twin.out, twin.pools = self.out.copy(), self.pools.copy()
        return twin

    def play(self, action: Action | str, events: list[Event] | None = None) -> "LeafGame":
        """Return the game after an action, as `Game.play` does."""
        following = super().play(action, events)
        assert isinstance(following, LeafGame)
        return following

    @property
    def opening(self) -> int:
        """Index in `queue` of the stack with the card to be opened; -1 if there is no such card."""
        if self.question != OPENING:
            return -1
        if not self.queue[self.at][2]:
            return self.at
        target = self.owed[-1]
        return next(at for at, top in enumerate(self.queue) if top[:2] == target[:2])

    def open(self, card: Card | None, events: list[Event] | None = None) -> "LeafGame":
        """Return the game after the owner opened the card at `opening`.

        The owner may leave an eliminated card unopened (None). The card then goes out as its leaf
        and stays in `owed`. It discards no opponent's attacker. In the first edition it discards an
        attacker of its own family, as an Ambush would. So no player gains by not opening a card.

        Args:
            card: The opened card, or None if the owner did not open it. The caller has checked
                that the leaf stands for this card.
            events: A list to which the events are appended.

        Raises:
            IllegalAction: A card that is being revealed was not opened.
        """
        assert self.question == OPENING
        index = self.opening
        revealing = index == self.at
        if card is None and revealing:
            raise IllegalAction(Refusal("opening_due", {}))
        game = self.copy()
        if card is not None:
            seat, _, _, influence, covered = game.queue[index]
            game.queue[index] = (seat, card, False, influence, covered)
        if revealing:
            if game._reveal(events):
                return game
        else:
            if card is not None:
                game.owed = game.owed[:-1]
            is_own = game.queue[game.at][0] == game.queue[index][0]
            if not game._eliminate(index, events):
                if card is None and is_own and game.edition.ambush_discards_own_attacker:
                    game._discard(events)
                else:
                    game._finish(events)
        game._resolve(events)
        return game

    def open_owed(self, seat: Seat, leaf: Card, card: Card) -> "LeafGame":
        """Return the game after the owner at `seat` opened the `owed` card `leaf` as `card`."""
        game = self.copy()
        game.out[seat] = game.out[seat].replace(leaf, card)
        game.owed = tuple(
            each._replace(card=card) if each[:2] == (seat, leaf) else each for each in game.owed
        )
        return game

    def _reveal(self, events: list[Event] | None) -> bool:
        if self.queue[self.at][1] in LEAVES:
            return self._ask_to_open(self.at)
        return super()._reveal(events)

    def _execute(self, action: Action, events: list[Event] | None) -> bool:
        if isinstance(action, Eliminate) and self.queue[action.position - 1][1] in LEAVES:
            return self._ask_to_open(action.position - 1)
        return super()._execute(action, events)

    def _ask_to_open(self, index: int) -> bool:
        seat, leaf, _, _, _ = self.queue[index]
        if index != self.at:
            self.owed += (Owed(seat, leaf, self._ambush_gain(seat)),)
        self.turn = seat
        self.question = OPENING
        self.legal = ()
        return True


def named_game(game: LeafGame, known: Known) -> LeafGame:
    """Return a game with cards instead of leaves, and `UNKNOWN` for unknown cards.

    After the end of the game, the owner of an Ambush that was opened late receives the influence
    owed for it.

    >>> from engine.edition import SECOND_EDITION
    >>> game = LeafGame.start(Deal(SECOND_EDITION, "rbg", 0, ("0123456",) * 3, ("789",) * 3))
    >>> named_game(game, {0: "MCDXLFHPSA", 2: "?A????????"}).hands
    ['HFLXDMC', '???????', 'A??????']
    """
    cards = [_cards_of(known, seat) for seat in range(game.players)]
    twin = game.copy()
    twin.queue = [_named_stack(stack, cards[stack[0]]) for stack in game.queue]
    twin.hands = [in_order(h.translate(c)) for h, c in zip(game.hands, cards, strict=True)]
    twin.aside = [in_order(a.translate(c)) for a, c in zip(game.aside, cards, strict=True)]
    twin.out = [out.translate(c) for out, c in zip(game.out, cards, strict=True)]
    twin.legal = legal_actions(twin)
    if game.over:
        for seat, card, gain in game.owed:
            twin.pools[seat] += gain * (card.translate(cards[seat]) == AMBUSH)
    return twin


def named_event(event: Event, known: Known) -> Event:
    """Return an event with cards instead of leaves, and `UNKNOWN` for unknown cards.

    >>> named_event(Placed(seat=0, card="1", spot=">", position=1, height=1), {0: "MCDXLFHPSA"})
    Placed(seat=0, card='C', spot='>', position=1, height=1)
    """
    if isinstance(event, Eliminated):
        victim = _cards_of(known, event.victim)
        return event._replace(victim_card=event.victim_card.translate(victim))
    if isinstance(event, Placed | Left | Moved | Uncovered):
        owner = _cards_of(known, event.owner if isinstance(event, Moved) else event.seat)
        return event._replace(card=event.card.translate(owner))
    return event


def _cards_of(known: Known, seat: Seat) -> dict[int, int]:
    return str.maketrans(LEAVES, known.get(seat, UNKNOWN * len(LEAVES)))


def _named_stack(stack: Stack, cards: dict[int, int]) -> Stack:
    seat, card, face_up, influence, covered = stack
    named_below = None if covered is None else _named_stack(covered, cards)
    return (seat, card.translate(cards), face_up, influence, named_below)
