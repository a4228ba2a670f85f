"""The shape that a whole game and a view of it share.

A view is a position with `UNKNOWN` in place of each card that its reader may not know, so
whatever can be asked of public facts (who is asked, what is legal, what a Lord would gain) is
asked of a `Position`, and works on both.
"""

from typing import Any, Final, TypeAlias

from engine.cards import CARD_NAMES, CARDS, FAMILY_NAMES, ROUNDS, Card, Seat
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
    >>> print(game)
    Round 4 of 6, edition 2: the Soldier of Red at 2 is to choose.
      1  Green   face-down Conspiracy with 2
    > 2  Red     Soldier
      3  Red     face-down Ambush with 1
      4  Blue    Lord
    * Red     3 influence, hand APH, aside LXD, out FC
      Blue    2 influence, hand ASP, aside HFX, out DMC
      Green   4 influence, hand SPH, aside FLX, out ADM
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
    """What it is asked: `PLACE`, `LEAVE_OR_REVEAL` or an ability's letter; `OVER` after the end.

    A kind of game that must wait for something else has a sign of its own there."""
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

    def __str__(self) -> str:
        """Return the position for a person to read; `format_position` has it in one line."""
        lines = [f"Round {self.round} of {ROUNDS}, edition {self.edition.number}: {self._asks()}"]
        for index, stack in enumerate(self.queue):
            mark = ">" if index == self.at else " "
            owner = FAMILY_NAMES[self.families[stack[0]]]
            cards = " on ".join([_in_words(*card) for card in cards_in(stack)])
            lines.append(f"{mark}{index + 1:2}  {owner:7} {cards}")
        for seat, family in enumerate(self.families):
            mark = "*" if seat == self.first else " "
            piles = [each[seat] or "-" for each in (self.hands, self.aside, self.out)]
            lines.append(
                f"{mark} {FAMILY_NAMES[family]:7} {self.pools[seat]} influence,"
                f" hand {piles[0]}, aside {piles[1]}, out {piles[2]}"
            )
        return "\n".join(lines)

    def _asks(self) -> str:
        """Return who is asked what."""
        if self.over:
            return "the game is over."
        who = FAMILY_NAMES[self.families[self.turn]]
        if self.asked == PLACE:
            return f"{who} is to place a card."
        if self.asked == LEAVE_OR_REVEAL:
            return f"{who} is to leave or to reveal the card at {self.at + 1}."
        ability = CARD_NAMES.get(self.asked)
        if ability is None:
            return f"the game waits for {who}."
        return f"the {ability} of {who} at {self.at + 1} is to choose."

    def seat_of(self, family: str) -> Seat:
        """Return the seat of a family at this table."""
        return self.families.index(family)


def _in_words(card: Card, face_up: bool, influence: int) -> str:
    name = CARD_NAMES.get(card, card)
    return (name if face_up else f"face-down {name}") + (f" with {influence}" if influence else "")


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


def unseen(position: Position, seat: Seat) -> str:
    """Return the cards of a seat's family of which the reader does not know where they are."""
    seen = cards_of(position, seat)
    return "".join(card for card in CARDS if card not in seen)


def cards_in_queue(position: Position, seat: Seat) -> int:
    """Return how many cards of a seat are in the Queue, covered ones included."""
    return sum(height(stack) for stack in position.queue if stack[0] == seat)
