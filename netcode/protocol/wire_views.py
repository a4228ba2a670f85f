"""A view as compact data for the wire, and back.

The data has the values of the engine's `View`, so that neither side formats or parses text. This
module hides nothing: the engine makes the view for its receiver.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from engine.abilities import CHOICES
from engine.cards import (
    CARDS,
    FAMILIES,
    HAND,
    MAXIMUM_PLAYERS,
    MAXIMUM_STACKS,
    MINIMUM_PLAYERS,
    ROUNDS,
    SET_ASIDE,
    UNKNOWN,
)
from engine.consistency import check_view
from engine.edition import EDITIONS
from engine.position import LEAVE_OR_REVEAL, OVER, PLACE, Position, Stack, cards_in
from engine.views import OwnerParts, View
from netcode.protocol.fields import Strict
from netcode.protocol.wire_events import Influence, SeatIndex, one_letter

QUESTIONS: Final = PLACE + LEAVE_OR_REVEAL + OVER + "".join(CHOICES)
"""The possible values of a view's question."""


def _stack_of(cards: int) -> Any:
    """Return the type of a stack with at most this number of cards."""
    covered = None if cards == 1 else _stack_of(cards - 1) | None
    values: Any = (SeatIndex, one_letter(CARDS + UNKNOWN), bool, Influence, covered)
    return tuple[values]


def _cards(least: int, most: int) -> Any:
    """Return the type of a list of cards."""
    number = least if least == most else f"{least},{most}"
    return Annotated[str, Meta(pattern=rf"^[{CARDS}{UNKNOWN}]{{{number}}}\Z")]


if TYPE_CHECKING:
    SentStack: TypeAlias = Stack
    SentHand: TypeAlias = str
    SentAside: TypeAlias = str
    SentOut: TypeAlias = str
    SentQuestion: TypeAlias = str
else:
    SentStack = _stack_of(ROUNDS)
    SentHand, SentAside, SentOut = _cards(0, HAND), _cards(SET_ASIDE, SET_ASIDE), _cards(0, ROUNDS)
    SentQuestion = one_letter(QUESTIONS)

SentFamilies = Annotated[
    str, Meta(pattern=rf"^[{FAMILIES}]{{{MINIMUM_PLAYERS},{MAXIMUM_PLAYERS}}}\Z")
]
_AtTable = Meta(min_length=MINIMUM_PLAYERS, max_length=MAXIMUM_PLAYERS)


class WireView(Strict, frozen=True, array_like=True):
    """A view as an array of these values. All lists but the Queue have an item for each seat."""

    edition: Annotated[int, Meta(ge=min(EDITIONS), le=max(EDITIONS))]
    families: SentFamilies
    """The letters of the families, in seat order."""
    round: Annotated[int, Meta(ge=1, le=ROUNDS)]
    first: SeatIndex
    turn: SeatIndex
    question: SentQuestion
    """The question as in the notation."""
    at: Annotated[int, Meta(ge=-1, lt=MAXIMUM_STACKS)]
    """The index of the resolving stack; -1 if none resolves."""
    queue: Annotated[tuple[SentStack, ...], Meta(max_length=MAXIMUM_STACKS)]
    hands: Annotated[tuple[SentHand, ...], _AtTable]
    aside: Annotated[tuple[SentAside, ...], _AtTable]
    out: Annotated[tuple[SentOut, ...], _AtTable]
    """The cards of each seat that are out of the game, oldest first."""
    pools: Annotated[tuple[Influence, ...], _AtTable]

    @classmethod
    def of(cls, seen: Position, parts: OwnerParts | None = None) -> "WireView":
        """Return a view as data; or a whole position, for a reader who may see every card.

        `parts` replace the position's own Queue, hands and cards set aside.
        """
        queue, hands, aside = parts or (tuple(seen.queue), tuple(seen.hands), tuple(seen.aside))
        return cls(
            seen.edition.number,
            seen.families,
            seen.round,
            seen.first,
            seen.turn,
            seen.question,
            seen.at,
            queue,
            hands,
            aside,
            tuple(seen.out),
            tuple(seen.pools),
        )

    def with_parts(self, parts: OwnerParts) -> "WireView":
        """Return this view with an owner's parts: Queue, hands and cards set aside."""
        queue, hands, aside = parts
        return replace(self, queue=queue, hands=hands, aside=aside)

    def seen_by(self, families: str) -> View:
        """Return the view of the player with these families.

        Raises ValueError if the values do not fit together, or hide the player's own cards.
        """
        self._check_seats()
        seen = View()
        seen.viewers = tuple(map(self.families.index, families))
        seen.edition = EDITIONS[self.edition]
        seen.families = self.families
        seen.round = self.round
        seen.first = self.first
        seen.turn = self.turn
        seen.question = self.question
        seen.at = self.at
        seen.queue = list(self.queue)
        seen.hands = list(self.hands)
        seen.aside = list(self.aside)
        seen.out = list(self.out)
        seen.pools = list(self.pools)
        check_view(seen)
        return seen

    def _check_seats(self) -> None:
        """Raise ValueError for errors that no line of the notation can have."""
        seats = len(self.families)
        if any(len(each) != seats for each in (self.hands, self.aside, self.out, self.pools)):
            raise ValueError("a list has not one item for each seat")
        if max(self.first, self.turn, *[stack[0] for stack in self.queue]) >= seats:
            raise ValueError("a seat is not at the table")
        if (self.at < 0) is not (self.question in (PLACE, OVER)):
            raise ValueError("the question is not about a card")
        cards = [card for stack in self.queue for card in cards_in(stack)]
        if any(card == UNKNOWN and face_up for card, face_up, _ in cards):
            raise ValueError("a face-up card is unknown")
