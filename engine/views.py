"""Builds views of a game and its events for a seat, a player with several seats, or a spectator.

A view is built from the fields that its reader may see. It is never a copy with parts removed.
Players see the hand, the set-aside cards, and the face-down and covered cards of their own
families. Everybody sees pools, heights, owners, influence on cards, cards that are out, and every
card that is or was face up. After the end of the game everybody sees everything.
"""

from typing import TYPE_CHECKING, Final, TypeAlias, get_args

from engine.actions import Action
from engine.cards import UNKNOWN, Seat
from engine.events import Event, HidingEvent, Left, Moved, OpenEvent, Placed, Uncovered
from engine.legal import legal_actions
from engine.position import Position, Stack
from engine.ranking import Owner

if TYPE_CHECKING:
    from engine.game import Game


Viewer: TypeAlias = Seat | tuple[Seat, ...] | None
"""The reader of a view: a seat, a tuple of seats for a player with several, or None for a
spectator.
"""


OwnerParts: TypeAlias = tuple[tuple[Stack, ...], tuple[str, ...], tuple[str, ...]]
"""The parts of a view that differ from owner to owner: Queue, hands and set-aside cards."""


class View(Position):
    """A game as its reader may know it, with `UNKNOWN` for every other card."""

    __slots__ = ("viewers",)

    viewers: tuple[Seat, ...]
    """The reader's seats; () for a spectator."""

    @property
    def viewer(self) -> Seat | None:
        """The reader's seat; None for a spectator.

        For a reader with several seats, it is the seat that must answer now or next.
        """
        own = self.viewers
        if not own:
            return None
        return min(own, key=lambda seat: (seat - self.turn) % self.players)

    @property
    def legal(self) -> tuple[Action, ...]:
        """The answers to the present question if the reader must answer it; otherwise ()."""
        return legal_actions(self) if self.turn in self.viewers else ()

    def copy(self) -> "View":
        """Return an independent copy of the view."""
        twin = View()
        twin.viewers = self.viewers
        twin.edition = self.edition
        twin.families = self.families
        twin.round = self.round
        twin.first = self.first
        twin.turn = self.turn
        twin.question = self.question
        twin.at = self.at
        twin.queue = self.queue.copy()
        twin.hands = self.hands.copy()
        twin.aside = self.aside.copy()
        twin.out = self.out.copy()
        twin.pools = self.pools.copy()
        return twin


_OPEN_EVENTS: Final = frozenset(get_args(OpenEvent))


def seats_of(viewer: Viewer) -> tuple[Seat, ...]:
    """Return the seats of a viewer; () for a spectator."""
    if viewer is None:
        return ()
    return viewer if isinstance(viewer, tuple) else (viewer,)


def view(game: "Game", viewer: Viewer) -> View:
    """Return the view of a game for a viewer. None is a spectator, who knows only public facts.

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
    own = seats_of(viewer)
    seen = View()
    seen.viewers = own
    seen.edition = game.edition
    seen.families = game.families
    seen.round = game.round
    seen.first = game.first
    seen.turn = game.turn
    seen.question = game.question
    seen.at = game.at
    seen.out = list(game.out)
    seen.pools = list(game.pools)
    if game.over:
        seen.queue = list(game.queue)
        seen.hands = list(game.hands)
        seen.aside = list(game.aside)
        return seen
    seen.queue = [stack if stack[0] in own else stack_to_others(stack) for stack in game.queue]
    seen.hands, seen.aside = cards_to_others(game.hands), cards_to_others(game.aside)
    for seat in own:
        seen.hands[seat], seen.aside[seat] = game.hands[seat], game.aside[seat]
    return seen


def public_parts(game: "Game") -> OwnerParts:
    """Return the parts of the spectators' view."""
    if game.over:
        return tuple(game.queue), tuple(game.hands), tuple(game.aside)
    return (
        tuple([stack_to_others(stack) for stack in game.queue]),
        tuple(cards_to_others(game.hands)),
        tuple(cards_to_others(game.aside)),
    )


def owner_parts(game: "Game", public: OwnerParts, owner: Owner) -> OwnerParts:
    """Return the parts of an owner's view, from those of the spectators' view."""
    queue, hands, aside = list(public[0]), list(public[1]), list(public[2])
    for at, stack in enumerate(game.queue):
        if stack[0] in owner:
            queue[at] = stack
    for seat in owner:
        hands[seat], aside[seat] = game.hands[seat], game.aside[seat]
    return tuple(queue), tuple(hands), tuple(aside)


def project(event: Event, viewer: Viewer) -> Event:
    """Return an event as `viewer` may know it.

    >>> project(Placed(seat=0, card="S", spot=">", position=1, height=1), 1)
    Placed(seat=0, card='?', spot='>', position=1, height=1)
    >>> project(Placed(seat=0, card="S", spot=">", position=1, height=1), 0)
    Placed(seat=0, card='S', spot='>', position=1, height=1)
    """
    if type(event) in _OPEN_EVENTS or may_know(event, viewer):
        return event
    assert isinstance(event, HidingEvent)
    return event._replace(card=UNKNOWN)


def may_know(event: Event, viewer: Viewer) -> bool:
    """Return True if `viewer` may know all of an event. Other viewers see its card as `UNKNOWN`.

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
    """Return a stack of the Queue as players other than its owner see it during the game."""
    seat, card, face_up, influence, covered = stack
    if face_up and covered is None:
        return stack
    return (
        seat,
        card if face_up else UNKNOWN,
        face_up,
        influence,
        None if covered is None else stack_to_others(covered),
    )


def cards_to_others(cards: list[str]) -> list[str]:
    """Return the hands or set-aside cards of all seats as spectators see them."""
    return [UNKNOWN * len(each) for each in cards]
