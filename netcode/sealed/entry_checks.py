"""Whether an entry may be the next step: whose turn it is, what is due, and what the rules say."""

from collections.abc import Callable, Sequence

from engine.cards import Seat
from engine.game import Game
from engine.position import LEAVE_OR_REVEAL
from netcode.sealed.dealing import Dealing
from netcode.sealed.encoding import EntryBody, Opening, Parcel, SealedError
from netcode.sealed.openings import fits, openings_of
from netcode.sealed.steps import due_in, owed_by, play

Opened = Callable[[Seat], Sequence[tuple[str, Parcel]]]
"""Type of what tells which cards of a seat are open, and what has opened them."""


def check_entry(dealing: Dealing, game: Game, opened: Opened, said: EntryBody, author: int) -> Game:
    """Return the game after an authored entry that follows; raises SealedError if it may not be."""
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
