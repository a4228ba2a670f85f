"""What a card would bring where it stands, as far as a reader can know: reckoned once, for all.

Everything is asked of the rules' own functions on what the reader sees, or on what they would see
with a card of theirs put down, so nothing can give away what is hidden. Two voices word it, from
one table of sentences (`wording/choices/consequences`): that of the prompt says what an answer
does, on the screen, line by line, in the list of commands and in a replay; that of the panel says
what a card could do here. A hint takes its numbers.
"""

from msgspec import Struct

from engine.abilities import CHOICES, GAINS, REVEALING_TAKES
from engine.actions import Copy, Eliminate, Move, Steal
from engine.cards import HEIR, Card, Seat
from engine.views import View


class Prospect(Struct, frozen=True):
    """What revealing a card would bring, and its ability do, as things stand."""

    ability: Card
    influence: int
    """What lies on the card."""
    taken: int
    """What its owner would take by revealing it."""
    gain: int
    """What the ability pays."""
    barred_by: int = 0
    """The position of the card because of which it pays nothing, or 0."""
    targets: tuple[int, ...] = ()
    """The positions of the cards that it may act on."""
    players: tuple[Seat, ...] = ()
    """Those from whom it may steal."""

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing that it can act on."""
        return self.ability in CHOICES and not (self.targets or self.players)


def prospect(view: View, index: int, ability: Card = "") -> Prospect:
    """Return what the top card at an index of the Queue would bring, with an ability or its own."""
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
