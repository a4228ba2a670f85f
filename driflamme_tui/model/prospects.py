"""Computes the effect that a card would have in its place, as far as a reader can know.

The rules' own functions compute everything from the reader's view, with a card of the reader added
where needed. So nothing can reveal a hidden card.

The sentences in `wording/choices/consequences` have two forms. The form for the prompt states the
effect of an answer. The form for the card panel states the possible effect of a card in its place.
The numbers of a `Prospect` also serve wings.
"""

from msgspec import Struct

from engine.abilities import CHOICES, GAINS, REVEALING_TAKES
from engine.actions import Copy, Eliminate, Move, Steal
from engine.cards import HEIR, Card, Seat
from engine.views import View


class Prospect(Struct, frozen=True):
    """The effect of revealing a card and of its ability in the present position."""

    ability: Card
    influence: int
    taken: int
    """The influence that the card's owner would take by revealing the card."""
    gain: int
    """The influence that the ability brings."""
    barred_by: int = 0
    """The position of the card because of which an Heir gains nothing; 0 if it gains, and for other
    abilities.
    """
    targets: tuple[int, ...] = ()
    """The positions of the cards that the ability may act on."""
    players: tuple[Seat, ...] = ()
    """The players that the ability may steal from."""

    @property
    def is_idle(self) -> bool:
        """True if the card's ability needs a target and has none."""
        return self.ability in CHOICES and not (self.targets or self.players)


def prospect(view: View, index: int, ability: Card = "") -> Prospect:
    """Return the effect of the top card at an index.

    `ability` replaces the card's own ability.
    """
    _seat, card, _face_up, influence, _covered = view.queue[index]
    ability = ability or card
    answers = CHOICES[ability](view, index) if ability in CHOICES else ()
    gain = GAINS[ability](view, index) if ability in GAINS else 0
    barred_by = 0
    if ability == HEIR and not gain:
        barred_by = next(
            position
            for position, stack in enumerate(view.queue, 1)
            if stack[1] == card and stack[2] and position != index + 1
        )
    return Prospect(
        ability,
        influence,
        influence * REVEALING_TAKES.get(card, 1),
        gain,
        barred_by,
        tuple(
            dict.fromkeys(
                answer.position for answer in answers if isinstance(answer, Eliminate | Copy | Move)
            )
        ),
        tuple(view.seat_of(answer.family) for answer in answers if isinstance(answer, Steal)),
    )
