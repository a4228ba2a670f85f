"""Defines the base class of games and views.

A view is a position with `UNKNOWN` for each card that its reader may not know. A function that
needs no card hidden from the asked player takes a `Position` and works on both. Examples are the
functions for the legal answers and for the gain of a Lord.
"""

from typing import Any, Final, TypeAlias

from engine.cards import CARD_NAMES, CARDS, FAMILY_NAMES, ROUNDS, Card, Family, Seat
from engine.edition import Edition

Stack: TypeAlias = tuple[Seat, Card, bool, int, tuple[Any, ...] | None]
"""A top card and the cards beneath it: (owner's seat, card, face up?, influence, covered stack).

A stack is immutable, so that copies of a game can share it. It is a plain tuple, and callers unpack
it by position, because that makes rollouts fast.
"""

PLACE: Final = "*"
"""The question of which card to place, and where."""
LEAVE_OR_REVEAL: Final = "?"
"""The question whether to leave or reveal a face-down card."""
OVER: Final = "-"
"""The value of `question` after the end of the game."""


FIELDS: Final = (
    "aside",
    "question",
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
"""The names of a position's fields, for code that copies all of them."""


class Position:
    """A position of a game: with all its cards, or with the cards that one viewer may know.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> game.seat_of("b"), game.players, game.over
    (1, 3, False)
    >>> game.question, game.families[game.turn], game.at
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
    first: Seat
    """This round's first player."""
    turn: Seat
    """The seat whose player must answer; after the end it has no meaning."""
    question: str
    """The question: `PLACE`, `LEAVE_OR_REVEAL` or the letter of an ability; `OVER` after the end.

    A subclass may add values for other events that its game waits for.
    """
    at: int
    """Index, from 0, of the resolving stack; -1 in the placement phase and after the end."""
    queue: list[Stack]
    """The stacks, in the order of resolution."""
    hands: list[str]
    """The cards in each seat's hand, in the order of `CARDS`."""
    aside: list[str]
    """The cards of each seat that were set aside, in the order of `CARDS`."""
    out: list[str]
    """The discarded and eliminated cards of each seat.

    They are in the order in which they went out, or after parsing in the order of the text.
    """
    pools: list[int]
    """The influence in each seat's pool."""

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.question == OVER

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.families)

    def __str__(self) -> str:
        """Return the position as several lines for a person. `format_position` returns one line."""
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
        """Return a sentence with the player and the question."""
        if self.over:
            return "the game is over."
        who = FAMILY_NAMES[self.families[self.turn]]
        if self.question == PLACE:
            return f"{who} is to place a card."
        if self.question == LEAVE_OR_REVEAL:
            return f"{who} is to leave or to reveal the card at {self.at + 1}."
        ability = CARD_NAMES.get(self.question)
        if ability is None:
            return f"the game waits for {who}."
        return f"the {ability} of {who} at {self.at + 1} is to choose."

    def seat_of(self, family: str) -> Seat:
        """Return the seat of a family; raises ValueError if the family is not at this table."""
        return self.families.index(family)


def _in_words(card: Card, face_up: bool, influence: int) -> str:
    name = CARD_NAMES.get(card, card)
    return (name if face_up else f"face-down {name}") + (f" with {influence}" if influence else "")


def height(stack: Stack | None) -> int:
    """Return the number of cards in a stack.

    >>> height((0, "S", True, 0, (0, "M", False, 1, None)))
    2
    """
    cards = 0
    while stack is not None:
        cards += 1
        stack = stack[4]
    return cards


def cards_in(stack: Stack | None) -> list[tuple[Card, bool, int]]:
    """Return (card, face up?, influence) of each card of a stack, top first.

    >>> cards_in((0, "S", True, 0, (0, "M", False, 1, None)))
    [('S', True, 0), ('M', False, 1)]
    """
    cards = []
    while stack is not None:
        _, card, face_up, influence, stack = stack
        cards.append((card, face_up, influence))
    return cards


def top_card(family: Family, stack: Stack) -> str:
    """Return the top card of a stack in the notation.

    >>> top_card("b", (1, "M", False, 1, None)), top_card("r", (0, "S", True, 0, None))
    ('bm1', 'rS')
    """
    _, card, face_up, influence, _ = stack
    return f"{family}{card if face_up else card.lower()}{influence or ''}"


def move_top(queue: list[Stack], at: int, index: int, destination: int) -> int:
    """Move the top card at `index`, alone, to `destination`; this changes `queue`.

    Return the new index of the stack that was at `at`.
    """
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
    """Return all cards of a seat, in hand, aside, out and in the Queue.

    `UNKNOWN` stands for each hidden card.
    """
    cards = position.hands[seat] + position.aside[seat] + position.out[seat]
    for stack in position.queue:
        if stack[0] == seat:
            lower: Stack | None = stack
            while lower is not None:
                _, card, _, _, lower = lower
                cards += card
    return cards


def unseen_cards(position: Position, seat: Seat) -> str:
    """Return the cards of a seat's family whose place the reader does not know."""
    seen = cards_of(position, seat)
    return "".join(card for card in CARDS if card not in seen)


def cards_in_queue(position: Position, seat: Seat) -> int:
    """Return the number of a seat's cards in the Queue, including covered ones."""
    return sum(height(stack) for stack in position.queue if stack[0] == seat)
