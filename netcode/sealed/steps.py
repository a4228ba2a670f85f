"""One step of the game on leaves: what is due, whether an entry may be it, the game after it."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from engine.actions import ACTIONS, REVEAL
from engine.cards import LEAVES, Seat
from engine.events import Event
from engine.game import Game
from engine.legal import IllegalAction, default_answer
from engine.position import LEAVE_OR_REVEAL, OPENING
from netcode.sealed.dealing import Dealing
from netcode.sealed.encoding import EntryBody, Opening, SealedError
from netcode.sealed.parcels import Parcel
from netcode.sealed.proofs import fits, openings_of


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
    events: tuple[Event, ...]
    """What has happened with it."""


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


def play(game: Game, said: EntryBody) -> tuple[Game, tuple[Event, ...]]:
    """Return the game after an entry, whose openings are checked, and what happens.

    Raises SealedError if the rules do not allow it.
    """
    events: list[Event] = []
    try:
        return _played(game, said, events), tuple(events)
    except IllegalAction as error:
        raise SealedError("illegal", error.refusal) from None


def _played(game: Game, said: EntryBody, events: list[Event]) -> Game:
    if said.what == "default":
        if game.asked == OPENING:
            return game.open(None, events)
        return game.play(default_answer(game), events)
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


Opened = Callable[[Seat], Sequence[tuple[str, Parcel]]]
"""Type of what tells which cards of a seat are open, and what has opened them."""


def check_entry(
    dealing: Dealing, game: Game, opened: Opened, said: EntryBody, author: int
) -> tuple[Game, tuple[Event, ...]]:
    """Return the same as `play` of an authored entry; raises SealedError if it may not follow."""
    owners = dealing.sealing.owners
    due = due_in(game, owners)
    if due is None:
        raise SealedError("no_game")
    if said.what == "open":
        if due.opening is None:
            raise SealedError("no_opening_due")
    elif due.struck:
        raise SealedError("opening_due")
    elif owed_by(author, game, owners):
        raise SealedError("opening_owed")
    seat = due.seat if due.opening is None else due.opening[0]
    if said.seat != seat:
        raise SealedError("not_your_turn")
    if said.what == "reveal" and game.asked != LEAVE_OR_REVEAL:
        raise SealedError("illegal")
    for _, opening in openings_of(said, ()):
        leaf = due.opening[1] if due.opening else int(game.queue[game.at][1])
        _check_opening(dealing, opened, said, author, opening, leaf)
    return play(game, said)


def _check_opening(
    dealing: Dealing, opened: Opened, said: EntryBody, author: int, opening: Opening, leaf: int
) -> None:
    if opening[0] != leaf:
        raise SealedError("wrong_leaf")
    place = dealing.sealing.said.persons[author].seats.index(said.seat)
    if not fits(dealing.seals[author], place, said.seat, opening):
        raise SealedError("false_opening")
    if any(card == opening[1] for card, _ in opened(said.seat)):
        raise SealedError("card_twice")
