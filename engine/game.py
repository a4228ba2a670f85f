"""Implements the flow of a game: dealing, placement, resolution, rounds and the end.

Callers use a `Game` as a value: `play` returns the next game and leaves this one unchanged.
Rollouts use `advance`, which changes the game in place. `copy` is cheap, since copies share stacks.
`abilities.py` lists the answers of an ability, and this module executes them.
"""

from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from engine.abilities import AMBUSH_GAIN, CHOICES, GAINS, REVEALING_TAKES
from engine.actions import (
    ACTIONS,
    END,
    LEAVE_AND_REVEAL,
    START,
    Action,
    Copy,
    Eliminate,
    Leave,
    Move,
    Place,
    Steal,
)
from engine.cards import (
    AMBUSH,
    CARDS,
    INTRIGUES,
    ROUNDS,
    SET_ASIDE,
    SHAPESHIFTER,
    Card,
    Seat,
)
from engine.edition import SECOND_EDITION, Edition
from engine.events import (
    AmbushSprung,
    Copied,
    Discarded,
    Eliminated,
    Event,
    Forced,
    Gained,
    GameEnded,
    Left,
    Moved,
    NoEffect,
    Placed,
    ResolutionBegan,
    Revealed,
    RoundBegan,
    Stole,
    Uncovered,
)
from engine.legal import IllegalAction, legal_placements, why_not
from engine.position import LEAVE_OR_REVEAL, OVER, PLACE, Position, height, move_top
from engine.ranking import ranking

STARTING_INFLUENCE: Final = 1
"""Influence in each pool at the start."""

_SPLITS: Final = [
    ("".join(card for card in CARDS if card not in aside), "".join(aside))
    for aside in combinations(CARDS, SET_ASIDE)
]
"""Every way to split a family's cards into a hand and the three cards that are set aside."""


class Deal(NamedTuple):
    """The start of a game: players and random choices.

    A deal and the actions determine the whole game.

    >>> deal = Deal.shuffled(Random(1), "rbg")
    >>> deal.hands
    ('SPFLDMC', 'ASHLXMC', 'ASPHLXM')
    >>> deal.aside
    ('AHX', 'PFD', 'FDC')
    """

    edition: Edition
    families: str
    """The families at the table, in seat order, clockwise."""
    first: Seat
    """The first player of round 1."""
    hands: tuple[str, ...]
    """The `HAND` cards in each seat's hand, in the order of `CARDS`."""
    aside: tuple[str, ...]
    """The three cards of each seat that are set aside."""

    @classmethod
    def shuffled(
        cls,
        rng: Random,
        families: str,
        edition: Edition = SECOND_EDITION,
        first: Seat | None = None,
    ) -> "Deal":
        """Return a deal with random hands. The first player is random if `first` is None."""
        splits = [rng.choice(_SPLITS) for _ in families]
        return cls(
            edition=edition,
            families=families,
            first=rng.randrange(len(families)) if first is None else first,
            hands=tuple(hand for hand, _ in splits),
            aside=tuple(aside for _, aside in splits),
        )


class Game(Position):
    """A game whose cards are all known, with the `legal` answers of the present question.

    >>> game = Game.start(Deal.shuffled(Random(1), "rbg"))
    >>> print(*game.legal)
    S> P> F> L> D> M> C>
    >>> following = game.play("S>")
    >>> print(following)
    Round 1 of 6, edition 2: Blue is to place a card.
      1  Red     face-down Soldier
    * Red     1 influence, hand PFLDMC, aside AHX, out -
      Blue    1 influence, hand ASHLXMC, aside PFD, out -
      Green   1 influence, hand ASPHLXM, aside FDC, out -
    >>> print(*following.legal)
    A< A> S< S> H< H> L< L> X< X> M< M> C< C>
    """

    __slots__ = ("legal",)

    legal: tuple[Action, ...]
    """The answers to the present question, at least two; empty if there is no question."""

    @classmethod
    def start(cls, deal: Deal) -> "Game":
        """Return a new game, before the first card is placed."""
        game = cls()
        game._set_table(deal)
        return game

    def _set_table(self, deal: Deal) -> None:
        self.edition = deal.edition
        self.families = deal.families
        self.round = 1
        self.first = deal.first
        self.queue = []
        self.hands = list(deal.hands)
        self.aside = list(deal.aside)
        self.out = [""] * len(deal.families)
        self.pools = [STARTING_INFLUENCE] * len(deal.families)
        self.at = -1
        self._ask_to_place(deal.first)

    def copy(self) -> "Game":
        """Return an independent game in the same position.

        Both share the list `aside`, which no action changes.
        """
        twin = Game()
        twin.edition = self.edition
        twin.families = self.families
        twin.round = self.round
        twin.first = self.first
        twin.turn = self.turn
        twin.question = self.question
        twin.at = self.at
        twin.queue = self.queue.copy()
        twin.hands = self.hands.copy()
        twin.aside = self.aside
        twin.out = self.out.copy()
        twin.pools = self.pools.copy()
        twin.legal = self.legal
        return twin

    def play(self, action: Action | str, events: list[Event] | None = None) -> "Game":
        """Return the game after an action or its token. This game does not change.

        Args:
            action: The answer to the present question.
            events: A list to which the events of this action are appended.

        Raises:
            IllegalAction: The rules forbid the action here.
            ValueError: The text is not the token of any action.
        """
        if isinstance(action, str):
            if action not in ACTIONS:
                raise ValueError(
                    f"{action!r} is no action; legal here: {' '.join(map(str, self.legal))}"
                )
            action = ACTIONS[action]
        if action not in self.legal:
            refusal = why_not(self, action)
            assert refusal is not None
            raise IllegalAction(refusal)
        following = self.copy()
        following.advance(action, events)
        return following

    def advance(self, action: Action, events: list[Event] | None = None) -> None:
        """Play one of the `legal` actions in place.

        Nothing checks the action: an illegal one corrupts the game.
        """
        if isinstance(action, Place):
            self._place(action, events)
            return
        if self.question == LEAVE_OR_REVEAL:
            if isinstance(action, Leave):
                self._leave(events)
            elif self._reveal(events):
                return
        elif self._execute(action, events):
            return
        self._resolve(events)

    def _ask_to_place(self, seat: Seat) -> None:
        self.turn = seat
        self.question = PLACE
        self.legal = legal_placements(self)

    # Placement

    def _place(self, action: Place, events: list[Event] | None) -> None:
        seat = self.turn
        queue = self.queue
        card = action.card
        self.hands[seat] = self.hands[seat].replace(card, "")
        if action.spot == END:
            queue.append((seat, card, False, 0, None))
        elif action.spot == START:
            queue.insert(0, (seat, card, False, 0, None))
        else:
            index = action.position - 1
            queue[index] = (seat, card, False, 0, queue[index])
        if events is not None:
            position = action.position or (1 if action.spot == START else len(queue))
            stack = queue[position - 1]
            events.append(Placed(seat, card, action.spot, position, height(stack)))
        seat = (seat + 1) % len(self.families)
        if seat != self.first:
            self._ask_to_place(seat)
            return
        if events is not None:
            events.append(ResolutionBegan())
        self.at = 0
        self._resolve(events)

    # Resolution

    def _resolve(self, events: list[Event] | None) -> None:
        """Resolve stacks from `at` on, until a player must answer or the round ends."""
        queue = self.queue
        while self.at < len(queue):
            seat, card, face_up, _, _ = queue[self.at]
            if not face_up:
                self.turn = seat
                self.question = LEAVE_OR_REVEAL
                self.legal = LEAVE_AND_REVEAL
                return
            if self._apply(card, events):
                return
        self._end_round(events)

    def _leave(self, events: list[Event] | None) -> None:
        seat, card, _, influence, covered = self.queue[self.at]
        self.queue[self.at] = (seat, card, False, influence + 1, covered)
        self.at += 1
        if events is not None:
            events.append(Left(seat, self.at, card, influence + 1))

    def _reveal(self, events: list[Event] | None) -> bool:
        """Reveal the card at `at`, take influence from it and apply its ability.

        Return True if its owner must answer.
        """
        seat, card, _, influence, covered = self.queue[self.at]
        self.queue[self.at] = (seat, card, True, 0, covered)
        taken = influence * REVEALING_TAKES.get(card, 1)
        self.pools[seat] += taken
        if events is not None:
            events.append(Revealed(seat, self.at + 1, card, influence, taken))
        return self._apply(card, events)

    def _apply(self, ability: Card, events: list[Event] | None) -> bool:
        """Apply an ability with the card at `at`: the card's own ability or a copied one.

        Return True if its owner must answer.
        """
        seat, card, _, _, _ = self.queue[self.at]
        pays = GAINS.get(ability)
        if pays is not None:
            influence = pays(self, self.at)
            self.pools[seat] += influence
            if events is not None:
                events.append(Gained(seat, self.at + 1, card, ability, influence))
            self._finish(events)
            return False
        answers = CHOICES[ability](self, self.at)
        if len(answers) > 1:
            self.turn = seat
            self.question = ability
            self.legal = answers
            return True
        if answers:
            if events is not None:
                events.append(Forced(seat, self.at + 1, card, ability))
            return self._execute(answers[0], events)
        if events is not None:
            events.append(NoEffect(seat, self.at + 1, card, ability))
        self._finish(events)
        return False

    def _execute(self, action: Action, events: list[Event] | None) -> bool:
        """Execute the answer to an ability.

        Return True if a copied ability asks another question.
        """
        gone = False
        if isinstance(action, Eliminate):
            gone = self._eliminate(action.position - 1, events)
        elif isinstance(action, Steal):
            self._steal(self.seat_of(action.family), events)
        elif isinstance(action, Move):
            self._move(action.position - 1, action.destination - 1, events)
        elif isinstance(action, Copy):
            ability = self.queue[action.position - 1][1]
            if events is not None:
                seat = self.queue[self.at][0]
                events.append(Copied(seat, self.at + 1, action.position, ability))
            if ability != SHAPESHIFTER:
                return self._apply(ability, events)
        if not gone:
            self._finish(events)
        return False

    def _finish(self, events: list[Event] | None) -> None:
        """End the resolution of the card at `at`: discard an Intrigue, keep a Character.

        After a discard `at` stays the same, since the next card to resolve is there now.
        """
        if self.queue[self.at][1] in INTRIGUES:
            self._discard(events)
        else:
            self.at += 1

    def _discard(self, events: list[Event] | None) -> None:
        """Discard the resolving card."""
        seat, card, _, _, _ = self.queue[self.at]
        if events is not None:
            events.append(Discarded(seat, self.at + 1, card))
        self._remove(self.at, events)

    def _remove(self, index: int, events: list[Event] | None) -> bool:
        """Remove a top card from the Queue. Return True if it was the only card of its stack."""
        seat, card, _, _, covered = self.queue[index]
        self.out[seat] += card
        if covered is None:
            del self.queue[index]
            return True
        self.queue[index] = covered
        if events is not None and index == self.at:
            events.append(Uncovered(seat, index + 1, covered[1], covered[2]))
        return False

    def _eliminate(self, index: int, events: list[Event] | None) -> bool:
        """Eliminate a top card. Return True if the resolving card left the Queue as well."""
        seat, attacker, _, _, _ = self.queue[self.at]
        victim, card, face_up, influence, _ = self.queue[index]
        self.pools[seat] += 1
        if events is not None:
            events.append(
                Eliminated(seat, self.at + 1, attacker, index + 1, victim, card, face_up, influence)
            )
        itself = index == self.at
        if self._remove(index, events) and index < self.at:
            self.at -= 1
        if card == AMBUSH:
            return self._spring_ambush(victim, events)
        return itself

    def _ambush_gain(self, seat: Seat) -> int:
        """Return the influence that a seat's Ambush gains if the card at `at` eliminates it."""
        own = self.queue[self.at][0] == seat
        return self.edition.ambush_gain_from_own_attacker if own else AMBUSH_GAIN

    def _spring_ambush(self, seat: Seat, events: list[Event] | None) -> bool:
        """Pay the owner of an eliminated Ambush, and discard the attacker.

        Returns False if the edition spares an attacker of the Ambush's own family.
        """
        attacker = self.queue[self.at][0]
        influence = self._ambush_gain(seat)
        self.pools[seat] += influence
        if events is not None and influence:
            events.append(AmbushSprung(seat, influence, attacker))
        if attacker == seat and not self.edition.ambush_discards_own_attacker:
            return False
        self._discard(events)
        return True

    def _steal(self, victim: Seat, events: list[Event] | None) -> None:
        seat, card, _, _, _ = self.queue[self.at]
        influence = 1 if self.pools[victim] and victim != seat else 0
        self.pools[victim] -= influence
        self.pools[seat] += influence
        if events is not None:
            events.append(Stole(seat, self.at + 1, card, victim, influence))

    def _move(self, index: int, destination: int, events: list[Event] | None) -> None:
        """Move a top card, alone, to another index. The Royal Decree continues to resolve."""
        owner, card, face_up, _, _ = self.queue[index]
        if events is not None:
            seat = self.queue[self.at][0]
            events.append(
                Moved(seat, self.at + 1, index + 1, destination + 1, owner, card, face_up)
            )
        self.at = move_top(self.queue, self.at, index, destination)

    # Rounds

    def _end_round(self, events: list[Event] | None) -> None:
        self.at = -1
        if self.round == ROUNDS:
            self.question = OVER
            self.legal = ()
            if events is not None:
                events.append(GameEnded(ranking(self)[0]))
            return
        self.round += 1
        self.first = (self.first + 1) % len(self.families)
        if events is not None:
            events.append(RoundBegan(self.round, self.first))
        self._ask_to_place(self.first)
