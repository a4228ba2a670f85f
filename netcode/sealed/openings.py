"""One card behind a hash, and whether what is opened is what was sealed."""

from collections.abc import Iterable
from hmac import compare_digest

from engine.cards import Card, Seat
from netcode.sealed.encoding import EndBody, EntryBody, Opening, SealBody, digest, one_byte


def leaf_hash(gid: bytes, seat: Seat, opening: Opening) -> bytes:
    """Return the leaf that seals a card: the salt keeps anybody from trying all ten."""
    leaf, card, salt = opening
    return digest("leaf", gid, one_byte(seat), one_byte(leaf), card.encode("ascii"), salt)


def fits(seal: SealBody, place: int, seat: Seat, opening: Opening) -> bool:
    """Return whether an opening is what a seal has for the seat, the `place`th of its person."""
    return compare_digest(seal.leaves[place][opening[0]], leaf_hash(seal.gid, seat, opening))


def openings_of(said: EntryBody | EndBody, seats: tuple[Seat, ...]) -> list[tuple[Seat, Opening]]:
    """Return all that a body opens; `seats` are those of its author."""
    if isinstance(said, EndBody):
        return [
            (seat, (leaf, card, salt))
            for seat, cards in zip(seats, said.openings, strict=False)
            for leaf, (card, salt) in enumerate(cards)
        ]
    if said.what in ("reveal", "open"):
        leaf, card, salt = said.content
        return [(said.seat, (leaf, card, salt))]
    return []


def is_doubled(opened: Iterable[tuple[Seat, Opening]]) -> bool:
    """Return whether two leaves of one family are the same card."""
    cards: dict[tuple[Seat, Card], int] = {}
    return any(cards.setdefault((seat, card), leaf) != leaf for seat, (leaf, card, _) in opened)
