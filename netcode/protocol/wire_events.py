"""Converts the engine's events to compact data for the wire, and back.

An event is a tuple: the name of its class, then its fields in order. Reading is strict. This module
hides nothing: the caller must project an event for its receiver first.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, Union, get_args

from msgspec import Meta, Struct, defstruct
from msgspec.structs import astuple

from engine.actions import END, ON, START
from engine.cards import CARDS, MAXIMUM_PLAYERS, MAXIMUM_STACKS, ROUNDS, UNKNOWN
from engine.events import EVENTS, Event, GameEnded, HidingEvent, Moved, Stole
from engine.views import View

WireEvent: TypeAlias = tuple[str | int | bool | tuple[int, ...], ...]
"""An event as plain data: the name of its class, then its fields."""

MOST_INFLUENCE: Final = 999_999_999
"""Maximum influence on the wire: the notation has nine digits, and no game comes near."""


_SEAT_FIELDS: Final = ("attacker", "first", "owner", "seat", "victim")


def to_wire(event: Event) -> WireEvent:
    """Return an event as plain data."""
    return (type(event).__name__, *event)


def fits_view(event: Event, view: View) -> bool:
    """Return True if an event fits this view of the game.

    Its seats must exist, and a theft from the thief's own pool must bring 0. A card that the viewer
    knows must not be hidden.
    """
    seats = [getattr(event, name) for name in _SEAT_FIELDS if hasattr(event, name)]
    if isinstance(event, GameEnded):
        if len(set(event.winners)) < len(event.winners):
            return False
        seats += event.winners
    if any(seat >= view.players for seat in seats):
        return False
    if isinstance(event, Stole) and event.victim == event.seat:
        return event.influence == 0
    if isinstance(event, HidingEvent) and event.card == UNKNOWN:
        owner = event.owner if isinstance(event, Moved) else event.seat
        return owner not in view.viewers and not getattr(event, "face_up", False)
    return True


def from_wire(read: Any) -> Event:
    """Return the event of data from the wire. The caller must check the frame's size before."""
    return EVENTS[type(read).__name__](*astuple(read))


def one_letter(letters: str) -> Any:
    """Return the type of a text that is one of these letters."""
    # A pattern would take several times as long.
    return Literal[tuple(letters)]


SeatIndex = Annotated[int, Meta(ge=0, lt=MAXIMUM_PLAYERS)]
"""A seat, counted from 0."""

_Position = Annotated[int, Meta(ge=1, le=MAXIMUM_STACKS)]
_Round = Annotated[int, Meta(ge=1, le=ROUNDS)]
Influence = Annotated[int, Meta(ge=0, le=MOST_INFLUENCE)]
"""Influence in a pool or on a card."""

_KnownCard = one_letter(CARDS)

_TYPES: Final[dict[str, Any]] = {
    "ability": _KnownCard,
    "attacker": SeatIndex,
    "card": _KnownCard,
    "destination": _Position,
    "face_up": bool,
    "first": SeatIndex,
    "height": _Round,
    "influence": Influence,
    "owner": SeatIndex,
    "position": _Position,
    "round": _Round,
    "seat": SeatIndex,
    "spot": one_letter(START + END + ON),
    "taken": Influence,
    "target": _Position,
    "victim": SeatIndex,
    "victim_card": _KnownCard,
    "winners": Annotated[tuple[SeatIndex, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)],
}
"""The data type of each field, by name. Events with other fields cannot be sent."""


def _data_of(kind: type[Event]) -> type[Struct]:
    hides = {"card": one_letter(CARDS + UNKNOWN)} if kind in get_args(HidingEvent) else {}
    types = {**_TYPES, **hides}
    return defstruct(
        kind.__name__,
        [(name, types[name]) for name in kind._fields],
        array_like=True,
        tag=True,
        forbid_unknown_fields=True,
    )


if TYPE_CHECKING:
    SentEvent: TypeAlias = Event
else:
    # The type checker sees the engine's events. At run time this union contains structs, since
    # msgspec cannot decode a union of named tuples.
    SentEvent = Union[tuple(map(_data_of, get_args(Event)))]  # noqa: UP007
"""An event of the engine, projected for its receiver."""
