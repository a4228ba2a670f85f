"""What one seat, several seats of one player, or a spectator may know of a game and its events.

Everything here is built up by naming what may be seen; nothing is copied whole and then
blacked out. A player sees the hand, the set-aside cards and the face-down and covered cards of
their own family, or families; everybody sees pools, heights, owners, influence on cards, cards
that are out and all that was ever face up. Once the game is over everything is open to all.
"""

from typing import TYPE_CHECKING, Final, TypeAlias, get_args

from engine.actions import Action
from engine.cards import UNKNOWN, Seat
from engine.events import Event, Left, Moved, OpenEvent, Placed, Uncovered
from engine.legal import legal_actions
from engine.position import Position, Stack

if TYPE_CHECKING:
    from engine.game import Game


Viewer: TypeAlias = Seat | tuple[Seat, ...] | None
"""Who looks: a seat, a player who owns several seats, or, as None, a spectator."""


class View(Position):
    """A game as its reader may know it, with `UNKNOWN` for every card that they may not."""

    __slots__ = ("viewers",)

    viewers: tuple[Seat, ...]
    """The reader's seats, whose eyes these are; none for a spectator."""

    @property
    def viewer(self) -> Seat | None:
        """The seat that the reader plays; of several the one that is asked, or the next of them."""
        own = self.viewers
        if not own:
            return None
        return min(own, key=lambda seat: (seat - self.turn) % self.players)

    @property
    def legal(self) -> tuple[Action, ...]:
        """The answers to the question being asked, if it is a seat of the reader's that is."""
        return legal_actions(self) if self.turn in self.viewers else ()


_OPEN_EVENTS: Final = frozenset(get_args(OpenEvent))


def seats_of(viewer: Viewer) -> tuple[Seat, ...]:
    """Return the seats of whoever looks; none for a spectator."""
    if viewer is None:
        return ()
    return viewer if isinstance(viewer, tuple) else (viewer,)


def view(game: "Game", viewer: Viewer) -> View:
    """Return what `viewer` may know of a game; None is a spectator, who knows what all know.

    >>> from engine.notation import format_position, parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> print(format_position(view(game, 1)))
    2 4 rS2 g?2,rS,r?1,bL *r3:???:???:FC,b2:ASP:HFX:DMC,g4:???:???:ADM
    >>> print(*view(game, 0).legal)
    x1 x3
    >>> view(game, 1).legal
    ()
    """
    seats = range(game.players)
    own = seats_of(viewer)
    seen = View()
    seen.viewers = own
    seen.edition = game.edition
    seen.families = game.families
    seen.round = game.round
    seen.first = game.first
    seen.turn = game.turn
    seen.asked = game.asked
    seen.at = game.at
    seen.out = list(game.out)
    seen.pools = list(game.pools)
    if game.over:
        seen.queue = list(game.queue)
        seen.hands = list(game.hands)
        seen.aside = list(game.aside)
        return seen
    seen.queue = [stack if stack[0] in own else stack_to_others(stack) for stack in game.queue]
    seen.hands = [
        game.hands[seat] if seat in own else cards_to_others(game.hands[seat]) for seat in seats
    ]
    seen.aside = [
        game.aside[seat] if seat in own else cards_to_others(game.aside[seat]) for seat in seats
    ]
    return seen


def project(event: Event, viewer: Viewer) -> Event:
    """Return an event as `viewer` may know it.

    >>> project(Placed(seat=0, card="S", spot=">", position=1, height=1), 1)
    Placed(seat=0, card='?', spot='>', position=1, height=1)
    >>> project(Placed(seat=0, card="S", spot=">", position=1, height=1), 0)
    Placed(seat=0, card='S', spot='>', position=1, height=1)
    """
    if may_know(event, viewer):
        return event
    assert isinstance(event, Placed | Left | Moved | Uncovered)
    return event._replace(card=UNKNOWN)


def may_know(event: Event, viewer: Viewer) -> bool:
    """Return whether `viewer` may know all of an event; those who may not know the same of it.

    >>> may_know(Placed(seat=0, card="S", spot=">", position=1, height=1), None)
    False
    """
    if type(event) in _OPEN_EVENTS:
        return True
    own = seats_of(viewer)
    if isinstance(event, (Placed, Left)):
        return event.seat in own
    if isinstance(event, Moved):
        return event.face_up or event.owner in own
    assert isinstance(event, Uncovered)
    return event.face_up or event.seat in own


def stack_to_others(stack: Stack) -> Stack:
    """Return a stack of the Queue as all but its owner see it while the game is under way."""
    seat, card, face_up, influence, covered = stack
    return (
        seat,
        card if face_up else UNKNOWN,
        face_up,
        influence,
        None if covered is None else stack_to_others(covered),
    )


def cards_to_others(cards: str) -> str:
    """Return a hand, or what is set aside, as all but its owner see it."""
    return UNKNOWN * len(cards)
