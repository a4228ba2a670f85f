"""Holds a player's question, and the state of their answer.

Choose, read, confirm: nothing is chosen when a question appears, and a choice can be changed until
it is confirmed. Two questions (a card and its place; a card and its destination) are asked in two
steps. The module has no widget and no network, so tests can reach every path directly.
"""

from collections.abc import Callable
from enum import Enum, auto

from msgspec import Struct

from engine.actions import (
    ACTIONS,
    COPY,
    ELIMINATE,
    ON,
    START,
    Action,
    Copy,
    Eliminate,
    Leave,
    Move,
    Place,
    Reveal,
    Steal,
)
from engine.cards import ROYAL_DECREE, SHAPESHIFTER, Card, Family
from engine.legal import Refusal, why_not
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.views import View


class Step(Enum):
    """The thing to choose now."""

    CARD = auto()
    """A card from the hand."""
    SPOT = auto()
    """The place for the chosen card."""
    LEAVE_OR_REVEAL = auto()
    TARGET = auto()
    """A top card to eliminate."""
    PLAYER = auto()
    """A player to steal from."""
    COPIED = auto()
    """A Character to copy."""
    LIFTED = auto()
    """The card that the Royal Decree moves."""
    DESTINATION = auto()
    """The destination of the card that the Royal Decree moves."""


class Option(Struct, frozen=True):
    """One option of a step."""

    action: Action | None
    """The action that confirming it plays; None if it only leads to the next step."""
    card: Card | None = None
    """The card of the hand that it chooses."""
    position: int = 0
    """The position in the Queue that it chooses, or 0; for a player the position of their card
    beside the Spy.
    """
    family: Family | None = None


class Question:
    """A question to the viewer of `view`, whose turn it must be."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.legal = view.legal
        self.picked: Option | None = None
        """The confirmed choice of the first step."""
        self.chosen: int | None = None
        """The index of the present choice among `options`."""

    @property
    def step(self) -> Step:
        """The thing to choose now."""
        kind = self.view.question
        if kind == PLACE:
            return Step.SPOT if self.picked else Step.CARD
        if kind == LEAVE_OR_REVEAL:
            return Step.LEAVE_OR_REVEAL
        if kind == ROYAL_DECREE:
            return Step.DESTINATION if self.picked else Step.LIFTED
        if kind == SHAPESHIFTER:
            return Step.COPIED
        return Step.PLAYER if isinstance(self.legal[0], Steal) else Step.TARGET

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the step, in the order of the Queue."""
        if self.step is Step.CARD:
            return tuple(Option(None, card=card) for card in self.view.hands[self.view.turn])
        if self.step is Step.LIFTED:
            lifted = dict.fromkeys(
                action.position for action in self.legal if isinstance(action, Move)
            )
            return tuple(Option(None, position=position) for position in lifted)
        options = [option for action in self.legal if (option := self._option(action))]
        if self.step is Step.SPOT:
            options.sort(key=_along_the_queue)
        return tuple(options)

    @property
    def is_begun(self) -> bool:
        """True if there is a choice or a step to take back."""
        return self.picked is not None or self.chosen is not None

    @property
    def can_stack(self) -> bool:
        """True if the next key may put a card onto a stack: a card of the hand is chosen."""
        return self.step is Step.SPOT or (self.step is Step.CARD and self.chosen is not None)

    @property
    def can_choose_end(self) -> bool:
        """True if the next key may put a card at an end of the Queue."""
        is_lifted = self.step is Step.LIFTED and self.chosen is not None
        return self.can_stack or is_lifted or self.step is Step.DESTINATION

    @property
    def choice(self) -> Option | None:
        """The present choice."""
        return None if self.chosen is None else self.options[self.chosen]

    def choose(self, index: int) -> None:
        """Choose an option; an index past either end means the last or the first."""
        self.chosen = max(0, min(index, len(self.options) - 1))

    def walk(self, by: int) -> None:
        """Choose the next or previous option; the first or the last if none is chosen."""
        count = len(self.options)
        if self.chosen is None:
            self.chosen = 0 if by > 0 else count - 1
        else:
            self.chosen = (self.chosen + by) % count

    def choose_card(self, card: Card) -> bool:
        """Choose a card of the hand by letter; a later step returns to the first.

        Returns False if the card cannot be chosen.
        """
        hand = self.view.hands[self.view.turn]
        if self.view.question != PLACE or card not in hand:
            return False
        self.picked, self.chosen = None, hand.index(card)
        return True

    def choose_position(self, position: int) -> bool:
        """Choose the option at a position; return False if there is none."""
        return self._choose(lambda option: option.position == position)

    def choose_family(self, family: Family) -> bool:
        """Choose a player by family; return False if that player cannot be chosen."""
        return self._choose(lambda option: option.family == family)

    def choose_action(self, token: str) -> bool:
        """Choose the option for an action by the action's token; return False without one."""
        return self._choose(lambda option: str(option.action) == token)

    def choose_answer(self, token: str) -> bool:
        """Choose a whole answer, its card included, by its token; return False if there is none."""
        if self.choose_action(token):
            return True
        action = ACTIONS[token]
        if isinstance(action, Place | Move):
            self.picked = self.chosen = None
            if isinstance(action, Place):
                self.choose_card(action.card)
            else:
                self.choose_position(action.position)
            self.confirm()
        return self.choose_action(token)

    @property
    def places(self) -> int:
        """Number of places in the Queue once the Royal Decree's card is put down."""
        lifted = 0 if self.picked is None else self.picked.position
        return len(self.view.queue) + bool(lifted and self.view.queue[lifted - 1][4])

    def choose_spot(self, spot: str) -> bool:
        """Choose the start, the end, or the next own stack for the card being placed.

        Returns False if there is no such option.
        """
        options = self.options
        fitting = [
            index
            for index, option in enumerate(options)
            if isinstance(option.action, Place) and option.action.spot == spot
        ]
        if not fitting:
            return False
        later = [index for index in fitting if self.chosen is not None and index > self.chosen]
        self.chosen = (later or fitting)[0] if spot == ON else fitting[0]
        return True

    def confirm(self) -> Action | None:
        """Confirm the present choice: return its action, or go to the next step and return None.

        Without a choice it chooses the first option and returns None.
        """
        choice = self.choice
        if choice is None:
            self.choose(0)
            return None
        if choice.action is None:
            self.picked = choice
            self.chosen = 0 if len(self.options) == 1 else None
            return None
        return choice.action

    def back(self) -> bool:
        """Go back a step, or drop the present choice; return False if there is neither."""
        picked, dropped = self.picked, self.chosen is not None
        self.picked = self.chosen = None
        if picked is not None:
            self.chosen = self.options.index(picked)
        return picked is not None or dropped

    def refusal_at(self, position: int) -> Refusal | None:
        """Return the reason why a position cannot be chosen; None if it can."""
        step = self.step
        if step is Step.PLAYER:
            return self.refusal_of(self.view.families[self.view.queue[position - 1][0]])
        if step is Step.TARGET:
            return why_not(self.view, ELIMINATE[position])
        if step is Step.COPIED:
            return why_not(self.view, COPY[position])
        if step is Step.SPOT and self.picked:
            return why_not(self.view, ACTIONS[f"{self.picked.card}^{position}"])
        if step is Step.LIFTED and position == self.view.at + 1:
            return Refusal("decree_itself", {})
        if step is Step.DESTINATION and self.picked:
            return why_not(self.view, ACTIONS[f"{self.picked.position}>{position}"])
        return None

    def refusal_of(self, family: Family) -> Refusal | None:
        """Return the reason why a player cannot be chosen; None if they can."""
        if self.step is Step.PLAYER:
            return why_not(self.view, Steal(family))
        return None

    def _option(self, action: Action) -> Option | None:
        """Return the option for a legal action of this step; None if it belongs to another step."""
        if isinstance(action, Place):
            if self.picked is None or action.card != self.picked.card:
                return None
            return Option(action, card=action.card, position=action.position)
        if isinstance(action, Move):
            if self.picked is None or action.position != self.picked.position:
                return None
            return Option(action, position=action.destination)
        if isinstance(action, Steal):
            # The card before the Spy if it is this player's, otherwise the one after it.
            at, seat = self.view.at, self.view.seat_of(action.family)
            before = at > 0 and self.view.queue[at - 1][0] == seat
            return Option(action, position=at if before else at + 2, family=action.family)
        if isinstance(action, Eliminate | Copy):
            return Option(action, position=action.position)
        assert isinstance(action, Leave | Reveal)
        return Option(action)

    def _choose(self, fits: Callable[[Option], bool]) -> bool:
        index = next((at for at, option in enumerate(self.options) if fits(option)), None)
        self.chosen = self.chosen if index is None else index
        return index is not None


def _along_the_queue(option: Option) -> int:
    action = option.action
    assert isinstance(action, Place)
    if action.spot == START:
        return 0
    return action.position if action.spot == ON else ELIMINATE[-1].position + 1
