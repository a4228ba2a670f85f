"""A pretend network: its connections delay, stall, break and go silent, as TCP connections do.

Frames of a connection stay in order, and none arrives twice. When a connection breaks, the last
frames may be lost. A silent connection ends only when the host's keepalive or the client's
heartbeat gives up.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

from netcode.client.connection import ConnectError
from netcode.limits import STALLED_BYTES
from netcode.transport.channel import CLOSE_TIMEOUT_S, ChannelClosedError
from netcode.transport.websocket import PING_INTERVAL_S, PING_TIMEOUT_S
from tests.netcode.simulation.clockwork import Clockwork, Process

NEAR_S: Final = 0.004
FAR_S: Final = 0.15
"""Maximum seconds until a frame arrives over a slow network."""

CONNECT_TIMEOUT_S: Final = 10.0

DISTANT: Final = float("inf")


@dataclass(eq=False, slots=True)
class Ping:
    """A ping, or the pong that answers the ping."""

    sender: "End"
    answered: "asyncio.Future[None]"


class Closing:
    """The end of the data in one direction."""


Item = bytes | Ping | Closing


@dataclass(eq=False, slots=True)
class Way:
    """One direction of a connection."""

    to: "End"
    free_at: float = 0.0
    """The arrival time of the frame sent last; later frames do not arrive earlier."""
    stalled_until: float = 0.0
    lost_from: float = DISTANT
    """Frames that would arrive at this time or later are lost."""
    under_way: deque[Item] = field(default_factory=deque)

    @property
    def bytes_under_way(self) -> int:
        return sum(len(item) for item in self.under_way if isinstance(item, bytes))


class End:
    """One end of a connection: a `Channel`."""

    peer = local = ""
    ports = 0, 0
    certificate = b""

    def __init__(self, line: "Line", process: Process) -> None:
        self.line = line
        self.process = process
        self.out: Way
        self.closed = False
        self.sent: Callable[[bytes], None] = lambda frame: None
        """Called with every frame that this end sends before it closes."""
        self.got: Callable[[bytes], None] = lambda frame: None
        """Called with every frame that is read."""
        self._inbox: deque[bytes | Closing] = deque()
        self._closing = False
        self._over = asyncio.Event()
        self._waiter: asyncio.Future[None] | None = None
        self._pings: list[Ping] = []

    def send(self, frame: bytes) -> None:
        if self.process.alive and not self.closed and not self._closing:
            self.process.moment()
        if self.process.alive and not self.closed and not self._closing:
            self.sent(frame)
            self._post(frame)
            if self.out.bytes_under_way * self.line.network.narrowness > STALLED_BYTES:
                self.abort()

    async def receive(self) -> bytes | str:
        while not self._inbox:
            if self.closed:
                raise ChannelClosedError
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        item = self._inbox.popleft()
        if isinstance(item, Closing):
            self.end()
            raise ChannelClosedError
        self.got(item)
        return item

    async def ping(self) -> float:
        if self.closed:
            raise ChannelClosedError
        loop = asyncio.get_running_loop()
        sent_at = loop.time()
        ping = Ping(self, loop.create_future())
        self._pings.append(ping)
        self._post(ping)
        try:
            await ping.answered
        finally:
            self._pings.remove(ping)
        return loop.time() - sent_at

    async def close(self, code: int = 1000) -> None:
        if self.closed or self._closing:
            return
        self._closing = True
        self._post(Closing())
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._over.wait()
        self.end()

    def abort(self) -> None:
        if self.process.alive:
            self.line.break_off(self)

    def end(self) -> None:
        """Stop sending and receiving."""
        if not self.closed:
            self.closed = True
            self._over.set()
            self._wake()
            for ping in list(self._pings):
                if not ping.answered.done():
                    ping.answered.set_exception(ChannelClosedError())

    def fail(self) -> None:
        """End, and drop unread frames."""
        self._inbox.clear()
        self.end()

    def _post(self, item: Item) -> None:
        self.line.post(self.out, item)

    def take(self, item: Item) -> None:
        """Receive a frame, a ping, a pong or the end of the data."""
        if self.closed:
            return
        if isinstance(item, Ping):
            if item.sender is self:
                if not item.answered.done():
                    item.answered.set_result(None)
            else:
                # The program answers pings, not the machine: a stopped program does not.
                self.process.call(self._post, item)
            return
        # The program reads the frame at its next step.
        self.process.call(self._read, item)

    def _read(self, item: bytes | Closing) -> None:
        if self.closed:
            return
        self._inbox.append(item)
        self._wake()
        if isinstance(item, Closing) and not self._closing:
            self._closing = True
            self._post(item)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Line:
    """A connection of a client to the host."""

    def __init__(self, network: "Network", client: Process, host: Process, owner: str) -> None:
        self.network = network
        self.owner = owner
        """The name of the client's player."""
        self.number = len(network.lines)
        self.client = End(self, client)
        self.host = End(self, host)
        self.up = Way(self.host)
        self.down = Way(self.client)
        self.client.out, self.host.out = self.up, self.down

    @property
    def stands(self) -> bool:
        """True until both ends have closed."""
        return not (self.client.closed and self.host.closed)

    def post(self, way: Way, item: Item) -> None:
        """Send an item; it arrives later, or never."""
        network = self.network
        loop = network.loop
        arrival = max(loop.now + network.delay(), way.free_at, way.stalled_until)
        # A lost frame also delays the frames after it.
        way.free_at = arrival
        if arrival >= way.lost_from:
            return
        way.under_way.append(item)
        loop.later(arrival - loop.now, self._arrive, way)

    def _arrive(self, way: Way) -> None:
        """Deliver the oldest item under way, after a stall if there is one, or lose it."""
        now = self.network.loop.now
        if now >= way.lost_from:
            return
        if now < way.stalled_until:
            # Wait for the end of the stall: it began while the frame was under way.
            self.network.loop.later(way.stalled_until - now, self._arrive, way)
            return
        way.to.take(way.under_way.popleft())

    def stall(self, way: Way, seconds: float) -> None:
        """Deliver nothing in one direction for this many seconds."""
        way.stalled_until = max(way.stalled_until, self.network.loop.now + seconds)
        self.lose_patience()

    def fall_silent(self) -> None:
        """Lose all later frames in both directions, without closing the connection."""
        self.up.lost_from = self.down.lost_from = self.network.loop.now
        self.lose_patience()

    def lose_patience(self) -> None:
        """Schedule the check of the host's keepalive, which ends a silent connection."""
        patience = PING_TIMEOUT_S + self.network.rng.random() * PING_INTERVAL_S
        self.network.loop.later(patience, self._keepalive)

    def _keepalive(self) -> None:
        now = self.network.loop.now
        unheard = (
            now >= min(self.up.lost_from, self.down.lost_from)
            or now < max(self.up.stalled_until, self.down.stalled_until)
            or not self.client.process.runs
        )
        if unheard and self.host.process.alive and not self.host.closed:
            self.break_off(self.host)

    def break_off(self, end: End) -> None:
        """Fail at one end; the other end closes if the network still works."""
        other = self.host if end is self.client else self.client
        now = self.network.loop.now
        end.fail()
        arrival = max(now + self.network.delay(), end.out.stalled_until)
        if arrival < end.out.lost_from:
            # Lose the frames that would arrive after the end of the connection.
            end.out.lost_from = arrival
            self.network.loop.later(arrival - now, other.end)

    def cut(self) -> None:
        """Break the connection at both ends, each a little later; later frames are lost."""
        loop, network = self.network.loop, self.network
        for way in (self.up, self.down):
            delay = network.delay()
            way.lost_from = min(way.lost_from, loop.now + delay * network.rng.random())
            loop.later(delay, way.to.end)


@dataclass(eq=False)
class Network:
    """All connections, and the players without a network."""

    loop: Clockwork
    rng: Random
    slowness: float = NEAR_S
    """Maximum seconds until a frame arrives, unless the connection stalls."""
    narrowness: int = 1
    """The factor by which buffers are smaller than real ones."""
    lines: list[Line] = field(default_factory=list)
    accept: Callable[[Line], None] | None = None
    """Serves a connection in the host's process; None while there is no host."""
    host: Process | None = None
    _away_until: dict[str, float] = field(default_factory=dict)

    def delay(self) -> float:
        """Return the random seconds until a frame arrives."""
        return self.rng.random() * self.slowness

    def standing(self, owner: str | None = None) -> list[Line]:
        """Return the connections that still stand, of one player or of all."""
        return [
            line for line in self.lines if line.stands and (owner is None or line.owner == owner)
        ]

    def take_away(self, owner: str, seconds: float) -> None:
        """Silence or stall a player's connections, and allow no new ones for this many seconds."""
        self._away_until[owner] = self.loop.now + seconds
        for line in self.standing(owner):
            if self.rng.random() < 0.5:
                line.fall_silent()
            else:
                line.stall(line.up, seconds)
                line.stall(line.down, seconds)

    async def connect(self, owner: str, client: Process) -> End:
        """Connect a player to the host; return the player's end.

        Raises ConnectError without a host, or if the player has no network.
        """
        begin = self.loop.now
        await asyncio.sleep(2 * self.delay())
        if begin < self._away_until.get(owner, 0.0):
            await asyncio.sleep(CONNECT_TIMEOUT_S)
            raise ConnectError("The table does not answer.")
        if self.accept is None or self.host is None:
            raise ConnectError("No table is open there.")
        line = Line(self, client, self.host, owner)
        self.lines.append(line)
        self.accept(line)
        return line.client

    def host_is_gone(self, silently: bool) -> None:
        """End the host's connections; silently if its machine has stopped."""
        self.accept = self.host = None
        for line in self.standing():
            line.host.fail()
            if silently:
                line.up.lost_from = line.down.lost_from = self.loop.now
            else:
                line.cut()
