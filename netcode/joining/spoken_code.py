"""Spoken codes: eight signs that can be said aloud and let people in without a link.

The first three are the table's room, which is public and tells it from others of its server. The
last five are a password of 25 bits. That is little, so it is never sent: both sides prove to each
other with SPAKE2 that they know it. Of one exchange, neither a listener nor whoever answers in
the host's place gets anything to try passwords on later; each exchange is one guess. How many
guesses a table allows is for `limits.py` to say.

The host's certificate is part of what is proven. So a man in the middle, who must show the player
another one, fails on both sides, although the player had no pin to compare it with.

    SpokenCodeClient                            SpokenCodeHost
    .room, .share                 ->  .answer(share)
    .prove(share)  <- share
    proof                         ->  .proof(proof), which is None unless it is right
    .accepts(proof)  <- proof

Nothing here sends anything or reads a clock. An answer takes a host some 12 ms of one core. The
library does not take the same time for every password, which over a thousand exchanges might
show a few bits of it; they are counted by `Guesses` like any others.
"""

import hmac
import os
import unicodedata
from collections.abc import Callable, Container
from hashlib import sha256
from typing import Any, Final

from engine.words import ExplainedError
from netcode.protocol.fields import SHARE_BYTES

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The signs of codes, Crockford's base32: no letter is taken for a digit, and there is no U."""

ROOM_LENGTH: Final = 3
"""Signs of a room: enough for 32,768 tables of one server."""

PASSWORD_LENGTH: Final = 5
"""Signs of a password: 25 bits, which with so few guesses most likely nobody finds within years."""

CODE_LENGTH: Final = ROOM_LENGTH + PASSWORD_LENGTH
"""Signs of a code."""

_BITS: Final = 5
"""Bits of a sign."""

_FIELD: Final = 2**255 - 19
"""The prime of Curve25519: coordinates of its points are below it."""

_TRIES: Final = 1 << 16
"""Tries to find a room that is free: twice as many as there are rooms."""


class CodeError(ExplainedError):
    """A text that is no spoken code; the sentence does not repeat it."""


class CodeExchangeError(Exception):
    """The other side does not keep to the exchange; nothing was learned, the exchange is over."""


def new_code(random_bytes: Callable[[int], bytes], taken: Container[str]) -> str:
    """Return a new code of bytes that nobody can guess; raises CodeExchangeError without a room."""
    for _ in range(_TRIES):
        number = int.from_bytes(random_bytes(CODE_LENGTH * _BITS // 8), "big")
        code = "".join(
            ALPHABET[number >> _BITS * place & len(ALPHABET) - 1]
            for place in reversed(range(CODE_LENGTH))
        )
        if room_of(code) not in taken:
            return code
    raise CodeExchangeError("no room is free")


def with_new_password(code: str, random_bytes: Callable[[int], bytes]) -> str:
    """Return a new code for the same room, which is public and stays."""
    return room_of(code) + new_code(random_bytes, ())[ROOM_LENGTH:]


def room_of(code: str) -> str:
    """Return the public part of a code."""
    return code[:ROOM_LENGTH]


def parse_code(text: str) -> str:
    """Return the code that somebody has typed, whatever its case and dashes; raises CodeError."""
    code = ""
    for sign in text.upper():
        if sign.isspace() or unicodedata.category(sign) == "Pd":
            continue
        sign = _ALIKE.get(sign, sign)
        if sign not in ALPHABET:
            raise CodeError("No spoken code contains the character {sign!r}.", sign=sign)
        code += sign
    if len(code) != CODE_LENGTH:
        raise CodeError(
            "A spoken code has {length} letters and digits, such as K7Q-F2MXR, not {there}.",
            length=CODE_LENGTH,
            there=len(code),
        )
    return code


_ALIKE: Final = {"O": "0", "I": "1", "L": "1"}


class SpokenCodeClient:
    """The client's side of one exchange."""

    def __init__(
        self, code: str, certificate: bytes, random_bytes: Callable[[int], bytes] = os.urandom
    ) -> None:
        """Begin an exchange about a code of `parse_code` with who has shown this certificate."""
        from spake2 import SPAKE2_A  # type: ignore[import-untyped]

        self.room = room_of(code)
        self._spake: Any = SPAKE2_A(*_what_is_proven(code, certificate), entropy_f=random_bytes)
        self.share: bytes = self._spake.start()
        """What to knock with."""
        self._key: bytes | None = None

    def prove(self, share: bytes) -> bytes:
        """Return the proof that one knows the code; raises CodeExchangeError at a bad share."""
        self._key = _finish(self._spake, share)
        return _proof(self._key, _CLIENT)

    def accepts(self, proof: bytes) -> bool:
        """Return whether the host has proven that it knows the code and has the certificate."""
        return self._key is not None and hmac.compare_digest(proof, _proof(self._key, _HOST))


class SpokenCodeHost:
    """The host's side of one exchange, which is over after the first proof."""

    def __init__(
        self, code: str, certificate: bytes, random_bytes: Callable[[int], bytes] = os.urandom
    ) -> None:
        """Begin an exchange about the table's code; the certificate is the host's own, in DER."""
        from spake2 import SPAKE2_B

        self._spake: Any = SPAKE2_B(*_what_is_proven(code, certificate), entropy_f=random_bytes)
        self._share: bytes = self._spake.start()
        self._key: bytes | None = None

    def answer(self, share: bytes) -> bytes:
        """Return the host's share; raises CodeExchangeError if that of the knock is none."""
        self._key = _finish(self._spake, share)
        return self._share

    def proof(self, client_proof: bytes) -> bytes | None:
        """Return the host's proof if the client's is right, and None from then on."""
        key, self._key = self._key, None
        if key is None or not hmac.compare_digest(client_proof, _proof(key, _CLIENT)):
            return None
        return _proof(key, _HOST)


_CLIENT: Final = b"driflamme spoken code, client"
_HOST: Final = b"driflamme spoken code, host"
"""Labels of the proofs, so that neither is the other's."""


def _what_is_proven(code: str, certificate: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the password and the identities of the two sides, as SPAKE2 wants them."""
    about = b" " + room_of(code).encode() + b" " + sha256(certificate).digest()
    return code[ROOM_LENGTH:].encode(), _CLIENT + about, _HOST + about


def _finish(spake: Any, share: bytes) -> bytes:
    """Return the key after the other side's share; raises CodeExchangeError if that is none."""
    from spake2 import SPAKEError
    from spake2.ed25519_basic import NotOnCurve  # type: ignore[import-untyped]

    if len(share) != SHARE_BYTES:
        raise CodeExchangeError("a share of another length")
    # The library knows the neutral element by its usual form only, while others mean the same.
    y = int.from_bytes(share[1:], "little") & (1 << 255) - 1
    if not 1 < y < _FIELD:
        raise CodeExchangeError("the share is not as points are written")
    try:
        key: bytes = spake.finish(share)
    except (SPAKEError, NotOnCurve, ValueError) as error:
        raise CodeExchangeError("the share is none of the other side's") from error
    return key


def _proof(key: bytes, label: bytes) -> bytes:
    return hmac.digest(key, label, "sha256")
