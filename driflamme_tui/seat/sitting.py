"""A place at a table as screens know it: what is known of the table, and what can be said there."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from driflamme_tui.model.lost_connection import LostLine
from engine.actions import Action
from netcode.client.sealed_news import Asked
from netcode.client.session import Session
from netcode.protocol.messages import ClientMessage, Lobby

if TYPE_CHECKING:
    from driflamme_tui.alone.local_table import LocalTable
    from netcode.workers.worker_pool import WorkerPool


class Draft(Struct, frozen=True):
    """What somebody is writing, to be gone on with on whatever screen comes next."""

    session: Session
    """The one at whose table it is written."""
    text: str
    writing: bool
    """Whether one is writing, rather than having left it for later."""


class Sitting:
    """A place at a table of others, or on the way to one."""

    company = True
    """Whether others may be there: who sits alone has nobody to talk to and plays no game that
    counts."""

    def __init__(self, say: Callable[[Asked], object]) -> None:
        """Know nothing yet; `say` sends a message to the host."""
        self.session = Session()
        self.say = say
        self.lost: LostLine | None = None
        """That the line to the host is lost, and when it is tried again."""
        self.latency_ms: int | None = None
        """Of a message to the host and back; None while it is not known."""
        self.secure: bool | None = None
        """Whether what is sent between players and host is encrypted; None while that is not
        known, and where nothing leaves this machine."""
        self.workers: WorkerPool | None = None
        """Where a bot can think about a hint; None at no table."""
        self.draft: Draft | None = None
        """What is being written in the chat: the screens hand it on to each other."""
        self._lobby: Lobby | None = None

    @property
    def lobby(self) -> Lobby:
        """What was told last of everything but the game; it stays after the table was left."""
        self._lobby = self.session.lobby or self._lobby
        assert self._lobby is not None
        return self._lobby

    @property
    def is_host(self) -> bool:
        """Whether the reader is the host."""
        return self.lobby.host

    @property
    def is_open(self) -> bool:
        """Whether others can be let in to this table by an invitation or a code."""
        return bool(self.lobby.invitation or self.lobby.code)

    @property
    def own_name(self) -> str:
        """What the others call the reader."""
        own = self.lobby.own_seat
        return (self.session.name or "") if own is None else own.name

    def answer(self, action: Action) -> None:
        """Answer the question that is being asked."""
        self.say(self.session.act(action))


class LocalSitting(Sitting):
    """A place at a table on this machine, alone."""

    company = False

    def __init__(self, table: "LocalTable", name: str = "Driflamme") -> None:
        """Sit down at a table, and know at once what stands on it."""
        super().__init__(self._tell)
        self.table, self.workers = table, table.workers
        table.send = self.session.receive
        table.receive(self.session.hello(name))

    def _tell(self, message: Asked) -> None:
        self.session.refusal = None
        if isinstance(message, ClientMessage):
            self.table.receive(message)
