"""What convicts a person: parcels that they have signed and that cannot all be honest."""

from typing import Any, Final, Literal, NamedTuple, cast

from engine.legal import Refusal
from netcode.sealed.encoding import (
    AnyBody,
    DealBody,
    EndBody,
    EntryBody,
    MissingBody,
    Parcel,
    ProofBody,
    SealBody,
    SealedError,
    SeenBody,
    digest,
    one_byte,
    pack,
    unpack,
)
from netcode.sealed.openings import fits, is_doubled, openings_of
from netcode.sealed.sealing import Sealing

FREEZING: Final = frozenset({"two_contents", "two_votes", "two_seals", "two_deals", "wrong_nonce"})
"""The proofs that stop a deal and freeze a log: no two persons need have the same one."""


class Outcome(NamedTuple):
    """What has become of a parcel."""

    status: Literal["taken", "held", "ignored", "refused"]
    code: str = ""
    """Why it is held or refused, as the specification calls it."""
    proof: Parcel | None = None
    """What it proves, with parcels that were there before, against its author."""
    why: Refusal | None = None
    """What the rules say, if it is `illegal` by them."""


TAKEN: Final = Outcome("taken")
IGNORED: Final = Outcome("ignored")


def make_proof(reason: str, *parcels: Parcel) -> Parcel:
    """Return the parcel of a proof, which nobody signs."""
    return Parcel(pack(ProofBody(reason, tuple(map(tuple, cast(Any, parcels))))))


def nonce_hash(gid: bytes, person: int, nonce: bytes) -> bytes:
    """Return what a person commits to with their seal."""
    return digest("nonce", gid, one_byte(person), nonce)


def convicted(sealing: Sealing, proof: Parcel) -> tuple[str, int]:
    """Return what is proven and of whom; raises SealedError if nothing is."""
    said = unpack(proof.body)
    if not isinstance(said, ProofBody) or proof.signature:
        raise SealedError("malformed")
    bodies = [sealing.read(Parcel(*parcel)) for parcel in said.parcels]
    authors = {sealing.author(body) for body in bodies}
    culprit = authors.pop()
    if authors or culprit is None or not _proves(sealing, said.reason, culprit, bodies):
        raise SealedError("bad_proof")
    return said.reason, culprit


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


def all_fit(sealing: Sealing, seal: SealBody, said: EntryBody | EndBody) -> bool:
    """Return whether all that a body opens is what its author has sealed."""
    seats = sealing.said.persons[seal.person].seats
    if len(seal.leaves) != len(seats):
        return False
    if isinstance(said, EndBody) and len(said.openings) != len(seats):
        return False
    return all(
        fits(seal, seats.index(seat), seat, opening) for seat, opening in openings_of(said, seats)
    )
