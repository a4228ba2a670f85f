"""A place at a table as screens know it: what is known of the table, and what can be said there."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.seat.own_parts import doors_of, router_of
from engine.actions import Action
from netcode.client.interpreted import Asked
from netcode.client.session import Session
from netcode.protocol.fields import Message, letters_of
from netcode.protocol.messages import ClientMessage, Lobby, SeatInfo
from netcode.protocol.table_settings import TableSettings

if TYPE_CHECKING:
    from driflamme_tui.alone.local_table import LocalTable
    from driflamme_tui.hosting.own_table import OwnTable
    from driflamme_tui.wings.doors.open_doors import OpenDoors
    from driflamme_tui.wings.router.router import Router
    from engine.replaying import Eyes, Replay
    from netcode.workers.worker_pool import WorkerPool


class Draft(Struct, frozen=True):
    """What somebody is writing, to be gone on with on whatever screen comes next."""

    text: str
    writing: bool
    """Whether one is writing, rather than having left it for later."""


class LostLine(Struct, frozen=True):
    """A connection to the table that is lost and tried again."""

    attempt: int
    """The number, from 1, of the attempt that comes next, or is under way."""
    retry_at: float
    """The time of that attempt, in seconds of the monotonic clock."""
    hurry: Callable[[], object] = lambda: None
    """Has it tried at once."""


class Sitting:
    """A place at no table yet: what every place at one has."""

    company = True
    """Whether others may be there: who sits alone has nobody to talk to and plays no game that
    counts."""
    asks = True
    """Whether a game goes on in which the reader may be asked: nothing is asked of the past."""
    table: "OwnTable | None" = None
    """The table, if it is open in this program."""

    def __init__(self, session: Session, name: str, lobby: Lobby | None = None) -> None:
        """Know what a session knows.

        Args:
            session: What is known of the table.
            name: What the player is called there.
            lobby: That of a table which was left, for who still shows it.
        """
        self.session = session
        self.name = name
        self.lost: LostLine | None = None
        """That the line to the host is lost, and when it is tried again."""
        self.draft: Draft | None = None
        """What is being written in the chat: the screens hand it on to each other."""
        self._lobby = lobby

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

    @property
    def latency_ms(self) -> int | None:
        """Of a message to the host and back; None while it is not known."""
        return None

    @property
    def is_private(self) -> bool:
        """Whether nobody else can come to the table."""
        return False

    @property
    def secure(self) -> bool | None:
        """Whether nobody on the way can read along; None where there is no way, or not known."""
        return None

    @property
    def workers(self) -> "WorkerPool | None":
        """Where a bot can think about a hint; None at no table."""
        return None

    @property
    def outside(self) -> "Router | None":
        """The way for friends in other homes to the player's own table, if there can be one."""
        return router_of(self.table)

    @property
    def doors(self) -> "OpenDoors | None":
        """The doors of the player's own table, if it has some."""
        return doors_of(self.table)

    def say(self, message: Asked) -> bool:
        """Send a message to the host; False if the line is lost and the message with it."""
        self.session.refusal = None
        return False

    @property
    def names(self) -> Sequence[str]:
        """What the players are called, by seat, where no lobby tells it; empty if nothing does."""
        return ()

    @property
    def is_anybody(self) -> bool:
        """Whether the reader answers for whoever is asked, and is nobody in particular."""
        return False

    def hear_by(self, hear: Callable[[Message], object]) -> None:
        """Have what is told go to a screen, where it does not come through the app."""

    async def stand_up(self) -> None:
        """Leave a table that is there for this reader alone."""

    def answer(self, action: Action) -> None:
        """Answer the question that is being asked."""
        self.say(self.session.act(action))

    def retry(self) -> bool:
        """Try a lost line at once, rather than when its wait is over; False if it is not lost."""
        if self.lost is None:
            return False
        self.lost.hurry()
        return True

    # Where several tables are open

    def enter(self, secret: bytes, *, watch: bool) -> None:
        """Go to one of the tables, to sit down or to watch."""

    def greet(self) -> None:
        """Say hello again, as on the way here: the host sends a list of its tables."""

    def release_seat(self) -> None:
        """Let go of the seat, so that another program may sit there."""


class LocalSitting(Sitting):
    """A place at a table on this machine, alone."""

    company = False
    workers: "WorkerPool | None" = None

    def __init__(self, table: "LocalTable", name: str = "Driflamme") -> None:
        """Sit down at a table, and know at once what stands on it."""
        super().__init__(Session(), name)
        self.local, self.workers = table, table.workers
        table.send = self.session.receive
        table.receive(self.session.hello(name))

    def say(self, message: Asked) -> bool:
        """Tell the table."""
        super().say(message)
        if isinstance(message, ClientMessage):
            self.local.receive(message)
        return True

    @property
    def names(self) -> Sequence[str]:
        """What the players are called, by seat; empty if that is not known."""
        return self.local.names

    @property
    def is_anybody(self) -> bool:
        """Whether the reader answers for whoever is asked, and is nobody in particular."""
        return self.local.seat is None

    def hear_by(self, hear: Callable[[Message], object]) -> None:
        """Have what the table tells go to a screen."""
        self.local.send = hear

    async def stand_up(self) -> None:
        """Let nobody answer or think any more."""
        self.local.stop()
        await self.local.workers.close()


class PastSitting(Sitting):
    """A place from which a game is looked back at, step by step and with anybody's eyes."""

    company = asks = False

    def __init__(self, replay: "Replay") -> None:
        """Look at a game from nowhere yet."""
        super().__init__(Session(), "")
        self.replay = replay
        settings = replay.record.settings
        self.session.lobby = Lobby(
            phase="result",
            seats=self._seats(0),
            spectators=(),
            settings=TableSettings(
                direction="left" if settings.get("direction") == "left" else "right",
                two=settings.get("two") is True,
            ),
            missing=None,
            invitation="",
            you=None,
            host=False,
        )

    def _seats(self, step: int) -> tuple[SeatInfo, ...]:
        """Return the seats with the players who held them after a step."""
        return tuple(
            SeatInfo(family=family, name=holder.name, bot=holder.bot)
            for player in self.replay.record.players
            for holder in [player.holder_at(step)]
            for family in letters_of(player.family)
        )

    def look(self, step: int, eyes: "Eyes", *, follows: bool) -> None:
        """See a step with somebody's eyes; `follows` is whether they saw the one before it."""
        session, replay = self.session, self.replay
        assert session.lobby is not None
        session.lobby = replace(session.lobby, seats=self._seats(step))
        session.view, session.events = replay.seen(step, eyes), replay.told_until(step, eyes)
        session.fresh = len(session.events) - len(replay.happened[step]) * follows
        session.revision += 1
