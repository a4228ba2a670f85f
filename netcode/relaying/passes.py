"""Passes: by one, the players of a table register at a relay for an evening, without its link.

Nothing is kept of them: the relay's secret proves until when each lets in, and for whose table.
"""

import hmac
from hashlib import sha256
from typing import Final

from netcode.relaying.relay_link import PASS_BYTES

EVENING_S: Final = 12 * 3600
"""Seconds for which a pass lets in."""

_OWNER_BYTES: Final = 8
_TIME_BYTES: Final = 4
_ABOUT_BYTES: Final = _TIME_BYTES + _OWNER_BYTES


def new_pass(secret: bytes, table: bytes, unix_s: float) -> bytes:
    """Return what lets the players of a table register, for an evening."""
    until = int(unix_s) + EVENING_S
    about = until.to_bytes(_TIME_BYTES, "big") + sha256(table).digest()[:_OWNER_BYTES]
    return about + _proof_of(secret, about)


def owner_of(secret: bytes, evening_pass: bytes, unix_s: float) -> bytes | None:
    """Return for whose table a pass is; None if it is no pass, or has lapsed."""
    about, proof = evening_pass[:_ABOUT_BYTES], evening_pass[_ABOUT_BYTES:]
    if not hmac.compare_digest(proof, _proof_of(secret, about)):
        return None
    until = int.from_bytes(about[:_TIME_BYTES], "big")
    return None if unix_s > until else about[_TIME_BYTES:]


def _proof_of(secret: bytes, about: bytes) -> bytes:
    made = hmac.digest(secret, b"driflamme relay, pass" + about, "sha256")
    return made[: PASS_BYTES - _ABOUT_BYTES]
