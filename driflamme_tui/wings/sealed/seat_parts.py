"""Adds sealed play to a seat: the player's own program, which may take over the table."""

from contextlib import suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from driflamme_tui.seat.seat_parts import Journey, SeatPart, SeatParts
from netcode.client.connection import Connect, Connection
from netcode.client.reconnection import Connected, ConnectionLost, News
from netcode.transport.channel import Channel
from netcode.transport.running_clock import RunningClock
from netcode.wings.sealed.interpreter import Ask, SealedInterpreter

if TYPE_CHECKING:
    from driflamme_tui.preferences.remembered import WayBack
    from driflamme_tui.wings.sealed.home_takeover import HomeTakeover
    from netcode.wings.sealed.takeover.takeover_play import TakeoverPlay


class SealedSeat(SeatPart):
    """Runs the player's own program as soon as the table turns out to be sealed."""

    def __init__(self, journey: Journey) -> None:
        """Begin at a table that is not known to be sealed."""
        self._journey: Final = journey
        self._interpreter: Final = SealedInterpreter(self._make_play, self._make_ask)
        self._connection: Connection | None = None
        self.play: TakeoverPlay | None = None
        """The player's own program at a table that is or was sealed; None before that."""
        self._home: HomeTakeover | None = None

    @property
    def interpreter(self) -> SealedInterpreter:
        """The interpreter, which passes messages through the player's own program."""
        return self._interpreter

    @property
    def is_elsewhere(self) -> bool:
        """True if another player's program has taken over the table."""
        return self.play is not None and self.play.was_taken_over

    async def log_in(self) -> None:
        """Get the key to the player's seat, by the game key of an unfinished game.

        Without an unfinished game at this table, change nothing.

        Raises:
            ConnectError: The table cannot be reached.
        """
        from driflamme_tui.wings.sealed.takeover_games import unfinished_persons

        target, session = self._journey.target, self._journey.player_seat.session
        if target is None:
            return
        for _game, person in unfinished_persons(self._journey.player_seat.name):
            if person.sealing is not None and person.me is not None:
                from netcode.client.code_join import NotAdmittedError
                from netcode.wings.sealed.takeover.host_call import call_host

                with suppress(NotAdmittedError):
                    channel, session.secret, session.key = await call_host(
                        person.sealing, person.me, person.secret, target.connect, target.secret
                    )
                    await channel.close()
                    return

    def connector(self, connect: Connect) -> Connect:
        """Return a function that connects to the table's present host."""

        async def reach() -> Channel:
            return await (connect if self.play is None else self.play.connect)()

        return reach

    def receive(self, news: News) -> None:
        """Store a new connection, and notify the player's own program if a connection is lost."""
        match news:
            case Connected():
                self._connection = news.connection
            case ConnectionLost():
                self._connection = None
                if self.play is not None:
                    self.play.lost(news)

    def way_back(self, way: "WayBack") -> "WayBack":
        """Return the way to the present host, if the table has moved; otherwise `way` itself."""
        session, target = self._journey.player_seat.session, self._journey.target
        if not self.is_elsewhere or session.lobby is None or target is None:
            return way
        place = target.seat_at(target.secret)
        return replace(way, typed=session.lobby.invitation, place=place)

    async def close(self) -> None:
        """Close the logs, and the takeover server."""
        self._interpreter.close()
        if self._home is not None:
            await self._home.close()

    def _make_play(self) -> "TakeoverPlay":
        """Make, store and return the player's own program."""
        from driflamme_tui.wings.sealed.home_takeover import HomeTakeover
        from netcode.wings.sealed.stored_logs import StoredLogs
        from netcode.wings.sealed.takeover.takeover_play import TakeoverPlay

        player_seat, target = self._journey.player_seat, self._journey.target
        came_by = () if target is None else target.addresses
        is_resumed = player_seat.table is not None and player_seat.table.is_resumed
        self._home = HomeTakeover(
            player_seat.table, player_seat.name, resumed=is_resumed, came_by=came_by
        )
        self.play = TakeoverPlay(
            StoredLogs(), player_seat.session, self._journey.connect, self._home
        )
        if self._connection is not None:
            self.play.channel = self._connection.channel
        return self.play

    def _make_ask(self, clock: RunningClock) -> Ask:
        """Return the function that lets bots on this machine answer."""
        from netcode.server.bot_runner import BotRunner

        workers = self._journey.player_seat.workers
        assert workers is not None
        return BotRunner(SystemRandom(), workers, clock).think


SEAM: Final = SeatParts(SealedSeat)
