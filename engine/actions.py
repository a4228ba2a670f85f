"""Defines the answers that a player can give, as one frozen value each.

This module creates all answers once, at import. `ACTIONS` finds an answer by its token; the tables
below find it by its fields. `str(action)` returns the token.

>>> ACTIONS["x3"]
Eliminate(position=3)
>>> print(Place("S", ON, 3), LEAVE, REVEAL, Steal("b"), Copy(3), Move(3, 1))
S^3 + ! $b ~3 3>1
"""

from functools import cache, lru_cache
from typing import ClassVar, Final, NamedTuple, TypeAlias

from engine.cards import CARDS, FAMILIES, LEAVES, MAXIMUM_STACKS, UNKNOWN, Card, Family

START: Final = "<"
"""The spot before all other cards, at position 1."""
END: Final = ">"
"""The spot after all other cards."""
ON: Final = "^"
"""The spot on a stack of the card's own family."""


class Answer:
    """The base class of all answers. Answers with equal tokens are equal.

    Answers are immutable: subclasses set their fields through `object.__setattr__`.

    >>> Eliminate(3).token
    'x3'
    >>> Eliminate(3) == ACTIONS["x3"]
    True
    """

    __slots__ = ("token",)
    __match_args__: ClassVar[tuple[str, ...]] = ()
    """The answer's fields, in constructor order."""

    token: str

    def __init__(self, token: str) -> None:
        object.__setattr__(self, "token", token)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an answer never changes")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and other.token == self.token

    def __hash__(self) -> int:
        return hash(self.token)

    def __str__(self) -> str:
        return self.token

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({', '.join(fields)})"


class Place(Answer):
    """Place a card face down: at the start or end of the Queue, or on a stack of its family."""

    __slots__ = ("card", "position", "spot")
    __match_args__ = ("card", "spot", "position")

    card: Card
    spot: str
    """The spot where the card goes: `START`, `END` or `ON`."""
    position: int
    """The position of the stack that the card covers; 0 unless the spot is `ON`."""

    def __init__(self, card: Card, spot: str, position: int = 0) -> None:
        object.__setattr__(self, "card", card)
        object.__setattr__(self, "spot", spot)
        object.__setattr__(self, "position", position)
        super().__init__(f"{card}{spot}{position or ''}")


class Leave(Answer):
    """Leave the face-down card as it is: the card gathers 1 influence."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("+")


class Reveal(Answer):
    """Turn the face-down card up, take influence by `REVEALING_TAKES`, and apply its ability."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("!")


class Eliminate(Answer):
    """Eliminate the top card at a position."""

    __slots__ = ("position",)
    __match_args__ = ("position",)

    position: int

    def __init__(self, position: int) -> None:
        object.__setattr__(self, "position", position)
        super().__init__(f"x{position}")


class Steal(Answer):
    """Steal 1 influence from the pool of a family."""

    __slots__ = ("family",)
    __match_args__ = ("family",)

    family: Family

    def __init__(self, family: Family) -> None:
        object.__setattr__(self, "family", family)
        super().__init__(f"${family}")


class Copy(Answer):
    """Apply the ability of the face-up Character at a position."""

    __slots__ = ("position",)
    __match_args__ = ("position",)

    position: int

    def __init__(self, position: int) -> None:
        object.__setattr__(self, "position", position)
        super().__init__(f"~{position}")


class Move(Answer):
    """Move the top card of one position, alone, to another position."""

    __slots__ = ("destination", "position")
    __match_args__ = ("position", "destination")

    position: int
    """The position of the stack that the card leaves."""
    destination: int
    """The card's new position, counted while the Royal Decree is still in the Queue."""

    def __init__(self, position: int, destination: int) -> None:
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "destination", destination)
        super().__init__(f"{position}>{destination}")


Action: TypeAlias = Place | Leave | Reveal | Eliminate | Steal | Copy | Move


_POSITIONS: Final = range(1, MAXIMUM_STACKS + 1)

LEAVE: Final = Leave()
"""The answer that leaves a face-down card."""
REVEAL: Final = Reveal()
"""The answer that reveals a face-down card."""
LEAVE_AND_REVEAL: Final[tuple[Action, ...]] = (LEAVE, REVEAL)
"""Both answers when a face-down card resolves."""

_PLACE_START: Final = {card: Place(card, START) for card in CARDS + LEAVES}
_PLACE_END: Final = {card: Place(card, END) for card in CARDS + LEAVES}
_PLACE_ON: Final = [
    {card: Place(card, ON, position) for card in CARDS + LEAVES} for position in (0, *_POSITIONS)
]
ELIMINATE: Final = [Eliminate(position) for position in (0, *_POSITIONS)]
"""The eliminations, by the position of the target. Entry 0 is unused."""
COPY: Final = [Copy(position) for position in (0, *_POSITIONS)]
"""The copies, by the position of the copied Character. Entry 0 is unused."""
STEAL: Final = {family: Steal(family) for family in FAMILIES}
"""The thefts, by the family of the victim."""
_MOVE: Final = [
    [Move(position, destination) for destination in (0, *_POSITIONS)]
    for position in (0, *_POSITIONS)
]

ACTIONS: Final[dict[str, Action]] = {
    action.token: action
    for actions in (
        LEAVE_AND_REVEAL,
        _PLACE_START.values(),
        _PLACE_END.values(),
        *(on_stack.values() for on_stack in _PLACE_ON[1:]),
        ELIMINATE[1:],
        COPY[1:],
        STEAL.values(),
        *(row[1:] for row in _MOVE[1:]),
    )
    for action in actions
}
"""Every possible answer, by its token."""


HANDS: Final = 2048
"""Maximum number of hands whose placements are cached: enough for all hands in real games and
views.
"""


class Placements(NamedTuple):
    """The placements of the cards of one hand, as tuples that callers concatenate."""

    alone: tuple[Action, ...]
    """The answers in an empty Queue."""
    at_an_end: tuple[Action, ...]
    """The answers that put a card at the start or at the end of the Queue."""
    on_stack: dict[int, tuple[Action, ...]]
    """The answers that put a card on a stack, by the position of the stack. `placements_on` adds a
    position when it is first needed.
    """


@lru_cache(HANDS)
def placements(hand: str) -> Placements:
    """Return the ways to place the cards of `hand`; `UNKNOWN` cards have none.

    >>> print(*placements("SH").at_an_end)
    S< S> H< H>
    """
    hand = hand.replace(UNKNOWN, "")
    return Placements(
        tuple(_PLACE_END[card] for card in hand),
        tuple(table[card] for card in hand for table in (_PLACE_START, _PLACE_END)),
        {},
    )


def placements_on(hand: str, position: int) -> tuple[Action, ...]:
    """Return the ways to place the cards of `hand` on the stack at a position.

    `UNKNOWN` cards have none.

    >>> print(*placements_on("SH", 2))
    S^2 H^2
    """
    known = placements(hand).on_stack
    if position not in known:
        known[position] = tuple(_PLACE_ON[position][card] for card in hand.replace(UNKNOWN, ""))
    return known[position]


@cache
def eliminate_any(stacks: int) -> tuple[Action, ...]:
    """Return the eliminations of all top cards in a Queue of `stacks` stacks.

    >>> print(*eliminate_any(3))
    x1 x2 x3
    """
    return tuple(ELIMINATE[1 : stacks + 1])


@cache
def moves_from(position: int, places: int, staying: int) -> tuple[Action, ...]:
    """Return the moves of the top card at `position` to all of `places`, except to `staying`.

    If `staying` is 0, no place is excluded.

    >>> print(*moves_from(2, 3, staying=2))
    2>1 2>3
    """
    return tuple(_MOVE[position][place] for place in range(1, places + 1) if place != staying)
