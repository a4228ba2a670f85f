"""Implements spoken codes: eight characters to say aloud, with which friends join without a link.

The first three characters are the table's prefix. It is public and identifies the table on its
server. The last five are a password of 25 bits. It is too short to be sent: both sides prove with
SPAKE2 that they know it. An eavesdropper or a wrong server learns nothing from an exchange with
which it could test passwords later. So each exchange is one guess. `limits.py` bounds the guesses.

The proofs include the host's certificate. A man in the middle must present another certificate, so
both proofs fail, although the player has no pin to compare the certificate with.

    SpokenCodeClient                            SpokenCodeHost
    .prefix, .share               ->  .answer(share)
    .prove(share)  <- share
    proof                         ->  .proof(proof), which is None for a wrong proof
    .accepts(proof)  <- proof

This module sends nothing and reads no clock. An answer costs a host some 12 ms of one core. The
library's time depends on the password, and a thousand exchanges might reveal a few bits of it. But
`Guesses` counts those exchanges like any others.
"""

import hmac
import os
import unicodedata
from collections.abc import Callable, Container
from hashlib import sha256
from typing import Any, Final

from engine.texts import ExplainedError
from netcode.protocol.fields import CODE_LENGTH, PREFIX_LENGTH, SHARE_BYTES

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters of codes: Crockford's base32 has no letter that looks like a digit, and no U."""

PASSWORD_LENGTH: Final = CODE_LENGTH - PREFIX_LENGTH
"""Number of characters of a password: 25 bits, enough for years at the allowed rate of guesses."""

_BITS: Final = 5
"""Number of bits of a character."""

_FIELD: Final = 2**255 - 19
"""The prime of Curve25519: coordinates of points are below it."""

_TRIES: Final = 1 << 16
"""Maximum number of tries to find a free prefix: twice the number of prefixes."""


class CodeError(ExplainedError):
    """Raised if a text is not a spoken code. The error's sentence does not repeat the text."""


class CodeExchangeError(Exception):
    """Raised if the other side broke the protocol, or if no prefix is free for a new code.

    The exchange has ended and revealed no secret.
    """


def new_code(random_bytes: Callable[[int], bytes], taken: Container[str]) -> str:
    """Return a new code from unpredictable bytes, whose prefix is not in `taken`.

    Raises CodeExchangeError if it finds no free prefix.
    """
    for _ in range(_TRIES):
        number = int.from_bytes(random_bytes(CODE_LENGTH * _BITS // 8), "big")
        code = "".join(
            ALPHABET[number >> _BITS * place & len(ALPHABET) - 1]
            for place in reversed(range(CODE_LENGTH))
        )
        if prefix_of(code) not in taken:
            return code
    raise CodeExchangeError("no prefix is free")


def with_new_password(code: str, random_bytes: Callable[[int], bytes]) -> str:
    """Return a new code with the same public prefix."""
    return prefix_of(code) + new_code(random_bytes, ())[PREFIX_LENGTH:]


def prefix_of(code: str) -> str:
    """Return the public part of a code."""
    return code[:PREFIX_LENGTH]


def parse_code(text: str) -> str:
    """Parse a typed code in any case, with or without dashes; raises CodeError if it is invalid.

    O counts as 0, and I and L count as 1.
    """
    code = ""
    for sign in text.upper():
        if sign.isspace() or unicodedata.category(sign) == "Pd":
            continue
        sign = _ALIKE.get(sign, sign)
        if sign not in ALPHABET:
            raise CodeError(
                "No spoken code contains the character {sign!r}: type the code again.", sign=sign
            )
        code += sign
    if len(code) != CODE_LENGTH:
        raise CodeError(
            "Type the {length} letters and digits of the code, such as K7Q-F2MXR, not {there}.",
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
        """Begin an exchange with a server.

        `code` comes from `parse_code`. `certificate` is the server's, in DER; empty without TLS.
        """
        from spake2 import SPAKE2_A  # type: ignore[import-untyped]

        self.prefix = prefix_of(code)
        self._spake: Any = SPAKE2_A(*_what_is_proven(code, certificate), entropy_f=random_bytes)
        self.share: bytes = self._spake.start()
        """The first message of the exchange."""
        self._key: bytes | None = None

    def prove(self, share: bytes) -> bytes:
        """Return the client's proof for the host's share.

        Raises CodeExchangeError for an invalid share.
        """
        self._key = _finish(self._spake, share)
        return _proof(self._key, _CLIENT)

    def accepts(self, proof: bytes) -> bool:
        """Return True if the host has proven that it knows the code and owns the certificate."""
        return self._key is not None and hmac.compare_digest(proof, _proof(self._key, _HOST))


class SpokenCodeHost:
    """The host's side of one exchange, which ends with the first proof."""

    def __init__(
        self, code: str, certificate: bytes, random_bytes: Callable[[int], bytes] = os.urandom
    ) -> None:
        """Begin an exchange.

        `code` is the table's code. `certificate` is the host's, in DER; empty without TLS.
        """
        from spake2 import SPAKE2_B

        self._spake: Any = SPAKE2_B(*_what_is_proven(code, certificate), entropy_f=random_bytes)
        self._share: bytes = self._spake.start()
        self._key: bytes | None = None

    def answer(self, share: bytes) -> bytes:
        """Return the host's share in answer to the client's share.

        Raises CodeExchangeError if the client's share is invalid.
        """
        self._key = _finish(self._spake, share)
        return self._share

    def proof(self, client_proof: bytes) -> bytes | None:
        """Return the host's proof if the client's proof is right; otherwise None.

        Every later call returns None.
        """
        key, self._key = self._key, None
        if key is None or not hmac.compare_digest(client_proof, _proof(key, _CLIENT)):
            return None
        return _proof(key, _HOST)


_CLIENT: Final = b"driflamme spoken code, client"
_HOST: Final = b"driflamme spoken code, host"
"""The labels of the two proofs. They differ, so that a side cannot send back the other's proof."""


def _what_is_proven(code: str, certificate: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the password and the identities of both sides, as SPAKE2 needs them."""
    about = b" " + prefix_of(code).encode() + b" " + sha256(certificate).digest()
    return code[PREFIX_LENGTH:].encode(), _CLIENT + about, _HOST + about


def _finish(spake: Any, share: bytes) -> bytes:
    """Return the key from the other side's share.

    Raises CodeExchangeError if the share is invalid.
    """
    from spake2 import SPAKEError
    from spake2.ed25519_basic import NotOnCurve  # type: ignore[import-untyped]

    if len(share) != SHARE_BYTES:
        raise CodeExchangeError("a share of another length")
    # Other encodings of the neutral element exist, but the library detects only the usual one.
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
