"""Stores a player's question, and their choices so far.

Nothing is chosen when a question appears, and a choice can be changed until it is confirmed. Two
kinds of questions are asked in two steps: a card and its place, and a card and its destination. The
module uses no widget and no network, so tests can reach every path directly.
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
    """The kind of thing to choose now."""

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
    """The place to which the Royal Decree moves the card."""


class Option(Struct, frozen=True):
    """One option of a step."""

    action: Action | None
    """The action that confirming the option plays; None if it only leads to the next step."""
    card: Card | None = None
    """The card of the hand that the option chooses; None if it chooses none."""
    position: int = 0
    """The position in the Queue that the option chooses; 0 for none. For a player, it is the
    position of their card beside the Spy.
    """
    family: Family | None = None


class Question:
    """A question to the viewer of `view`, who must answer it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.legal = view.legal
        self.picked: Option | None = None
        """The choice that was confirmed in the first step; None during that step."""
        self.chosen: int | None = None
        """The index of the present choice among `options`; None if nothing is chosen."""

    @property
    def step(self) -> Step:
        """The kind of thing to choose now."""
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
        """The options of the step, in the order of the hand or of the Queue."""
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
        """True if the player can cancel a choice or return to the previous step."""
        return self.picked is not None or self.chosen is not None

    @property
    def can_stack(self) -> bool:
        """True if the next key can put a card on a stack, because a card of the hand is chosen."""
        return self.step is Step.SPOT or (self.step is Step.CARD and self.chosen is not None)

    @property
    def can_choose_end(self) -> bool:
        """True if the next key can put a card at an end of the Queue."""
        is_lifted = self.step is Step.LIFTED and self.chosen is not None
        return self.can_stack or is_lifted or self.step is Step.DESTINATION

    @property
    def choice(self) -> Option | None:
        """The present choice; None without one."""
        return None if self.chosen is None else self.options[self.chosen]

    def choose(self, index: int) -> None:
        """Choose an option. An index beyond an end means the option at that end."""
        self.chosen = max(0, min(index, len(self.options) - 1))

    def walk(self, by: int) -> None:
        """Choose the next option (`by` = 1) or the previous one (-1); go around at both ends.

        If none is chosen, choose the first or the last.
        """
        count = len(self.options)
        if self.chosen is None:
            self.chosen = 0 if by > 0 else count - 1
        else:
            self.chosen = (self.chosen + by) % count

    def choose_card(self, card: Card) -> bool:
        """Choose a card of the hand by letter; return False if that is impossible.

        In a later step, return to the first step.
        """
        hand = self.view.hands[self.view.turn]
        if self.view.question != PLACE or card not in hand:
            return False
        self.picked, self.chosen = None, hand.index(card)
        return True

    def choose_position(self, position: int) -> bool:
        """Choose the option at a position; return False if no option is there."""
        return self._choose(lambda option: option.position == position)

    def choose_family(self, family: Family) -> bool:
        """Choose a player by family; return False if that player cannot be chosen."""
        return self._choose(lambda option: option.family == family)

    def choose_action(self, token: str) -> bool:
        """Choose the option for the action with this token; return False without such an option."""
        return self._choose(lambda option: str(option.action) == token)

    def choose_answer(self, token: str) -> bool:
        """Choose a whole answer by its token, including its card.

        Return False if it is impossible.
        """
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
        """Number of places in the Queue after the Royal Decree has put down its card."""
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

        If the next step has a single option, choose it. If nothing is chosen yet, choose the first
        option and return None.
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
        """Cancel the present choice, or return to the previous step.

        Returns False if neither is possible.
        """
        picked, dropped = self.picked, self.chosen is not None
        self.picked = self.chosen = None
        if picked is not None:
            self.chosen = self.options.index(picked)
        return picked is not None or dropped

    def refusal_at(self, position: int) -> Refusal | None:
        """Return the reason why a position cannot be chosen; None if it can.

        Also returns None in a step that chooses no position.
        """
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
        """Return the reason why a player cannot be chosen; None if they can.

        Also returns None in a step that chooses no player.
        """
        if self.step is Step.PLAYER:
            return why_not(self.view, Steal(family))
        return None

    def _option(self, action: Action) -> Option | None:
        """Return the option for a legal action; None if the action belongs to another step."""
        if isinstance(action, Place):
            if self.picked is None or action.card != self.picked.card:
                return None
            return Option(action, card=action.card, position=action.position)
        if isinstance(action, Move):
            if self.picked is None or action.position != self.picked.position:
                return None
            return Option(action, position=action.destination)
        if isinstance(action, Steal):
            # Use the card before the Spy if this player owns it, otherwise the card after the Spy.
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
