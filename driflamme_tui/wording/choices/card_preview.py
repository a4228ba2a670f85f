"""What a card would do where it stands, as things stand now: one sentence for the panel.

Everything is asked of the rules' own functions on what the reader sees, or on what they would
see with a card of theirs put down, so no sentence can give away what is hidden. It says what the
card could do, never what would be best.
"""

from copy import copy
from functools import cached_property
from typing import Final

from msgspec import Struct

from driflamme_tui.text.i18n import _, counted
from driflamme_tui.wording.choices.prompts import Prompter, one_of
from engine.abilities import AMBUSH_GAIN, CHOICES, GAINS, REVEALING_TAKES
from engine.actions import END, START, Copy, Eliminate, Place, Steal
from engine.cards import (
    AMBUSH,
    ASSASSINATION,
    CONSPIRACY,
    HEIR,
    LORD,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SPY,
    Card,
)
from engine.position import Stack
from engine.view import View

_PAYS_ON_ITS_OWN: Final = (CONSPIRACY, AMBUSH)
"""Cards whose sentence tells what happens to the influence on them."""


class CardPreview(Struct, frozen=True, dict=True):
    """A top card that the reader knows, at its place in a Queue."""

    prompter: Prompter
    queue: list[Stack]
    """The Queue as it is, or as it would be."""
    index: int
    """The index of the card's stack, from 0."""
    before: int = 0
    """How many stacks of `queue` the numbers on the screen do not count yet."""

    @cached_property
    def view(self) -> View:
        """The view about which the rules are asked."""
        supposed = copy(self.prompter.view)
        supposed.queue = self.queue
        return supposed

    def sentence(self) -> str:
        """Return what the card would do, and what revealing it would take."""
        _seat, card, face_up, influence, _covered = self.queue[self.index]
        text = self._ability(card)
        if face_up or not influence or card in _PAYS_ON_ITS_OWN:
            return text
        takes = counted("Revealed, it also brings the {n} on it.", influence).format(n=influence)
        return f"{text} {takes}"

    def _ability(self, card: Card) -> str:
        if card == SPY:
            return self._steals()
        if card == HEIR:
            return self._inherits()
        if card == SHAPESHIFTER:
            return self._copies()
        if card == LORD:
            return self._lords()
        if card == CONSPIRACY:
            return self._conspires()
        if card == ASSASSINATION:
            if len(self.queue) == 1:
                return _("Here it would have to eliminate itself.")
            return _("Here it could eliminate any top card, itself too.")
        if card == ROYAL_DECREE:
            if not CHOICES[ROYAL_DECREE](self.view, self.index):
                return _("Here it has no other card to move, so no effect.")
            return _("Here it could move any other top card.")
        if card == AMBUSH:
            return self._lies_in_wait()
        if card in GAINS:
            return _("Here it would gain {n}.").format(n=GAINS[card](self.view, self.index))
        return self._eliminates(card)

    def _at(self, position: int) -> str:
        """Name the card at a position of the supposed Queue by the number on the screen."""
        seat, card, face_up, _influence, _covered = self.queue[position - 1]
        return self.prompter.named(seat, card, face_up, position - self.before)

    def _eliminates(self, card: Card) -> str:
        answers = CHOICES[card](self.view, self.index)
        targets = [answer.position for answer in answers if isinstance(answer, Eliminate)]
        if not targets:
            return _("Here it has no card beside it, so no effect.")
        if targets == [self.index + 1]:
            return _("Here it would have to eliminate itself.")
        if len(targets) == 1:
            return _("Here it would have to eliminate {card}.").format(card=self._at(targets[0]))
        others = [self._at(position) for position in targets if position != self.index + 1]
        if len(others) < len(targets):
            return _("Here it could eliminate {card} or itself.").format(card=others[0])
        return _("Here it could eliminate {cards}.").format(cards=one_of(others))

    def _steals(self) -> str:
        view = self.view
        answers = CHOICES[SPY](view, self.index)
        if not answers:
            return _("Here it has no card beside it, so no effect.")
        spying = self.queue[self.index][0]
        seats = [view.seat_of(answer.family) for answer in answers if isinstance(answer, Steal)]
        robbed = [seat for seat in seats if seat != spying and view.pools[seat]]
        if not robbed:
            return _("Here it has nobody beside it to steal from.")
        players = one_of([self.prompter.who(seat) for seat in robbed])
        if len(answers) == 1:
            return _("Here it would steal 1 from {players}.").format(players=players)
        return _("Here it could steal 1 from {players}.").format(players=players)

    def _inherits(self) -> str:
        gain = GAINS[HEIR](self.view, self.index)
        if gain:
            return _("Here it would gain {n}.").format(n=gain)
        other = next(
            position
            for position, stack in enumerate(self.queue, 1)
            if stack[1] == HEIR and stack[2] and position != self.index + 1
        )
        return _("Here it would gain nothing, since {card} is face up.").format(
            card=self._at(other)
        )

    def _copies(self) -> str:
        answers = CHOICES[SHAPESHIFTER](self.view, self.index)
        copied = [answer.position for answer in answers if isinstance(answer, Copy)]
        if not copied:
            return _("Here it has no face-up Character beside it, so no effect.")
        cards = [self._at(position) for position in copied]
        if len(copied) == 2:
            return _("Here it could copy {cards}.").format(cards=one_of(cards))
        ability = self.queue[copied[0] - 1][1]
        if ability == SHAPESHIFTER:
            return _("Here it would copy {card}, to no effect.").format(card=cards[0])
        if ability in GAINS:
            return _("Here it would copy {card} and gain {n}.").format(
                card=cards[0], n=GAINS[ability](self.view, self.index)
            )
        return _("Here it would copy {card}.").format(card=cards[0])

    def _lords(self) -> str:
        gain = GAINS[LORD](self.view, self.index)
        if gain == 1:
            return _("Here it would gain 1; no card of its family beside it.")
        return _("Here it would gain {n}, {kin} of it for its family beside it.").format(
            n=gain, kin=gain - 1
        )

    def _lies_in_wait(self) -> str:
        influence = self.queue[self.index][3]
        gain = GAINS[AMBUSH](self.view, self.index)
        if influence * (1 - REVEALING_TAKES[AMBUSH]):
            return _(
                "Eliminated by an opponent it brings {n}; revealed, {gain}, "
                "and the {lost} on it is lost."
            ).format(n=AMBUSH_GAIN, gain=gain, lost=influence)
        return _("Eliminated by an opponent it brings {n}; revealed, {gain}.").format(
            n=AMBUSH_GAIN, gain=gain
        )

    def _conspires(self) -> str:
        influence = self.queue[self.index][3]
        if not influence:
            return _("Here nothing lies on it yet, so it would bring nothing.")
        return _("Here it would bring {n}, twice the {influence} on it.").format(
            n=influence * REVEALING_TAKES[CONSPIRACY], influence=influence
        )


def if_placed(prompter: Prompter, place: Place) -> CardPreview:
    """Return the place of a card of the reader's hand, as if they had put it down there."""
    view = prompter.view
    queue = list(view.queue)
    card: Stack = (view.turn, place.card, False, 0, None)
    if place.spot == START:
        return CardPreview(prompter, [card, *queue], 0, before=1)
    if place.spot == END:
        return CardPreview(prompter, [*queue, card], len(queue))
    index = place.position - 1
    queue[index] = (view.turn, place.card, False, 0, queue[index])
    return CardPreview(prompter, queue, index)
