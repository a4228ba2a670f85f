"""What happened, in the order in which it happened.

Events are facts for people to read; nothing is computed from them. Positions count from 1 and
are those of the moment just before the event. A `card` may be `UNKNOWN` once an event has been
projected for a viewer (see `views.py`); every other field is public.

>>> from engine.actions import ACTIONS
>>> from engine.notation import parse_position
>>> game = parse_position(
...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
... )
>>> events = []
>>> following = game.play(ACTIONS["x3"], events)
>>> [type(event).__name__ for event in events]
['Eliminated', 'Gained', 'RoundBegan']
>>> events[1]
Gained(seat=1, position=3, card='L', ability='L', influence=1)
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias, get_args

from engine.cards import Card, Seat


class RoundBegan(NamedTuple):
    """A round began with the placement phase."""

    round: int
    first: Seat


class Placed(NamedTuple):
    """A seat put a card, face down, into the Queue."""

    seat: Seat
    card: Card
    spot: str
    """Where the card went: `START`, `END` or `ON` of `actions.py`."""
    position: int
    """The position at which the card now stands."""
    height: int
    """How many cards the stack has that it now tops."""


class ResolutionBegan(NamedTuple):
    """Everybody has placed a card; the Queue is resolved from position 1."""


class Left(NamedTuple):
    """A seat left its face-down card, and 1 influence went on it."""

    seat: Seat
    position: int
    card: Card
    influence: int
    """How much influence now lies on the card."""


class Revealed(NamedTuple):
    """A seat turned its card face up."""

    seat: Seat
    position: int
    card: Card
    influence: int
    """How much influence lay on the card."""
    taken: int
    """How much influence went into the seat's pool."""


class Forced(NamedTuple):
    """The ability has one legal answer, so the engine gives it unasked."""

    seat: Seat
    position: int
    card: Card
    ability: Card


class Gained(NamedTuple):
    """A card paid; 0 when its condition was not met."""

    seat: Seat
    position: int
    card: Card
    ability: Card
    """The ability that paid: another card's letter when a Shapeshifter copied it."""
    influence: int


class NoEffect(NamedTuple):
    """An ability had nothing to act on."""

    seat: Seat
    position: int
    card: Card
    ability: Card


class Copied(NamedTuple):
    """A Shapeshifter took on a neighbour's ability for this resolution."""

    seat: Seat
    position: int
    target: int
    ability: Card


class Eliminated(NamedTuple):
    """A card eliminated a top card; its owner gained 1."""

    seat: Seat
    position: int
    card: Card
    target: int
    victim: Seat
    victim_card: Card
    face_up: bool
    """Whether the victim lay face up."""
    influence: int
    """How much influence lay on the victim, and is lost."""


class AmbushSprung(NamedTuple):
    """The eliminated card was an Ambush; its owner gained."""

    seat: Seat
    influence: int
    attacker: Seat


class Discarded(NamedTuple):
    """A card left the Queue: an applied Intrigue, or an attacker that an Ambush took with it."""

    seat: Seat
    position: int
    card: Card


class Stole(NamedTuple):
    """A card took influence out of a player's pool: 1, or 0 from an empty or from one's own."""

    seat: Seat
    position: int
    card: Card
    victim: Seat
    influence: int


class Moved(NamedTuple):
    """A Royal Decree moved a top card, with the influence on it."""

    seat: Seat
    position: int
    target: int
    destination: int
    """The position at which the card now stands, alone."""
    owner: Seat
    card: Card
    """The card that was moved."""
    face_up: bool
    """Whether the card that was moved lies face up."""


class Uncovered(NamedTuple):
    """The card that just resolved left its stack, and the one beneath is resolved next."""

    seat: Seat
    position: int
    card: Card
    face_up: bool
    """Whether the uncovered card lies face up."""


class GameEnded(NamedTuple):
    """The sixth round is over, and everything is laid open."""

    winners: tuple[Seat, ...]


OpenEvent: TypeAlias = (
    RoundBegan
    | ResolutionBegan
    | Revealed
    | Forced
    | Gained
    | NoEffect
    | Copied
    | Eliminated
    | AmbushSprung
    | Discarded
    | Stole
    | GameEnded
)
"""Events about cards that are, or thereby become, known to all."""

HidingEvent: TypeAlias = Placed | Left | Moved | Uncovered
"""Events about a card that only its owner may know."""

Event: TypeAlias = OpenEvent | HidingEvent

EVENTS: Final[dict[str, Callable[..., Event]]] = {kind.__name__: kind for kind in get_args(Event)}
"""Every kind of event by its name."""
