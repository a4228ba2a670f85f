"""What one person alone knows of a game: the only place that holds unopened cards."""

from dataclasses import dataclass
from random import Random

from engine.cards import CARDS, Seat
from netcode.sealed.encoding import (
    LEAF_COUNT,
    DealBody,
    EndBody,
    EntryBody,
    MissingBody,
    Opening,
    Parcel,
    SealBody,
    SeenBody,
)
from netcode.sealed.openings import leaf_hash
from netcode.sealed.proofs import nonce_hash
from netcode.sealed.sealing import Sealing
from netcode.sealed.signing import signed


@dataclass(frozen=True, slots=True, repr=False)
class PersonSecrets:
    """The secrets of one person in one game, drawn once, and what is signed with them."""

    gid: bytes
    person: int
    seats: tuple[Seat, ...]
    key: bytes
    """The secret key."""
    orders: tuple[str, ...]
    """By own seat, which card each leaf is."""
    salts: tuple[tuple[bytes, ...], ...]
    """By own seat, the salt of each leaf."""
    nonce: bytes

    @classmethod
    def drawn(cls, rng: Random, key: bytes, sealing: Sealing, person: int) -> "PersonSecrets":
        """Draw the order of each seat's cards, the salts and the nonce; from `SystemRandom`."""
        seats = sealing.said.persons[person].seats
        return cls(
            gid=sealing.gid,
            person=person,
            seats=seats,
            key=key,
            orders=tuple("".join(rng.sample(CARDS, LEAF_COUNT)) for _ in seats),
            salts=tuple(tuple(rng.randbytes(32) for _ in range(LEAF_COUNT)) for _ in seats),
            nonce=rng.randbytes(32),
        )

    def opening(self, seat: Seat, leaf: int) -> Opening:
        """Return what opens a leaf of an own seat."""
        place = self.seats.index(seat)
        return leaf, self.orders[place][leaf], self.salts[place][leaf]

    def seal(self) -> Parcel:
        """Return the seal: hashes of all own cards and of the nonce."""
        leaves = tuple(
            tuple(leaf_hash(self.gid, seat, self.opening(seat, leaf)) for leaf in range(LEAF_COUNT))
            for seat in self.seats
        )
        commit = nonce_hash(self.gid, self.person, self.nonce)
        return signed(self.key, SealBody(self.gid, self.person, leaves, commit))

    def deal(self, seals: bytes) -> Parcel:
        """Return the nonce, for all who have seen the same seals."""
        return signed(self.key, DealBody(self.gid, self.person, seals, self.nonce))

    def act(self, n: int, prev: bytes, seat: Seat, token: str) -> Parcel:
        """Return an answer that opens nothing, as step n."""
        return signed(self.key, EntryBody(self.gid, n, prev, seat, "act", (token,)))

    def open(self, n: int, prev: bytes, seat: Seat, leaf: int, what: str = "open") -> Parcel:
        """Return the opening of a card, or with `what` "reveal" the answer that turns it up."""
        opening = self.opening(seat, leaf)
        return signed(self.key, EntryBody(self.gid, n, prev, seat, what, opening))

    def missing(self, n: int, prev: bytes) -> Parcel:
        """Return the vote that step n has not come."""
        return signed(self.key, MissingBody(self.gid, n, prev, self.person))

    def seen(self, n: int, prev: bytes, tip: bytes) -> Parcel:
        """Return the vote that step n has come, and leads to this tip."""
        return signed(self.key, SeenBody(self.gid, n, prev, tip, self.person))

    def end(self, n: int, tip: bytes, time: int) -> Parcel:
        """Return the openings of all own cards after the last step."""
        openings = tuple(
            tuple(self.opening(seat, leaf)[1:] for leaf in range(LEAF_COUNT)) for seat in self.seats
        )
        return signed(self.key, EndBody(self.gid, n, tip, self.person, time, openings))
