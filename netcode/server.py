"""The shell around a table on the host's side: sockets, clock and tasks, and no decisions.

It reads frames and gives them to the table, carries out the effects that come back, and lets
the bots think. Whatever a peer does, it sees frames of the protocol and closed connections,
never an error of ours. Nothing that is logged contains a key, a view or a card.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections import deque
from random import Random, SystemRandom
from types import TracebackType
from typing import Final, Self

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from engine.actions import Action
from engine.bots import Bot, make_bot
from engine.notation import format_position, parse_view
from engine.words import N_, ExplainedError
from netcode.address import DEFAULT_PORT, Address
from netcode.away import AWAY_BOT
from netcode.codec import FROM_CLIENT, CodecError, decode_client, encode
from netcode.effects import Alarm, Close, Effect, Keep, Send, Think
from netcode.journal import Journal
from netcode.keeping import Opened
from netcode.messages import HostMessage, Knock, Lobby, OpenTable, Prove
from netcode.pace import TokenBucket
from netcode.table import Table

HELLO_TIMEOUT_S: Final = 30.0
"""Time to say hello: enough to type another name when the first is taken."""

PING_INTERVAL_S: Final = 10.0
"""Between two questions whether a peer is still there; half of the grace of those away."""

PING_TIMEOUT_S: Final = 10.0
"""How long it may take to answer that."""

CLOSE_TIMEOUT_S: Final = 2.0
"""How long a peer may take to agree to an end before it is cut off."""

LONGEST_FRAME: Final = 8 * FROM_CLIENT.frame
"""Bytes; a frame too long for the codec is refused with a reason, one beyond this is not read."""

OPEN_TIMEOUT_S: Final = 5.0
"""Time for a connection to become a websocket; until then it costs us and says nothing."""

BACKLOG: Final = 16
"""Connections that may wait to be accepted. asyncio complains once for each when the system has
no room for any, so not many."""

MAXIMUM_CONNECTIONS: Final = 64
"""At a table of five and ten spectators, each with an old connection that has not ended yet."""

MAXIMUM_FROM_ONE_ADDRESS: Final = 32
"""A whole table behind one address, as in SSH sessions or one household, with room to spare."""

OUTBOX_MESSAGES: Final = 64
"""Messages that may wait for one peer: some rounds of a game, a few ten kilobytes."""

SEND_TIMEOUT_S: Final = 20.0
"""How long a peer may take to make room for a message before it is cut off."""

_log = logging.getLogger(__name__)

_wire_log = logging.getLogger("netcode.wire")
# At DEBUG websockets would log frames, and with them keys and cards.
_wire_log.setLevel(logging.INFO)


class ServerError(ExplainedError):
    """Why a table cannot be opened on the network, as a sentence."""


class _Peer:
    """One connection, and what waits to be sent on it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.pace = TokenBucket()
        self.writer = asyncio.create_task(self._write())
        self._outbox: deque[bytes | None] = deque()
        """Frames; None closes the connection."""
        self._more = asyncio.Event()
        self._ends_with_lobby = False

    def send(self, message: HostMessage) -> None:
        lobby = isinstance(message, Lobby)
        if lobby and self._ends_with_lobby and self._outbox:
            # It says all that the one before said, and newer.
            self._outbox[-1] = encode(message)
        else:
            self._put(encode(message))
        self._ends_with_lobby = lobby

    def close(self) -> None:
        self._put(None)

    def _put(self, frame: bytes | None) -> None:
        if len(self._outbox) >= OUTBOX_MESSAGES:
            _log.info("a peer does not read; cut off")
            self.cut()
        else:
            self._outbox.append(frame)
            self._more.set()
            self._ends_with_lobby = False

    async def _next(self) -> bytes | None:
        while not self._outbox:
            self._more.clear()
            await self._more.wait()
        return self._outbox.popleft()

    def cut(self) -> None:
        """End the connection without asking the peer."""
        self.writer.cancel()
        self.socket.transport.abort()

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while (frame := await self._next()) is not None:
                try:
                    async with asyncio.timeout(SEND_TIMEOUT_S):
                        await self.socket.send(frame)
                except TimeoutError:
                    _log.info("a peer takes nothing any more; cut off")
                    self.socket.transport.abort()
                    return
            await self.socket.close()


class Server:
    """A table on the network; also an asynchronous context manager that closes it."""

    def __init__(
        self,
        table: Table,
        rng: Random | None = None,
        journal: Journal | None = None,
        number: int = 1,
    ) -> None:
        """Make the server of a table.

        Args:
            table: Decides everything.
            rng: What the bots leave to chance.
            journal: Keeps what happens, if anything does; closed with the server.
            number: The table's in the journal.
        """
        self.table = table
        self._number = number
        self._journal = journal
        self._rng = rng or SystemRandom()
        self._listening: list[WebSocketServer] = []
        self._peers: dict[int, _Peer] = {}
        self._connections = 0
        self._thinking: set[asyncio.Task[None]] = set()
        self._one_thought = asyncio.Lock()
        self._game = 0
        self._bots: dict[tuple[int, str], Bot] = {}
        """Of that game, by seat and by the name of the bot that was asked for."""

    async def start(self, bind: str | None = None, port: int = DEFAULT_PORT) -> None:
        """Listen; raises ServerError.

        Args:
            bind: An address or a name of this machine; None for all, of IPv4 and of IPv6.
            port: 0 for any that is free.
        """
        listeners = await _open(bind, port)
        if self._journal is not None:
            # Before anybody can come, so that nothing of a table is kept before the table.
            opened = Opened(bytes(12), "00000000", bind, listeners[0].getsockname()[1])
            self._carry_out([Keep(opened)])
        for listener in listeners:
            self._listening.append(
                await serve(
                    self._handle,
                    sock=listener,
                    backlog=BACKLOG,
                    open_timeout=OPEN_TIMEOUT_S,
                    # A browser says where its page is from; no page has a business here.
                    origins=[None],
                    compression=None,
                    max_size=LONGEST_FRAME,
                    ping_interval=PING_INTERVAL_S,
                    ping_timeout=PING_TIMEOUT_S,
                    close_timeout=CLOSE_TIMEOUT_S,
                    server_header=None,
                    logger=_wire_log,
                )
            )

    @property
    def addresses(self) -> list[Address]:
        """Where the server listens."""
        return [
            Address(*each.getsockname()[:2])
            for server in self._listening
            for each in server.sockets
        ]

    @property
    def port(self) -> int:
        """The port on which the server listens."""
        return self.addresses[0].port

    async def close(self, reason: str = "host_quit") -> None:
        """Say goodbye to everybody, with a code of `refusals.py`, and stop.

        What was sent before still goes out.
        """
        for task in self._thinking:
            task.cancel()
        self._carry_out(self.table.close(reason))
        await self._settled()
        # Those too that were held back until now.
        for task in self._thinking:
            task.cancel()
        peers = list(self._peers.values())
        for peer in peers:
            peer.close()
        if peers:
            await asyncio.wait([peer.writer for peer in peers], timeout=CLOSE_TIMEOUT_S)
        for server in self._listening:
            server.close()
        for server in self._listening:
            await server.wait_closed()
        if self._journal is not None:
            await self._journal.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def _handle(self, socket: ServerConnection) -> None:
        """Serve one connection until it ends."""
        if not self._has_room_for(socket):
            await socket.close(CloseCode.TRY_AGAIN_LATER)
            return
        self._connections += 1
        connection = self._connections
        peer = self._peers[connection] = _Peer(socket)
        loop = asyncio.get_running_loop()
        overdue = loop.call_later(HELLO_TIMEOUT_S, self._hello_overdue, connection)
        _log.info("connection %d opened", connection)
        try:
            async for frame in socket:
                self._carry_out(self._receive(connection, frame))
                await self._settled()
                # Who speaks too fast is listened to more slowly, and nobody else is. Without any
                # pause, frames that came together would be answered before the writers of
                # others have a turn, and their outboxes overflow.
                await asyncio.sleep(peer.pace.take(loop.time()))
        except ConnectionClosed:
            pass
        finally:
            _log.info("connection %d ended", connection)
            overdue.cancel()
            peer.writer.cancel()
            del self._peers[connection]
            self._carry_out(self.table.disconnected(connection, loop.time()))

    def _has_room_for(self, socket: ServerConnection) -> bool:
        address = _address(socket)
        from_there = sum(_address(peer.socket) == address for peer in self._peers.values())
        return len(self._peers) < MAXIMUM_CONNECTIONS and from_there < MAXIMUM_FROM_ONE_ADDRESS

    def _receive(self, connection: int, frame: bytes | str) -> list[Effect]:
        now = asyncio.get_running_loop().time()
        try:
            message = decode_client(frame)
        except CodecError as error:
            return self.table.malformed(connection, error.code, now, error.values)
        if isinstance(message, Knock | Prove | OpenTable):
            return self.table.malformed(connection, "unknown_message", now)
        return self.table.receive(connection, message, now)

    def _hello_overdue(self, connection: int) -> None:
        self._carry_out(self.table.hello_overdue(connection))

    async def _settled(self) -> None:
        """Wait for the journal, so that a peer cannot fill memory faster than the disk."""
        if self._journal is not None:
            await self._journal.settled(self._number)

    def _carry_out(self, effects: list[Effect]) -> None:
        """Do what the table wants done, once what is to be kept has been."""
        if self._journal is None:
            self._do(effects)
        else:
            self._journal.take(self._number, effects, self._do)

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(connection, message):
                    if connection in self._peers:
                        self._peers[connection].send(message)
                case Close(connection):
                    if connection in self._peers:
                        self._peers[connection].close()
                case Think():
                    task = asyncio.create_task(self._think(effect))
                    self._thinking.add(task)
                    task.add_done_callback(self._thinking.discard)
                case Alarm() | Keep():
                    # The journal's, which has seen to it.
                    pass

    async def _think(self, think: Think) -> None:
        await asyncio.sleep(think.delay_s)
        # In turn, so that no bot is asked twice at a time; in a thread, so that one which takes
        # long holds up nobody's messages.
        async with self._one_thought:
            if think.revision != self.table.revision:
                return
            action = await asyncio.to_thread(self._choose, think)
            now = asyncio.get_running_loop().time()
            self._carry_out(self.table.answer(think.seat, think.revision, action, now))

    def _choose(self, think: Think) -> Action:
        """Return the bot's choice; a bot that fails is replaced for the rest of the game."""
        legal = think.view.legal
        seen = format_position(think.view)
        if think.game != self._game:
            self._game = think.game
            self._bots.clear()
        mine = think.seat, think.bot
        for name in (think.bot, AWAY_BOT):
            bot = self._bots.get(mine)
            if bot is None:
                bot = self._bots[mine] = make_bot(name, Random(self._rng.getrandbits(64)))
            try:
                # The view is the bot's to change, so each gets its own.
                action = bot.choose(parse_view(seen, think.seat))
            except Exception as error:
                _log.error("the bot %s failed with %s", bot.name, type(error).__name__)
            else:
                if action in legal:
                    return action
                _log.error("the bot %s chose what is not legal", bot.name)
            del self._bots[mine]
        return legal[0]


def _address(socket: ServerConnection) -> str:
    """Return the machine that a connection comes from; nothing if it has gone already."""
    remote = socket.remote_address
    return str(remote[0]) if remote else ""


async def _open(bind: str | None, port: int) -> list[socket.socket]:
    """Return listening sockets, all on one port; raises ServerError."""
    opened: list[socket.socket] = []
    try:
        if bind is None:
            return [_open_all(port)]
        loop = asyncio.get_running_loop()
        for family, _, _, _, address in await loop.getaddrinfo(
            bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            at = (address[0], port, *address[2:])
            opened.append(socket.create_server(at, family=family))
            port = opened[0].getsockname()[1]
    except OSError as error:
        for each in opened:
            each.close()
        raise _why_not_open(error, bind, port) from error
    return opened


def _open_all(port: int) -> socket.socket:
    """Listen on every address of this machine."""
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError as error:
            # Compiled in, but switched off on this machine.
            if error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                raise
    return socket.create_server(("", port))


def _why_not_open(error: OSError, bind: str | None, port: int) -> ServerError:
    if error.errno == errno.EADDRINUSE:
        return ServerError(
            N_("Port {port} is in use: another table may be open. Choose another port."), port=port
        )
    if error.errno == errno.EACCES:
        return ServerError(
            N_("Port {port} is not for everybody: choose one above 1023."), port=port
        )
    if bind is not None and (
        isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
    ):
        return ServerError(N_("This machine has no address {address}."), address=bind)
    return ServerError(
        N_("Cannot listen on port {port}: {why}."), port=port, why=error.strerror or str(error)
    )
