"""What one seat, or a spectator, may know of a game and of its events.

Everything here is built up by naming what may be seen; nothing is copied whole and then
blacked out. A player sees the hand, the set-aside cards and the face-down and covered cards of
their own family; everybody sees pools, heights, owners, influence on cards, cards that are out
and all that was ever face up. Once the game is over everything is open to all.
"""

from typing import TYPE_CHECKING

from engine.actions import Action
from engine.cards import UNKNOWN, Seat
from engine.events import (
    AmbushSprung,
    Copied,
    Discarded,
    Eliminated,
    Event,
    Forced,
    Gained,
    GameEnded,
    Left,
    Moved,
    NoEffect,
    Placed,
    ResolutionBegan,
    Revealed,
    RoundBegan,
    Stole,
    Uncovered,
)
from engine.legal import legal_actions
from engine.position import Position, Stack

if TYPE_CHECKING:
    from engine.game import Game


class View(Position):
    """A game as one seat may know it, with `UNKNOWN` for every card that it may not."""

    __slots__ = ("viewer",)

    viewer: Seat | None
    """Whose eyes these are; None for a spectator."""

    @property
    def legal(self) -> tuple[Action, ...]:
        """The answers to the question being asked, if it is the viewer who is asked."""
        return legal_actions(self) if self.viewer == self.turn else ()


_OPEN_EVENTS = (
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


def view(game: "Game", viewer: Seat | None) -> View:
    """Return what `viewer` may know of a game; None is a spectator, who knows what all know."""
    seats = range(game.players)
    seen = View()
    seen.viewer = viewer
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
    seen.queue = [stack if stack[0] == viewer else stack_to_others(stack) for stack in game.queue]
    seen.hands = [
        game.hands[seat] if seat == viewer else cards_to_others(game.hands[seat]) for seat in seats
    ]
    seen.aside = [
        game.aside[seat] if seat == viewer else cards_to_others(game.aside[seat]) for seat in seats
    ]
    return seen


def project(event: Event, viewer: Seat | None) -> Event:
    """Return an event as `viewer` may know it."""
    if may_know(event, viewer):
        return event
    if isinstance(event, Placed):
        return Placed(event.seat, UNKNOWN, event.spot, event.position, event.height)
    if isinstance(event, Left):
        return Left(event.seat, event.position, UNKNOWN, event.influence)
    if isinstance(event, Moved):
        return Moved(
            event.seat,
            event.position,
            event.target,
            event.destination,
            event.owner,
            UNKNOWN,
            event.face_up,
        )
    assert isinstance(event, Uncovered)
    return Uncovered(event.seat, event.position, UNKNOWN, event.face_up)


def may_know(event: Event, viewer: Seat | None) -> bool:
    """Return whether `viewer` may know all of an event; those who may not know the same of it."""
    if isinstance(event, _OPEN_EVENTS):
        return True
    if isinstance(event, Placed | Left):
        return event.seat == viewer
    if isinstance(event, Moved):
        return event.face_up or event.owner == viewer
    return event.face_up or event.seat == viewer


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
