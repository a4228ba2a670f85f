"""What one seat, or a spectator, may know of a game and of its events.

Everything here is built up by naming what may be seen; nothing is copied whole and then
blacked out. A player sees the hand, the set-aside cards and the face-down and covered cards of
their own family; everybody sees pools, heights, owners, influence on cards, cards that are out
and all that was ever face up. Once the game is over everything is open to all.
"""

from typing import TYPE_CHECKING

from engine.actions import Action
from engine.cards import UNKNOWN, Card, Seat
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
    seen.queue = [_seen(stack, viewer) for stack in game.queue]
    seen.hands = [
        game.hands[seat] if seat == viewer else UNKNOWN * len(game.hands[seat]) for seat in seats
    ]
    seen.aside = [
        game.aside[seat] if seat == viewer else UNKNOWN * len(game.aside[seat]) for seat in seats
    ]
    return seen


def project(event: Event, viewer: Seat | None) -> Event:
    """Return an event as `viewer` may know it."""
    if isinstance(event, _OPEN_EVENTS):
        return event
    if isinstance(event, Placed):
        card = _if_known(event.card, viewer == event.seat)
        return Placed(event.seat, card, event.spot, event.position, event.height)
    if isinstance(event, Left):
        card = _if_known(event.card, viewer == event.seat)
        return Left(event.seat, event.position, card, event.influence)
    if isinstance(event, Moved):
        card = _if_known(event.card, event.face_up or viewer == event.owner)
        return Moved(
            event.seat,
            event.position,
            event.target,
            event.destination,
            event.owner,
            card,
            event.face_up,
        )
    card = _if_known(event.card, event.face_up or viewer == event.seat)
    return Uncovered(event.seat, event.position, card, event.face_up)


def _seen(stack: Stack, viewer: Seat | None) -> Stack:
    seat, card, face_up, influence, covered = stack
    if seat == viewer:
        return stack
    return (
        seat,
        _if_known(card, face_up),
        face_up,
        influence,
        None if covered is None else _seen(covered, viewer),
    )


def _if_known(card: Card, known: bool) -> Card:
    return card if known else UNKNOWN
