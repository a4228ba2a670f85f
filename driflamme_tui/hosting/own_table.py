"""What is open in this program; a table for a person and bots is there at once."""

import secrets
from random import Random, SystemRandom

from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Alone
from driflamme_tui.hosting.parts import OpenPlace
from driflamme_tui.text.i18n import _
from netcode.joining.spoken_code import new_code
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import Opened, new_number
from netcode.table.table import Table
from netcode.transport.channel import Channel


class OpenServer(OpenPlace, kw_only=True):
    """A server that is open in this program, with its parts."""

    server: Server

    @property
    def port(self) -> int:
        """The TCP port on which it listens."""
        return self.server.port

    @property
    def secret(self) -> bytes:
        """What others show to come in."""
        assert self.listening is not None
        return self.listening.opened.secret

    @property
    def invitations(self) -> tuple[str, ...]:
        """What others join with: a link, or commands, the likeliest to work first.

        Empty where nobody else can come.
        """
        return () if self.listening is None else self.listening.invitations(self.secret)

    def tell_links(self) -> None:
        """Send the links to everybody here, after this machine's addresses have changed."""
        self.server.tell_links()
        if self.is_open and not self.is_owned and self.invitations:
            # A host who sits here reads it in the lobby.
            told = _("This machine has other addresses now, so the invitation is another: {link}")
            self.notify(told.format(link=self.invitations[0]))

    async def close(self, *, for_good: bool = False) -> None:
        """Say goodbye to everybody and stop; whoever came by a door is told first.

        A table that is closed for good cannot be resumed, unless a game is under way.
        """
        await self.stop_parts()
        await self.server.close(for_good=for_good)
        await self.close_parts()


class OwnTable(OpenServer, kw_only=True):
    """A table that is open, and how its owner gets there."""

    entry: TableEntry
    owner_key: bytes | None
    """Makes its holder the host; None when the first to sit down is."""
    host: str = ""
    """The name of its owner, if others can reach it: of one that is resumed, as it was."""
    is_kept: bool = False
    """Whether there is a journal from which it can be resumed."""
    has_moved: bool = False
    """Whether another machine had it open before, so that its link and its code are new."""

    def save_records(self) -> None:
        """Have the journal keep the records of all parts, after one has changed."""
        opened = self.entry.opened
        records = {name: part.saved_record() for name, part in self.parts.items()}
        kept = {name: record for name, record in (opened.parts | records).items() if record}
        if kept != opened.parts:
            self.entry.opened = replace(opened, parts=kept)
            self.server.keep_opened(self.entry)

    @property
    def secure(self) -> bool | None:
        """Whether nobody on the way to it can read along; None if there is no way to it."""
        return None if self.listening is None else self.listening.identity is not None

    @property
    def secret(self) -> bytes:
        """What its invitation holds at the moment."""
        return self.entry.secret

    async def connect(self) -> Channel:
        """Return a connection for a client in this program."""
        return self.server.connect()


async def open_alone(plan: Alone) -> OwnTable:
    """Open a table for one person and bots: it listens nowhere and is not kept."""
    rng = random_for(plan.seed)
    owner_key = new_key()
    table = Table(rng, new_key, owner_key=owner_key, settings=plan.settings)
    entry = TableEntry(
        new_number(rng),
        Opened(secrets.token_bytes(SECRET_BYTES), new_code(secrets.token_bytes, ())),
        table,
    )
    server = Server(TableRegistry([entry], is_open=True))
    return OwnTable(server=server, entry=entry, owner_key=owner_key)


def random_for(seed: int | None) -> Random:
    """Return what decides the deals: nothing that can be guessed, without a seed."""
    return SystemRandom() if seed is None else Random(seed)


def new_key() -> bytes:
    """Return a fresh key to a seat."""
    return secrets.token_bytes(KEY_BYTES)
