"""Checks openings of cards, and proofs against a person.

A proof consists of parcels that no honest person signs together.
"""

from collections.abc import Iterable
from hmac import compare_digest
from typing import Any, Final, Literal, NamedTuple, cast

from engine.cards import Card, Seat
from engine.legal import Refusal
from netcode.wings.sealed.game.encoding import (
    AnyBody,
    DealBody,
    EndBody,
    EntryBody,
    MissingBody,
    Opening,
    ProofBody,
    SealBody,
    SealedError,
    SeenBody,
    digest,
    one_byte,
    pack,
)
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealing import Sealing

FREEZING: Final = frozenset({"two_contents", "two_votes", "two_seals", "two_deals", "wrong_nonce"})
"""The reasons of proofs that stop a deal and freeze a log: persons may have received different
parcels.
"""


class Outcome(NamedTuple):
    """The result of checking a parcel."""

    status: Literal["taken", "held", "ignored", "refused"]
    """`held`: the parcel waits for other parcels, or came too late. `ignored`: it changes nothing.
    """
    code: str = ""
    """The code, as in the specification, of the reason why the parcel is held or refused; otherwise
    empty.
    """
    proof: Parcel | None = None
    """A proof against the parcel's author, from this and earlier parcels; None if they prove
    nothing.
    """
    why: Refusal | None = None
    """The refusal by the rules of the game if the code is `illegal`; otherwise None."""


OUTCOME_TAKEN: Final = Outcome("taken")
OUTCOME_IGNORED: Final = Outcome("ignored")


def make_proof(reason: str, *parcels: Parcel) -> Parcel:
    """Return the unsigned parcel of a proof."""
    return Parcel(pack(ProofBody(reason, tuple(map(tuple, cast(Any, parcels))))))


def nonce_hash(gid: bytes, person: int, nonce: bytes) -> bytes:
    """Return the hash of a nonce, by which a seal commits to it."""
    return digest("nonce", gid, one_byte(person), nonce)


def conviction_of(sealing: Sealing, proof: Parcel) -> tuple[str, int]:
    """Return the reason and the convicted person of a proof.

    Raises SealedError if it proves nothing.
    """
    decoded = proof.decoded
    if not isinstance(decoded, ProofBody) or proof.signature:
        raise SealedError("malformed")
    bodies = [sealing.read(Parcel(*parcel)) for parcel in decoded.parcels]
    authors = {sealing.author(body) for body in bodies}
    culprit = authors.pop()
    if authors or culprit is None or not _proves(sealing, decoded.reason, culprit, bodies):
        raise SealedError("bad_proof")
    return decoded.reason, culprit


def _proves(sealing: Sealing, reason: str, culprit: int, bodies: list[AnyBody]) -> bool:
    match reason, bodies:
        case "two_contents", [EntryBody() as one, EntryBody() as other]:
            return one != other and (one.n, one.prev) == (other.n, other.prev)
        case "two_votes", [MissingBody() | SeenBody() as one, MissingBody() | SeenBody() as other]:
            return one != other and (one.n, one.prev) == (other.n, other.prev)
        case ("two_seals", [SealBody() as one, SealBody() as other]) | (
            "two_deals",
            [DealBody() as one, DealBody() as other],
        ):
            return one != other
        case "wrong_nonce", [SealBody() as seal, DealBody() as deal]:
            return nonce_hash(deal.gid, culprit, deal.nonce) != seal.nonce_commit
        case "false_opening", [SealBody() as seal, EntryBody() as entry]:
            return not all_fit(sealing, seal, entry)
        case "card_twice", [SealBody() as seal, EntryBody() as one, EntryBody() as other]:
            shown = (one, other)
            return all(all_fit(sealing, seal, each) for each in shown) and is_doubled(
                pair for each in shown for pair in openings_of(each, ())
            )
    return False


def all_fit(sealing: Sealing, seal: SealBody, body: EntryBody | EndBody) -> bool:
    """Return True if all openings in a body match the seal of its author."""
    seats = sealing.decoded.persons[seal.person].seats
    if len(seal.leaves) != len(seats):
        return False
    if isinstance(body, EndBody) and len(body.openings) != len(seats):
        return False
    return all(
        fits(seal, seats.index(seat), seat, opening) for seat, opening in openings_of(body, seats)
    )


def leaf_hash(gid: bytes, seat: Seat, opening: Opening) -> bytes:
    """Return the hash of a card, as a seal contains it.

    Only the salt prevents guessing the card.
    """
    leaf, card, salt = opening
    return digest("leaf", gid, one_byte(seat), one_byte(leaf), card.encode("ascii"), salt)


def fits(seal: SealBody, place: int, seat: Seat, opening: Opening) -> bool:
    """Return True if an opening matches a seal.

    `seat` is the seat with index `place` among the seats of the seal's person.
    """
    return compare_digest(seal.leaves[place][opening[0]], leaf_hash(seal.gid, seat, opening))


def openings_of(body: EntryBody | EndBody, seats: tuple[Seat, ...]) -> list[tuple[Seat, Opening]]:
    """Return all openings of a body.

    `seats` are its author's seats. Only an EndBody needs them.
    """
    if isinstance(body, EndBody):
        return [
            (seat, (leaf, card, salt))
            for seat, cards in zip(seats, body.openings, strict=False)
            for leaf, (card, salt) in enumerate(cards)
        ]
    if body.what in ("reveal", "open"):
        leaf, card, salt = body.content
        return [(body.seat, (leaf, card, salt))]
    return []


def is_doubled(opened: Iterable[tuple[Seat, Opening]]) -> bool:
    """Return True if two leaves of one seat were opened as the same card."""
    cards: dict[tuple[Seat, Card], int] = {}
    return any(cards.setdefault((seat, card), leaf) != leaf for seat, (leaf, card, _) in opened)
