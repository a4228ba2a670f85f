"""Deals: collects the seals, then the nonces, and computes values that everybody shares."""

from collections import Counter
from functools import cached_property
from itertools import chain
from typing import Final

from engine.cards import Seat
from engine.edition import EDITIONS
from engine.game import Deal
from netcode.wings.sealed.game.cheat_proofs import (
    OUTCOME_IGNORED,
    OUTCOME_TAKEN,
    Outcome,
    conviction_of,
    make_proof,
    nonce_hash,
)
from netcode.wings.sealed.game.encoding import (
    LEAF_COUNT,
    SUBSETS,
    DealBody,
    SealBody,
    SealedError,
    digest,
    draw,
    one_byte,
)
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.game.six_digits import six_digits


class Dealing:
    """The public part of one attempt to deal, computed from the attempt's parcels.

    Read a value that needs all seals only after `is_sealed` is True, and a value that needs all
    nonces only after all nonces have come.
    """

    def __init__(self, sealing: Sealing) -> None:
        self.sealing: Final = sealing
        self.seals: Final[dict[int, SealBody]] = {}
        """The accepted seals, by person."""
        self.nonces: Final[dict[int, bytes]] = {}
        """The accepted nonces, by person."""
        self.parcels: Final[dict[tuple[str, int], Parcel]] = {}
        """The first signed seal or deal, by kind of body and person."""
        self.journal: Final = [Parcel(sealing.body)]
        """The sealing, each person's first seal and deal, repeated parcels that were accepted only
        then, and the proof, in order of arrival.
        """
        self.stopped: Parcel | None = None
        """The proof that stopped the attempt; None while the attempt can continue."""

    @property
    def is_sealed(self) -> bool:
        """True if all seals have come."""
        return len(self.seals) == len(self.sealing.keys)

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The persons whose seal is missing; once all seals have come, whose nonce is missing."""
        come = self.nonces if self.is_sealed else self.seals
        return tuple(one for one in range(len(self.sealing.keys)) if one not in come)

    @property
    def are_shown(self) -> bool:
        """True if everybody may see all seals.

        All persons have then signed one, or the attempt has stopped.
        """
        signed = sum(kind == "seal" for kind, _ in self.parcels)
        return signed == len(self.sealing.keys) or self.stopped is not None

    @property
    def is_dealt(self) -> bool:
        """True if all nonces have come and no proof has stopped the attempt."""
        return len(self.nonces) == len(self.sealing.keys) and self.stopped is None

    def in_order(self) -> list[Parcel]:
        """Return the sealing, the seals and the nonces in an order that `take` accepts."""
        known = sorted(self.parcels, key=lambda key: (key[0] == "deal", key[1]))
        return [Parcel(self.sealing.body), *(self.parcels[key] for key in known)]

    def equal(self) -> tuple[int, ...]:
        """Return the persons whose signed seals contain a leaf that occurs more than once."""
        seals = [parcel.decoded for (kind, _), parcel in self.parcels.items() if kind == "seal"]
        leaves = [
            (leaf, seal.person)
            for seal in seals
            if isinstance(seal, SealBody)
            for leaf in chain(*seal.leaves)
        ]
        times = Counter(leaf for leaf, _ in leaves)
        return tuple(sorted({person for leaf, person in leaves if times[leaf] > 1}))

    def take(self, parcel: Parcel) -> Outcome:
        """Handle a seal, a nonce, or a proof that stops the attempt.

        An invalid parcel gives an Outcome `refused`, and raises no error.
        """
        try:
            if self.stopped is not None:
                raise SealedError("frozen")
            if not parcel.signature:
                return self._stop(conviction_of(self.sealing, parcel)[0], parcel)
            body = self.sealing.read(parcel)
            if not isinstance(body, SealBody | DealBody):
                raise SealedError("malformed")
            kind = "seal" if isinstance(body, SealBody) else "deal"
            is_first = (kind, body.person) not in self.parcels
            first = self.parcels.setdefault((kind, body.person), parcel)
            if first.body != parcel.body:
                return self._stop(f"two_{kind}s", make_proof(f"two_{kind}s", first, parcel))
            if is_first:
                self.journal.append(parcel)
            outcome = self._seal(body) if isinstance(body, SealBody) else self._deal(body, parcel)
            if outcome.status == "taken" and not is_first:
                self.journal.append(parcel)
            return outcome
        except SealedError as error:
            return Outcome("refused", error.code)

    def _stop(self, code: str, proof: Parcel) -> Outcome:
        self.stopped = proof
        self.journal.append(proof)
        return Outcome("refused", code, proof)

    def _seal(self, body: SealBody) -> Outcome:
        if body.person in self.seals:
            return OUTCOME_IGNORED
        if len(body.leaves) != len(self.sealing.decoded.persons[body.person].seats):
            raise SealedError("malformed")
        leaves = [leaf for seal in (*self.seals.values(), body) for leaf in chain(*seal.leaves)]
        if len(set(leaves)) < len(leaves):
            raise SealedError("equal_leaves")
        self.seals[body.person] = body
        return OUTCOME_TAKEN

    def _deal(self, body: DealBody, parcel: Parcel) -> Outcome:
        if body.person in self.nonces:
            return OUTCOME_IGNORED
        if not self.is_sealed:
            return Outcome("held", "seals_missing")
        if body.seals != self.seals_digest:
            raise SealedError("different_seals")
        commit = self.seals[body.person].nonce_commit
        if nonce_hash(body.gid, body.person, body.nonce) != commit:
            seal = self.parcels["seal", body.person]
            return self._stop("wrong_nonce", make_proof("wrong_nonce", seal, parcel))
        self.nonces[body.person] = body.nonce
        return OUTCOME_TAKEN

    @cached_property
    def seals_digest(self) -> bytes:
        """The hash of all seals.

        Each DealBody contains it, to prove that all persons received the same seals.
        """
        persons = range(len(self.sealing.keys))
        bodies = [self.parcels["seal", person].body for person in persons]
        return digest("seals", self.sealing.gid, *bodies)

    @cached_property
    def genesis(self) -> bytes:
        """The tip of the log before its first entry."""
        nonces = [self.nonces[person] for person in range(len(self.sealing.keys))]
        return digest("genesis", self.sealing.gid, self.seals_digest, *nonces)

    @cached_property
    def digits(self) -> str:
        """The six digits that people compare to verify that all programs have the same keys."""
        return six_digits(self.genesis)

    def aside(self, seat: Seat) -> tuple[int, ...]:
        """Return the leaves of a seat that are set aside. Its owner cannot influence them."""
        return draw_aside(
            self.sealing.gid, self.seals_digest, seat, self.sealing.owners[seat], self.nonces
        )

    @cached_property
    def deal(self) -> Deal:
        """The engine's deal, with leaves instead of cards."""
        sealing = self.sealing
        first = sealing.decoded.first
        asides = ["".join(map(str, self.aside(seat))) for seat in range(len(sealing.owners))]
        leaves = "".join(map(str, range(LEAF_COUNT)))
        return Deal(
            edition=EDITIONS[sealing.settings.edition],
            families=sealing.families,
            first=draw(len(asides), "first", self.genesis) if first is None else first,
            hands=tuple("".join(leaf for leaf in leaves if leaf not in gone) for gone in asides),
            aside=tuple(asides),
        )


def draw_aside(
    gid: bytes, seals: bytes, seat: Seat, owner: int, nonces: dict[int, bytes]
) -> tuple[int, ...]:
    """Return the leaves to set aside, drawn by the nonces of all persons except the owner."""
    parts = [one_byte(person) + nonces[person] for person in sorted(nonces) if person != owner]
    return SUBSETS[draw(len(SUBSETS), "aside", gid, seals, one_byte(seat), *parts)]
