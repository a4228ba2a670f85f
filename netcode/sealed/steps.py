"""One step of the game on leaves: what is due, and the game after an entry."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from engine.actions import ACTIONS, REVEAL
from engine.cards import LEAVES, Seat
from engine.events import Event
from engine.game import Game
from engine.legal import IllegalAction, default_answer
from engine.position import OPENING
from netcode.sealed.encoding import EntryBody, MissingBody, Parcel, SealedError, SeenBody


class Due(NamedTuple):
    """The step that comes next."""

    seat: Seat
    """The seat that is asked, or whose card was struck: that of a `default`."""
    opening: tuple[Seat, int] | None
    """The seat and leaf that an `open` must show; None if none is due."""
    struck: bool
    """Whether the opening is of a card that was just struck, and not of one that is owed."""


class Logged(NamedTuple):
    """An entry that was taken."""

    parcel: Parcel
    said: EntryBody
    author: int | None
    """The person who signed it; None for a default."""
    tip: bytes
    game: Game
    """The game after it."""
    certificate: tuple[Parcel, ...]
    """The votes that make it a default; none otherwise."""


Vote = tuple[Parcel, MissingBody | SeenBody]

Verdict = Literal["proven", "unproven", "unfinished", "cheated"]
"""What is said of a seat in the end."""


def due_in(game: Game, owners: Sequence[int]) -> Due | None:
    """Return what comes next in a game, by the owner of each seat; None once it is over."""
    if game.over:
        return None
    if game.asked == OPENING:
        leaf = int(game.queue[game.opening][1])
        return Due(game.turn, (game.turn, leaf), struck=True)
    owed = owed_by(owners[game.turn], game, owners)
    return Due(game.turn, min(owed, default=None), struck=False)


def owed_by(person: int, game: Game, owners: Sequence[int]) -> list[tuple[Seat, int]]:
    """Return the struck cards, by seat and leaf, that a person has not opened."""
    return [
        (seat, int(card))
        for seat, card, _ in game.owed
        if card in LEAVES and owners[seat] == person
    ]


def play(game: Game, said: EntryBody, events: list[Event] | None = None) -> Game:
    """Return the game after an entry, whose openings are checked; raises SealedError.

    What happens is added to the events.
    """
    try:
        if said.what == "default":
            return (
                game.open(None, events)
                if game.asked == OPENING
                else game.play(default_answer(game), events)
            )
        if said.what == "act":
            action = ACTIONS.get(said.content[0])
            if action is None or action == REVEAL:
                raise SealedError("illegal")
            return game.play(action, events)
        leaf, card, _ = said.content
        if said.what == "reveal":
            return game.play(REVEAL, events).open(card, events)
        if game.asked == OPENING:
            return game.open(card, events)
        return game.open_owed(said.seat, str(leaf), card)
    except IllegalAction as error:
        raise SealedError("illegal", error.refusal) from None
