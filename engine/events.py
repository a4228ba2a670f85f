"""Defines the events of a game.

Events are facts for players to read. No rule computes anything from them. Positions count from 1
and are the positions just before the event, unless a field says otherwise. Projecting an event for
a viewer may turn its `card` into `UNKNOWN` (see `views.py`). Every other field is public.

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
    """A player placed a card face down in the Queue."""

    seat: Seat
    card: Card
    spot: str
    """The spot of the card: `START`, `END` or `ON` of `actions.py`."""
    position: int
    """The position at which the card now stands."""
    height: int
    """Number of cards in the card's stack, including the card itself."""


class ResolutionBegan(NamedTuple):
    """Everybody has placed a card; the Queue is resolved from position 1."""


class Left(NamedTuple):
    """A player left a face-down card, which gathered 1 influence."""

    seat: Seat
    position: int
    card: Card
    influence: int
    """Influence on the card now."""


class Revealed(NamedTuple):
    """A player revealed a card, and took the influence that it pays."""

    seat: Seat
    position: int
    card: Card
    influence: int
    """Influence that was on the card before."""
    taken: int
    """Influence that the player took from the card."""


class Forced(NamedTuple):
    """An ability had only one legal answer, so the engine chose it without a question."""

    seat: Seat
    position: int
    card: Card
    ability: Card


class Gained(NamedTuple):
    """A card gained influence by its ability.

    The influence is 0 if the ability's condition was not met.
    """

    seat: Seat
    position: int
    card: Card
    ability: Card
    """The ability that gained the influence. A Shapeshifter has the ability of the copied card."""
    influence: int


class NoEffect(NamedTuple):
    """An ability had no card or player to act on."""

    seat: Seat
    position: int
    card: Card
    ability: Card


class Copied(NamedTuple):
    """A Shapeshifter copied the ability of an adjacent card for this resolution."""

    seat: Seat
    position: int
    target: int
    ability: Card


class Eliminated(NamedTuple):
    """A card eliminated a top card, and the owner of the eliminating card gained 1 influence."""

    seat: Seat
    position: int
    card: Card
    target: int
    victim: Seat
    victim_card: Card
    face_up: bool
    influence: int
    """Influence on the eliminated card, which is lost."""


class AmbushSprung(NamedTuple):
    """An eliminated card was an Ambush, and the owner of the Ambush gained influence."""

    seat: Seat
    influence: int
    attacker: Seat


class Discarded(NamedTuple):
    """A card left the Queue: an applied Intrigue, or the attacker of an Ambush."""

    seat: Seat
    position: int
    card: Card


class Stole(NamedTuple):
    """A card stole influence from a player's pool.

    The influence is 1, or 0 if the pool is empty or the thief's own.
    """

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
    """The card's new position, where it stands alone."""
    owner: Seat
    card: Card
    face_up: bool


class Uncovered(NamedTuple):
    """The resolved card left its stack, and the card beneath it resolves next."""

    seat: Seat
    position: int
    card: Card
    face_up: bool


class GameEnded(NamedTuple):
    """The sixth round ended, and all cards became public."""

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
"""Events whose cards everybody knows: they were public before, or the event made them public."""

HidingEvent: TypeAlias = Placed | Left | Moved | Uncovered
"""Events about a card that perhaps only its owner may see."""

Event: TypeAlias = OpenEvent | HidingEvent

EVENTS: Final[dict[str, Callable[..., Event]]] = {kind.__name__: kind for kind in get_args(Event)}
"""All classes of events, by name."""
