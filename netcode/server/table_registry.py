"""Stores the tables of one server, which are found by secret or spoken code.

A table is in memory as a `Table`, or only in the journal.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.joining.spoken_code import prefix_of, with_new_password
from netcode.limits import GUESSES, TokenBucket
from netcode.protocol.fields import SECRET_BYTES
from netcode.protocol.messages import Hello
from netcode.table.parts import StoredNote
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table

NO_NOTES: Final[Mapping[str, StoredNote]] = MappingProxyType({})

ReceiveReport: TypeAlias = Callable[[object, Callable[[], None]], object]
"""A function that receives a report, and a function to call once the report has had its effect."""


class TableEntry(Struct, eq=False):
    """A table, and the ways to join it."""

    number: int
    """The table's number in the journal."""
    opened: TableAccess
    """The table's secrets and spoken code."""
    table: Table | None
    """The table in memory; None while the table is only in the journal."""
    guesses: TokenBucket = field(default_factory=partial(TokenBucket, GUESSES))
    """The guesses at the table's code that are still allowed."""
    frames: TokenBucket | None = None
    """The frames from connections at the table that are still allowed; None before the first."""
    guess_weight: int = 1
    """The number of guesses that one exchange for this table counts as."""
    notes: Mapping[str, StoredNote] = NO_NOTES
    """The notes of wings about the table while it is not in memory, by wing."""
    host_parts: dict[str, ReceiveReport] = field(default_factory=dict)
    """The functions of the host's parts that receive reports of the table's parts, by name."""
    wrong_guesses: int = 0
    """Number of answered knocks for the present code, without those that a right proof followed."""

    @property
    def secret(self) -> bytes:
        """The secret in the table's invitation."""
        return self.opened.secret

    @property
    def code(self) -> str:
        """The spoken code, which begins with the prefix."""
        return self.opened.code

    @property
    def prefix(self) -> str:
        """The public prefix of the code, which identifies the table on its server."""
        return prefix_of(self.code)


class TableRegistry:
    """All tables of a server, which are found by secret, or by the prefix of a spoken code."""

    def __init__(
        self,
        entries: Iterable[TableEntry] = (),
        *,
        is_open: bool = False,
        invite: Callable[[TableEntry], str] = lambda entry: "",
    ) -> None:
        """Begin with some tables; a host has one.

        With `is_open` no secret is needed. `invite` returns the invitation to a table.
        """
        self.is_open = is_open
        self.invite = invite
        self._by_secret: dict[bytes, tuple[TableEntry, bool]] = {}
        """The tables by the hash of a secret. The hash prevents that timing reveals a secret. The
        second value is True for an outdated secret.
        """
        self._by_prefix: dict[str, TableEntry] = {}
        self.changes = 0
        """Number of changes so far: tables that were added, removed or renewed."""
        for entry in entries:
            self.add(entry)

    @property
    def entries(self) -> Iterator[TableEntry]:
        """All tables. A new or renewed table comes last."""
        return iter(self._by_prefix.values())

    @property
    def only_entry(self) -> TableEntry | None:
        """The table, if there is exactly one; otherwise None."""
        return next(self.entries) if len(self._by_prefix) == 1 else None

    @property
    def prefixes(self) -> frozenset[str]:
        """The prefixes that are in use."""
        return frozenset(self._by_prefix)

    def __len__(self) -> int:
        return len(self._by_prefix)

    def add(self, entry: TableEntry) -> None:
        """Add a table. Its secret and its prefix must be unique."""
        self.changes += 1
        self._by_secret[_hash(entry.secret)] = entry, False
        self._by_secret.update({_hash(secret): (entry, True) for secret in entry.opened.former})
        self._by_prefix[entry.prefix] = entry

    def remove(self, entry: TableEntry) -> None:
        """Remove a table: its secrets and its code open nothing from now on."""
        self.changes += 1
        for secret in (entry.secret, *entry.opened.former):
            del self._by_secret[_hash(secret)]
        del self._by_prefix[entry.prefix]

    def renew(
        self,
        entry: TableEntry,
        random_bytes: Callable[[int], bytes],
        *,
        keeps_secret: bool = False,
    ) -> None:
        """Give a table a new code with the same prefix, and a new secret unless `keeps_secret`.

        A replaced secret becomes outdated. The count of wrong guesses begins anew.
        """
        self.remove(entry)
        code = with_new_password(entry.code, random_bytes)
        if keeps_secret:
            entry.opened = replace(entry.opened, code=code)
        else:
            entry.opened = entry.opened.renewed(random_bytes(SECRET_BYTES), code)
        entry.wrong_guesses = 0
        self.add(entry)

    def opened_by(self, hello: Hello) -> TableEntry | None:
        """Return the table that a Hello opens; None if it opens none.

        With an outdated secret the Hello also needs a key to a seat.
        """
        is_closed = hello.key is None and self.was_renewed(hello.secret)
        return None if is_closed else self.called(hello.secret)

    def called(self, secret: bytes | None) -> TableEntry | None:
        """Return the table of a secret, even of an outdated one; None if no table has it.

        Without a secret, return the only table, or None unless there is exactly one.
        """
        return self.only_entry if secret is None else self._by_secret.get(_hash(secret), (None,))[0]

    def was_renewed(self, secret: bytes | None) -> bool:
        """Return True if a secret belongs to an outdated invitation to a table of this server."""
        return secret is not None and self._by_secret.get(_hash(secret), (None, False))[1]

    def by_prefix(self, prefix: str) -> TableEntry | None:
        """Return the table whose code has this prefix; None if the prefix is not in use."""
        return self._by_prefix.get(prefix)


def _hash(secret: bytes) -> bytes:
    return sha256(secret).digest()
