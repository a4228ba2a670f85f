"""The engine's events as compact data for the wire, and back.

An event is a tuple: the name of its class, then its fields in their order. Reading is strict:
the right number of fields, each of the right type and within what a game can bring about.
Nothing is hidden here: events are projected for their receiver before they come this way.
"""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Final, TypeAlias, get_args

from engine.actions import END, ON, START
from engine.cards import CARDS, MAXIMUM_PLAYERS, MAXIMUM_STACKS, ROUNDS, UNKNOWN
from engine.events import Event, GameEnded, Left, Moved, Placed, Stole, Uncovered
from engine.view import View

WireEvent: TypeAlias = tuple[str | int | bool | tuple[int, ...], ...]
"""An event as data: its name, then its fields."""

MOST_INFLUENCE: Final = 999_999_999
"""Most influence in an event: the notation has room for nine digits, and no game comes near it."""


_SEAT_FIELDS: Final = ("attacker", "first", "owner", "seat", "victim")


class WireEventError(ValueError):
    """Data that is no event of the engine."""


def to_wire(event: Event) -> WireEvent:
    """Return an event as plain data."""
    return _WRITERS[type(event)](event)


def fits_view(event: Event, view: View) -> bool:
    """Return whether an event can be about this game, as its viewer may know it."""
    seats = [getattr(event, name) for name in _SEAT_FIELDS if hasattr(event, name)]
    if isinstance(event, GameEnded):
        seats += event.winners
    if any(seat >= view.players for seat in seats):
        return False
    if isinstance(event, Stole) and event.victim == event.seat:
        return event.influence == 0
    if isinstance(event, _MAY_HIDE_THE_CARD) and event.card == UNKNOWN:
        owner = event.owner if isinstance(event, Moved) else event.seat
        return owner not in view.viewers and not getattr(event, "face_up", False)
    return True


def from_wire(data: object) -> Event:
    """Return the event that `to_wire` wrote; raises WireEventError."""
    if not isinstance(data, tuple) or not data or not isinstance(data[0], str):
        raise WireEventError("an event is a tuple that begins with its name")
    kind = _KINDS.get(data[0])
    if kind is None:
        raise WireEventError("no event has this name")
    make, checks = kind
    values = data[1:]
    if len(values) != len(checks) or not all(
        fits(value) for fits, value in zip(checks, values, strict=True)
    ):
        raise WireEventError("the fields do not fit the event")
    return make(*values)


def _number(lowest: int, highest: int) -> Callable[[object], bool]:
    # `type(...) is` because True is an int to isinstance.
    return lambda value: type(value) is int and lowest <= value <= highest


def _letter(letters: str) -> Callable[[object], bool]:
    return lambda value: type(value) is str and len(value) == 1 and value in letters


def _boolean(value: object) -> bool:
    return type(value) is bool


def _seats(value: object) -> bool:
    return (
        type(value) is tuple
        and 1 <= len(value) <= MAXIMUM_PLAYERS
        and all(_seat(each) for each in value)
        and len(set(value)) == len(value)
    )


_seat = _number(0, MAXIMUM_PLAYERS - 1)
_position = _number(1, MAXIMUM_STACKS)
_influence = _number(0, MOST_INFLUENCE)
_known_card = _letter(CARDS)
_card = _letter(CARDS + UNKNOWN)

_CHECKS: Final[dict[str, Callable[[object], bool]]] = {
    "ability": _known_card,
    "attacker": _seat,
    "card": _known_card,
    "destination": _position,
    "face_up": _boolean,
    "first": _seat,
    "height": _number(1, ROUNDS),
    "influence": _influence,
    "owner": _seat,
    "position": _position,
    "round": _number(1, ROUNDS),
    "seat": _seat,
    "spot": _letter(START + END + ON),
    "taken": _influence,
    "target": _position,
    "victim": _seat,
    "victim_card": _known_card,
    "winners": _seats,
}
"""What a field may hold, by its name; an event with a field that is not here cannot be sent."""

_MAY_HIDE_THE_CARD: Final = (Placed, Left, Moved, Uncovered)
"""Events of a card that the receiver may not know."""


def _checks(kind: type[Event]) -> tuple[Callable[[object], bool], ...]:
    checks = {**_CHECKS, "card": _card} if kind in _MAY_HIDE_THE_CARD else _CHECKS
    return tuple(checks[each.name] for each in fields(kind))


def _writer(kind: type[Event]) -> Callable[[Event], WireEvent]:
    names = [each.name for each in fields(kind)]
    if names:
        # Of several attributes it makes a tuple at once.
        return attrgetter("__class__.__name__", *names)
    wire = (kind.__name__,)
    return lambda event: wire


_WRITERS: Final = {kind: _writer(kind) for kind in get_args(Event)}
"""What makes the data of each kind of event."""

_KINDS: Final[dict[str, tuple[Callable[..., Event], tuple[Callable[[object], bool], ...]]]] = {
    kind.__name__: (kind, _checks(kind)) for kind in get_args(Event)
}
"""Each kind of event with the checks of its fields."""
