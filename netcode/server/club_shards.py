"""Shards of a club: which of its processes has which table, if several share the work.

A table's secret and its room fall into the same of 64 slots, and the slots are dealt out to the
processes. So each of them can tell from either alone where the table is, nothing has to be kept
about it, and a club may be reopened with another number of processes. Whoever comes to another
process than that of their table is told its port by `Admission`.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from netcode.joining.spoken_code import ALPHABET, new_code, room_of
from netcode.protocol.fields import SECRET_BYTES

SLOTS: Final = 64
"""How many slots there are, and so how many processes a club can have at most."""


class Shard(Struct, frozen=True):
    """The part of a club's tables that one process has.

    >>> Shard(index=1, of=2).has("AB1")
    True
    """

    index: int = 0
    """Of the process; members of the club come to that with index 0."""
    of: int = 1
    """How many processes there are."""
    first_port: int = 0
    """The TCP port of the process with index 0; the others follow it in their order."""

    def has(self, known_by: bytes | str) -> bool:
        """Return whether the table of a secret or of a room is in this process, if it is at all."""
        return self.port_of(known_by) == self.port

    @property
    def port(self) -> int:
        """The port on which this process listens."""
        return self.first_port + self.index

    def port_of(self, known_by: bytes | str) -> int:
        """Return the port of the process that has the table of a secret or of a room."""
        return self.first_port + _slot(known_by) % self.of

    def new_code(self, random_bytes: Callable[[int], bytes], taken: frozenset[str]) -> str:
        """Return the spoken code of a new table of this process, whose room nobody has."""
        return _code(random_bytes, taken, self.has)


def new_secret(random_bytes: Callable[[int], bytes], room: str) -> bytes:
    """Return a secret for the table of a room, 90 bits of which nobody can guess."""
    first, *others = random_bytes(SECRET_BYTES)
    return bytes((first - first % SLOTS + _slot(room), *others))


def agreeing_code(
    code: str, secret: bytes, random_bytes: Callable[[int], bytes], taken: frozenset[str]
) -> str:
    """Return a table's code, or a new one if its room leads to another process than its secret.

    That may be so with tables that were opened when there were no shards.
    """
    slot = _slot(secret)
    if _slot(room_of(code)) == slot:
        return code
    return _code(random_bytes, taken, lambda room: _slot(room) == slot)


def _code(
    random_bytes: Callable[[int], bytes], taken: frozenset[str], fits: Callable[[str], bool]
) -> str:
    """Return a new code whose room fits and is not taken, of which there must be many."""
    while not fits(room_of(code := new_code(random_bytes, taken))):
        pass
    return code


def _slot(known_by: bytes | str) -> int:
    if isinstance(known_by, bytes):
        return known_by[0] % SLOTS
    number = 0
    for sign in known_by:
        number = number * len(ALPHABET) + ALPHABET.index(sign)
    return number % SLOTS
