"""Logging in at a relay by the key of a game: what is signed, and whose it is."""

from netcode.sealed.encoding import LoginBody, Parcel, SealedError
from netcode.sealed.sealing import Sealing
from netcode.sealed.signing import signed


def log_in(sealing: Sealing, person: int, secret: bytes, challenge: bytes, pin: bytes) -> Parcel:
    """Return what proves to a relay who one is; `pin` is of the certificate that it has shown."""
    return signed(secret, LoginBody(sealing.gid, person, challenge, pin))


def logged_in(sealing: Sealing, parcel: Parcel, challenge: bytes, pin: bytes) -> int:
    """Return who answers a challenge over a line of one's own certificate, else SealedError."""
    said = sealing.read(parcel)
    if not isinstance(said, LoginBody):
        raise SealedError("malformed")
    if (said.challenge, said.pin) != (challenge, pin):
        raise SealedError("bad_signature")
    return said.person
