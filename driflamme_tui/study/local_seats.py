"""Defines seats without a connection: at a table on this machine, and at a past game."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from driflamme_tui.seat.player_seat import PlayerSeat
from netcode.client.session import Session
from netcode.protocol.fields import Message, letters_of
from netcode.protocol.messages import ClientMessage, Lobby, SeatInfo
from netcode.protocol.table_settings import TableSettings

if TYPE_CHECKING:
    from driflamme_tui.study.local_table import LocalTable
    from engine.replaying import Eyes, Replay
    from netcode.workers.worker_pool import WorkerPool


class LocalSeat(PlayerSeat):
    """A seat at a table on this machine, for a player alone."""

    company = False
    workers: "WorkerPool | None" = None

    def __init__(self, table: "LocalTable", name: str = "Driflamme") -> None:
        """Take a seat at a table, which sends its position at once."""
        super().__init__(Session(), name)
        self.local, self.workers = table, table.workers
        table.send = self.session.receive
        table.receive(self.session.hello(name))

    def send(self, message: Message) -> bool:
        """Send a message to the table; return True, since no connection can be lost."""
        super().send(message)
        if isinstance(message, ClientMessage):
            self.local.receive(message)
        return True

    @property
    def names(self) -> Sequence[str]:
        """The players' names by seat; empty if they are unknown."""
        return self.local.names

    @property
    def is_anybody(self) -> bool:
        """True if the player answers for all seats."""
        return self.local.seat is None

    def subscribe(self, receive: Callable[[Message], object]) -> None:
        """Call a screen's function with each message of the table, in place of the session."""
        self.local.send = receive

    async def stand_up(self) -> None:
        """Stop the table, its bots and its workers."""
        self.local.stop()
        await self.local.workers.close()


class PastSeat(PlayerSeat):
    """A seat at a past game. The reader sees the game step by step, with the eyes of any seat."""

    company = asks = False

    def __init__(self, replay: "Replay") -> None:
        """Begin without a view: `look` shows a step."""
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
        """Return the seats, with the players who had them after a step."""
        return tuple(
            SeatInfo(family=family, name=holder.name, bot=holder.bot)
            for player in self.replay.record.players
            for holder in [player.holder_at(step)]
            for family in letters_of(player.family)
        )

    def look(self, step: int, eyes: "Eyes", *, follows: bool) -> None:
        """Show a step as these eyes see it.

        `follows` is True if the previous step was shown, so that only the events since are new.
        """
        session, replay = self.session, self.replay
        assert session.lobby is not None
        session.lobby = replace(session.lobby, seats=self._seats(step))
        session.view, session.events = replay.seen(step, eyes), replay.events_until(step, eyes)
        session.fresh = len(session.events) - len(replay.happened[step]) * follows
        session.revision += 1
