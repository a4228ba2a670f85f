"""Makes and checks the proof that a player owns the key to a seat, without sending the key.

A client asks for turns on its own, also over a network without encryption, where another program
may have taken the port of the host. A key would give that program the seat. The proof is an HMAC of
a fixed text, with the hash of the key as its secret. It opens nothing: a table only accepts the key
itself.
"""

import hmac
from typing import Final

from netcode.protocol.fields import CodePrefix
from netcode.table.people.seats import NONE, KeyRing, key_hash
from netcode.wings.days.messages import SeatProof

PURPOSE: Final = b"driflamme: turns at a seat"
"""The text that separates these proofs from all other uses of a key."""


def seat_proof(prefix: CodePrefix | None, key: bytes) -> SeatProof:
    """Return the description of a seat for an AskTurns from the owner of its key."""
    return SeatProof(prefix, _proof(key_hash(key)))


def proves_key(keys: KeyRing, proof: bytes) -> bool:
    """Return True if a proof was made with a key that opens a seat.

    The comparison takes the same time for every proof.
    """
    hashes = keys.key, keys.offered
    fits = [hmac.compare_digest(_proof(each), proof) for each in hashes]
    # Everybody can compute the proof of `NONE`, which stands for no key.
    return any(fit and each != NONE for fit, each in zip(fits, hashes, strict=True))


def _proof(hashed: bytes) -> bytes:
    """Return the proof for a key with this hash."""
    return hmac.digest(hashed, PURPOSE, "sha256")
