"""The shape that a whole game and a view of it share.

A view is a position with `UNKNOWN` in place of each card that its reader may not know, so
whatever can be asked of public facts (who is asked, what is legal, what a Lord would gain) is
asked of a `Position`, and works on both.
"""

from typing import Any, Final, TypeAlias

from engine.cards import Card, Seat
from engine.edition import Edition

Stack: TypeAlias = tuple[Seat, Card, bool, int, tuple[Any, ...] | None]
"""A top card and what it covers: (owner's seat, card, face up?, influence on it, covered stack).

A stack is a value: it is replaced, never changed, so that copies of a game can share it. It is
a plain tuple, taken apart by position, because that is what makes a rollout fast.
"""

PLACE: Final = "*"
"""The question which card to place, and where."""
LEAVE_OR_REVEAL: Final = "?"
"""The question whether to leave or to reveal a face-down card."""
OPENING: Final = "!"
"""What stands in place of a question while a sealed game waits for a card to be opened."""
OVER: Final = "-"
"""What stands in place of a question once the game is over."""


FIELDS: Final = (
    "aside",
    "asked",
    "at",
    "edition",
    "families",
    "first",
    "hands",
    "out",
    "pools",
    "queue",
    "round",
    "turn",
)
"""The names of all that a position has."""


class Position:
    """All that can be seen of a game, from above or from a seat.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> game.seat_of("b"), game.players, game.over
    (1, 3, False)
    >>> game.asked, game.families[game.turn], game.at
    ('S', 'r', 1)
    """

    __slots__ = FIELDS

    edition: Edition
    families: str
    """The families at the table, in seat order."""
    round: int
    """The round, from 1 to `ROUNDS`."""
    first: Seat
    """This round's first player."""
    turn: Seat
    """The seat that is asked."""
    asked: str
    """What it is asked: `PLACE`, `LEAVE_OR_REVEAL` or an ability's letter; `OPENING`; `OVER`."""
    at: int
    """Index in the queue, from 0, of the stack being resolved; -1 while cards are placed."""
    queue: list[Stack]
    """The stacks, in the order in which they are resolved."""
    hands: list[str]
    """By seat, the cards in hand, in the order of `CARDS`."""
    aside: list[str]
    """By seat, the cards that were set aside, in the order of `CARDS`."""
    out: list[str]
    """By seat, the discarded and eliminated cards, in the order in which they went."""
    pools: list[int]
    """By seat, the influence in the pool."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.asked == OVER

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.families)

    def seat_of(self, family: str) -> Seat:
        """Return the seat of a family at this table."""
        return self.families.index(family)


def height(stack: Stack | None) -> int:
    """Return how many cards a stack has.

    >>> height((0, "S", True, 0, (0, "M", False, 1, None)))
    2
    """
    cards = 0
    while stack is not None:
        cards += 1
        stack = stack[4]
    return cards


def cards_in(stack: Stack | None) -> list[tuple[Card, bool, int]]:
    """Return (card, face up?, influence on it) of each card of a stack, top first.

    >>> cards_in((0, "S", True, 0, (0, "M", False, 1, None)))
    [('S', True, 0), ('M', False, 1)]
    """
    cards = []
    while stack is not None:
        _, card, face_up, influence, stack = stack
        cards.append((card, face_up, influence))
    return cards


def move_top(queue: list[Stack], at: int, index: int, destination: int) -> int:
    """Move a top card in place, alone, to an index; return where the stack at `at` is now."""
    seat, card, face_up, influence, covered = queue[index]
    if covered is not None:
        queue[index] = covered
    else:
        del queue[index]
        if index < at:
            at -= 1
    queue.insert(destination, (seat, card, face_up, influence, None))
    return at + 1 if destination <= at else at


def cards_of(position: Position, seat: Seat) -> str:
    """Return all cards of a seat, wherever they are, as far as the reader may know them."""
    cards = position.hands[seat] + position.aside[seat] + position.out[seat]
    for stack in position.queue:
        if stack[0] == seat:
            cards += "".join(card for card, _, _ in cards_in(stack))
    return cards


def cards_in_queue(position: Position, seat: Seat) -> int:
    """Return how many cards of a seat are in the Queue, covered ones included."""
    return sum(height(stack) for stack in position.queue if stack[0] == seat)
