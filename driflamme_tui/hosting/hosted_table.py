"""Defines tables and other servers that are open in this program."""

import secrets
import time
from collections.abc import Callable
from random import Random, SystemRandom

from msgspec import field
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import SoloPlan
from driflamme_tui.hosting.parts import OpenPlace, long_records, too_long_record
from driflamme_tui.hosting.solo_journal import SoloJournal
from driflamme_tui.text.i18n import _
from netcode.isolation import attempt
from netcode.joining.spoken_code import new_code
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess, new_number
from netcode.table.table import Table
from netcode.transport.channel import Channel


class OpenServer(OpenPlace, kw_only=True):
    """A server that is open in this program, with its parts."""

    server: Server

    @property
    def port(self) -> int:
        """The TCP port on which the server listens."""
        return self.server.port

    @property
    def secret(self) -> bytes:
        """The secret of the invitation."""
        assert self.listening is not None
        return self.listening.opened.secret

    @property
    def invitations(self) -> tuple[str, ...]:
        """A link or commands by which others join; empty without sockets.

        The invitation that most likely works is first.
        """
        return () if self.listening is None else self.listening.invitations(self.secret)

    def send_links(self) -> None:
        """Send the new links to everybody here, after this machine's addresses have changed.

        Notify a host without a seat of the new invitation.
        """
        self.server.send_links()
        if self.is_open and not self.is_owned and self.invitations:
            # Notify only a host without a seat. A host with a seat sees the link in the lobby.
            sentence = _(
                "This machine's addresses have changed, and the invitation with them: {link}"
            )
            self.notify(sentence.format(link=self.invitations[0]))

    async def close(self, *, for_good: bool = False) -> None:
        """Send everybody a goodbye, and close the server and its parts.

        With `for_good` a table stays resumable only if a game is running.
        """
        await self.stop_parts()
        await self.server.close(for_good=for_good)
        await self.close_parts()


class HostedTable(OpenServer, kw_only=True):
    """A server of a single table that is open in this program."""

    entry: TableEntry
    owner_key: bytes | None
    """The key that makes the owner the host; None if the first person with a seat is the host."""
    host: str = ""
    """The host's name, which a resumed table keeps; "" at a new game against bots, or without a
    name.
    """
    is_kept: bool = False
    """True if a journal stores the table, so that it can be resumed."""
    opens_journal: Callable[[], None] = lambda: None
    """Opens the journal. Call this once the player has seen the game."""
    has_moved: bool = False
    """True if another machine hosted the table before. Then its link and code are new."""

    _unsaved: set[str] = field(default_factory=set)
    """The parts whose records are too long to save. The host was notified once about each part."""

    def save_records(self) -> None:
        """Save the records of all parts in the journal, if one has changed.

        A record that is too long is not saved: the table could not be resumed with it.
        """
        opened = self.entry.opened
        before = {name: opened.parts.get(name, "") for name in self.parts}
        records = {
            name: attempt(part, part.saved_record, before[name])
            for name, part in self.parts.items()
        }
        for name in long_records(records):
            records[name] = before[name]
            if name not in self._unsaved:
                self._unsaved.add(name)
                self.notify(too_long_record(name).sentence(_))
        kept = {name: record for name, record in (opened.parts | records).items() if record}
        if kept != opened.parts:
            self.entry.opened = replace(opened, parts=kept)
            self.server.keep_opened(self.entry)

    @property
    def secure(self) -> bool | None:
        """True if connections to the table are encrypted; None if it has no socket."""
        return None if self.listening is None else self.listening.identity is not None

    @property
    def secret(self) -> bytes:
        """The secret of the table's present invitation."""
        return self.entry.secret

    async def connect(self) -> Channel:
        """Return a connection to the table for a client in this program."""
        return self.server.connect()


async def open_alone(
    plan: SoloPlan, notify: Callable[[str], None] = lambda _sentence: None
) -> HostedTable:
    """Open and return a table for one person and bots. It listens on no socket.

    `notify` receives sentences about failures to store the game, now or later.
    """
    rng = random_for(plan.seed)
    owner_key = new_key()
    table = Table(
        rng,
        new_key,
        owner_key=owner_key,
        settings=plan.settings,
        unix_time=time.time,
        is_alone=True,
    )
    number = new_number(rng)
    if plan.seed is not None:
        # Choose a random number, since another game with the same seed may be stored.
        number = new_number(SystemRandom())
    opened = TableAccess(secrets.token_bytes(SECRET_BYTES), new_code(secrets.token_bytes, ()))
    entry = TableEntry(number, opened, table)
    return alone_at(entry, owner_key, SoloJournal(number, notify) if plan.is_stored else None)


def alone_at(entry: TableEntry, owner_key: bytes, journal: SoloJournal | None) -> HostedTable:
    """Open a table for one person and bots, and return it. With a journal, the table is stored."""
    server = Server(TableRegistry([entry], is_open=True), journal=journal)
    hosted = HostedTable(server=server, entry=entry, owner_key=owner_key)
    if journal is not None:
        hosted.is_kept, hosted.opens_journal = True, journal.open_soon
    return hosted


def random_for(seed: int | None) -> Random:
    """Return the random generator for the deals. Without a seed it is unpredictable."""
    return SystemRandom() if seed is None else Random(seed)


def new_key() -> bytes:
    """Return a new key to a seat."""
    return secrets.token_bytes(KEY_BYTES)
