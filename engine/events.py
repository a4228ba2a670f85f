"""What happened, in the order in which it happened.

Events are facts for people to read; nothing is computed from them. Positions count from 1 and
are those of the moment just before the event. A `card` may be `UNKNOWN` once an event has been
projected for a viewer (see `view.py`); every other field is public.

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

from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import Card, Seat


@dataclass(frozen=True, slots=True)
class OfCard:
    """What events share that tell what a card did, or what was done with it."""

    seat: Seat
    """Who owns the card."""
    position: int
    """Where the card stands."""
    card: Card


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round began with the placement phase."""

    round: int
    first: Seat


@dataclass(frozen=True, slots=True)
class Placed:
    """A seat put a card, face down, into the Queue."""

    seat: Seat
    card: Card
    spot: str
    """Where the card went: `START`, `END` or `ON` of `actions.py`."""
    position: int
    """The position at which the card now stands."""
    height: int
    """How many cards the stack has that it now tops."""


@dataclass(frozen=True, slots=True)
class ResolutionBegan:
    """Everybody has placed a card; the Queue is resolved from position 1."""


@dataclass(frozen=True, slots=True)
class Left(OfCard):
    """A seat left its face-down card, and 1 influence went on it."""

    influence: int
    """How much influence now lies on the card."""


@dataclass(frozen=True, slots=True)
class Revealed(OfCard):
    """A seat turned its card face up."""

    influence: int
    """How much influence lay on the card."""
    taken: int
    """How much influence went into the seat's pool."""


@dataclass(frozen=True, slots=True)
class Forced(OfCard):
    """The ability has one legal answer, so the engine gives it unasked."""

    ability: Card


@dataclass(frozen=True, slots=True)
class Gained(OfCard):
    """A card paid; 0 when its condition was not met."""

    ability: Card
    """The ability that paid: another card's letter when a Shapeshifter copied it."""
    influence: int


@dataclass(frozen=True, slots=True)
class NoEffect(OfCard):
    """An ability had nothing to act on."""

    ability: Card


@dataclass(frozen=True, slots=True)
class Copied:
    """A Shapeshifter took on a neighbour's ability for this resolution."""

    seat: Seat
    position: int
    target: int
    ability: Card


@dataclass(frozen=True, slots=True)
class Eliminated(OfCard):
    """A card eliminated a top card; its owner gained 1."""

    target: int
    victim: Seat
    victim_card: Card
    face_up: bool
    """Whether the victim lay face up."""
    influence: int
    """How much influence lay on the victim, and is lost."""


@dataclass(frozen=True, slots=True)
class AmbushSprung:
    """The eliminated card was an Ambush; its owner gained."""

    seat: Seat
    influence: int
    attacker: Seat


@dataclass(frozen=True, slots=True)
class Discarded(OfCard):
    """A card left the Queue: an applied Intrigue, or an attacker that an Ambush took with it."""


@dataclass(frozen=True, slots=True)
class Stole(OfCard):
    """A card took influence out of a player's pool: 1, or 0 from an empty or from one's own."""

    victim: Seat
    influence: int


@dataclass(frozen=True, slots=True)
class Moved:
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


@dataclass(frozen=True, slots=True)
class Uncovered(OfCard):
    """The card that just resolved left its stack, and the one beneath is resolved next."""

    face_up: bool
    """Whether the uncovered card lies face up."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The sixth round is over, and everything is laid open."""

    winners: tuple[Seat, ...]


Event: TypeAlias = (
    RoundBegan
    | Placed
    | ResolutionBegan
    | Left
    | Revealed
    | Forced
    | Gained
    | NoEffect
    | Copied
    | Eliminated
    | AmbushSprung
    | Discarded
    | Stole
    | Moved
    | Uncovered
    | GameEnded
)
