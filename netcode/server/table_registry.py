"""The tables behind one server: which secret or spoken code belongs to which.

A table is in memory, as a `Table`, or only in the journal.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.joining.spoken_code import room_of, with_new_password
from netcode.limits import GUESSES, TokenBucket
from netcode.protocol.fields import SECRET_BYTES
from netcode.protocol.messages import Hello
from netcode.table.snapshot import Opened
from netcode.table.table import Table


class TableEntry(Struct, eq=False):
    """A table and how one gets there."""

    number: int
    """What the journal knows it by."""
    opened: Opened
    """By what secrets and spoken code."""
    table: Table | None
    """None while only the journal has it."""
    guesses: TokenBucket = field(default_factory=partial(TokenBucket, GUESSES))
    """How many guesses at its code it still allows."""
    guess_weight: int = 1
    """As how many each is counted."""
    wrong_guesses: int = 0
    """Number of guesses at the present code that were answered and have not turned out right."""

    @property
    def secret(self) -> bytes:
        """What its invitation holds."""
        return self.opened.secret

    @property
    def code(self) -> str:
        """The spoken code; it begins with the room."""
        return self.opened.code

    @property
    def room(self) -> str:
        """What the table is called among those of its server."""
        return room_of(self.code)


class TableRegistry:
    """All tables of a server."""

    def __init__(
        self,
        entries: Iterable[TableEntry] = (),
        *,
        is_open: bool = False,
        invite: Callable[[TableEntry], str] = lambda entry: "",
    ) -> None:
        """Begin with some tables: of a host, one.

        If it is open, nobody needs a secret; `invite` returns the invitation to a table.
        """
        self.is_open = is_open
        self.invite = invite
        self._by_secret: dict[bytes, tuple[TableEntry, bool]] = {}
        """By the hash of a secret, so that how long it takes tells nothing of those that there are;
        each with whether it is of a former invitation."""
        self._by_room: dict[str, TableEntry] = {}
        self.changes = 0
        """Number of times that a table has come, gone or changed how it is kept."""
        for entry in entries:
            self.add(entry)

    @property
    def entries(self) -> Iterator[TableEntry]:
        """All of them, in the order in which they came."""
        return iter(self._by_room.values())

    @property
    def only_entry(self) -> TableEntry | None:
        """The table, if there is one only."""
        return next(self.entries) if len(self._by_room) == 1 else None

    @property
    def rooms(self) -> frozenset[str]:
        """The rooms that are taken."""
        return frozenset(self._by_room)

    def __len__(self) -> int:
        return len(self._by_room)

    def add(self, entry: TableEntry) -> None:
        """Add a table, whose secret and room are its own."""
        self.changes += 1
        self._by_secret[_hash(entry.secret)] = entry, False
        self._by_secret.update({_hash(secret): (entry, True) for secret in entry.opened.former})
        self._by_room[entry.room] = entry

    def remove(self, entry: TableEntry) -> None:
        """Forget a table."""
        self.changes += 1
        for secret in (entry.secret, *entry.opened.former):
            del self._by_secret[_hash(secret)]
        del self._by_room[entry.room]

    def renew(
        self,
        entry: TableEntry,
        random_bytes: Callable[[int], bytes],
        *,
        keeps_secret: bool = False,
    ) -> None:
        """Give a table a new code, and a new secret unless it keeps its own."""
        self.remove(entry)
        code = with_new_password(entry.code, random_bytes)
        if keeps_secret:
            entry.opened = replace(entry.opened, code=code)
        else:
            entry.opened = entry.opened.renewed(random_bytes(SECRET_BYTES), code)
        entry.wrong_guesses = 0
        self.add(entry)

    def opened_by(self, hello: Hello) -> TableEntry | None:
        """Return the table that a hello opens; with a former secret it needs a key to a seat."""
        is_closed = hello.key is None and self.was_renewed(hello.secret)
        return None if is_closed else self.called(hello.secret)

    def called(self, secret: bytes | None) -> TableEntry | None:
        """Return the table of a secret, maybe a former one; without any, the only one."""
        return self.only_entry if secret is None else self._by_secret.get(_hash(secret), (None,))[0]

    def was_renewed(self, secret: bytes | None) -> bool:
        """Whether a secret is of an earlier invitation to a table that is here."""
        return secret is not None and self._by_secret.get(_hash(secret), (None, False))[1]

    def by_room(self, room: str) -> TableEntry | None:
        """Return the table of that room."""
        return self._by_room.get(room)


def _hash(secret: bytes) -> bytes:
    return sha256(secret).digest()
