"""The engine's events as compact data for the wire, and back.

An event is a tuple: the name of its class, then its fields in their order. Reading is strict.
Nothing is hidden here: events are projected for their receiver before they come this way.
"""

import re
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias, get_args

from msgspec import Meta, Struct, ValidationError, defstruct
from msgspec.structs import astuple

from engine.actions import END, ON, START
from engine.cards import CARDS, MAXIMUM_PLAYERS, MAXIMUM_STACKS, ROUNDS, UNKNOWN
from engine.events import Event, GameEnded, HidingEvent, Moved, Stole
from engine.view import View
from netcode.protocol.fields import checked

WireEvent: TypeAlias = tuple[str | int | bool | tuple[int, ...], ...]
"""An event as data: its name, then its fields."""

MOST_INFLUENCE: Final = 999_999_999
"""Most influence in an event: the notation has room for nine digits, and no game comes near it."""


_SEAT_FIELDS: Final = ("attacker", "first", "owner", "seat", "victim")


class WireEventError(ValueError):
    """Data that is no event of the engine."""


def to_wire(event: Event) -> WireEvent:
    """Return an event as plain data."""
    return (type(event).__name__, *event)


def fits_view(event: Event, view: View) -> bool:
    """Return whether an event can be about this game, as its viewer may know it."""
    seats = [getattr(event, name) for name in _SEAT_FIELDS if hasattr(event, name)]
    if isinstance(event, GameEnded):
        seats += event.winners
    if any(seat >= view.players for seat in seats):
        return False
    if isinstance(event, Stole) and event.victim == event.seat:
        return event.influence == 0
    if isinstance(event, HidingEvent) and event.card == UNKNOWN:
        owner = event.owner if isinstance(event, Moved) else event.seat
        return owner not in view.viewers and not getattr(event, "face_up", False)
    return True


def from_wire(data: object) -> Event:
    """Return the event that `to_wire` wrote; raises WireEventError."""
    if not isinstance(data, tuple) or not data or not isinstance(data[0], str):
        raise WireEventError("an event is a tuple that begins with its name")
    if data[0] not in _KINDS:
        raise WireEventError("no event has this name")
    kind, data_type = _KINDS[data[0]]
    try:
        event = kind(*astuple(checked(data, data_type)))
    except ValidationError:
        raise WireEventError("the fields do not fit the event") from None
    if isinstance(event, GameEnded) and len(set(event.winners)) < len(event.winners):
        raise WireEventError("one seat wins twice")
    return event


def _letter(letters: str) -> Any:
    return Annotated[str, Meta(pattern=rf"^[{re.escape(letters)}]\Z")]


_Seat = Annotated[int, Meta(ge=0, lt=MAXIMUM_PLAYERS)]
_Position = Annotated[int, Meta(ge=1, le=MAXIMUM_STACKS)]
_Round = Annotated[int, Meta(ge=1, le=ROUNDS)]
_Influence = Annotated[int, Meta(ge=0, le=MOST_INFLUENCE)]
_KnownCard = _letter(CARDS)

_TYPES: Final[dict[str, Any]] = {
    "ability": _KnownCard,
    "attacker": _Seat,
    "card": _KnownCard,
    "destination": _Position,
    "face_up": bool,
    "first": _Seat,
    "height": _Round,
    "influence": _Influence,
    "owner": _Seat,
    "position": _Position,
    "round": _Round,
    "seat": _Seat,
    "spot": _letter(START + END + ON),
    "taken": _Influence,
    "target": _Position,
    "victim": _Seat,
    "victim_card": _KnownCard,
    "winners": Annotated[tuple[_Seat, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)],
}
"""What a field may hold, by its name; an event with a field that is not here cannot be sent."""


def _data_of(kind: type[Event]) -> type[Struct]:
    """Return the type of the data of a kind of event."""
    hides = {"card": _letter(CARDS + UNKNOWN)} if kind in get_args(HidingEvent) else {}
    types = {**_TYPES, **hides}
    return defstruct(
        kind.__name__,
        [(name, types[name]) for name in kind._fields],
        array_like=True,
        tag=True,
        forbid_unknown_fields=True,
    )


_KINDS: Final[dict[str, tuple[Callable[..., Event], type[Struct]]]] = {
    kind.__name__: (kind, _data_of(kind)) for kind in get_args(Event)
}
"""Each kind of event by its name, with the type of its data."""
