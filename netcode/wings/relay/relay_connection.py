"""A host's control connection to a relay, and the sockets that the host dials for guests.

The relay announces guests on the control connection. A dialled socket is served like any accepted
socket. A lost control connection is opened again for as long as the table exists. A hostile relay
could do no more than bring guests.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from websockets.exceptions import WebSocketException

from engine.texts import ExplainedError, Text
from netcode.limits import TokenBucket, spend
from netcode.transport.address import Address, guest_address, network_of
from netcode.transport.certificate import Identity, WrongCertificateError, client_context
from netcode.transport.channel import ChannelClosedError
from netcode.transport.websocket import WebSocket, open_websocket
from netcode.wings.relay.host_signature import signature
from netcode.wings.relay.relay_limits import GUESTS_OF_A_HOST
from netcode.wings.relay.relay_link import RelayLink
from netcode.wings.relay.relay_messages import (
    FOR_CONTROL,
    RELAY_PROTOCOL,
    FromRelay,
    GuestCame,
    NotRegistered,
    ProveHost,
    Register,
    Registered,
    encode,
    from_relay,
    what_is_signed,
)

ANSWER_S: Final = 5.0
"""Seconds to wait for the relay's answer."""

WAITS_S: Final = (0.5, 1.0, 2.0, 5.0)
"""Seconds before each attempt to open a lost connection; the last number repeats."""

MOST_DIALLED: Final = 32
"""Maximum number of simultaneous dials for guests, even if the relay requests more."""

_MAXIMUM_FRAME_BYTES: Final = 512

_WHY: Final[dict[str, Text]] = {
    "secret": "The relay at {address} does not know this link any more: ask for its new one.",
    "full": "The relay at {address} has no room for another table: try again later, or use "
    "another relay.",
    "protocol": "The relay at {address} has another version of this program: upgrade the older "
    "one.",
}
_NONSENSE: Final[Text] = (
    "The program that answers at {address} is not a relay of Driflamme: check the link."
)

_At: TypeAlias = tuple[socket.AddressFamily, tuple[object, ...]]
"""An address of the relay in the form of the socket module."""

_log = logging.getLogger(__name__)


class RelayError(ExplainedError):
    """Raised if there is no control connection to a relay. The error's sentence has the reason."""


class RelayConnection:
    """A host's control connection to a relay, from `open` to `close`."""

    def __init__(
        self,
        link: RelayLink,
        identity: Identity,
        prefix: str,
        adopt: Callable[[socket.socket, str], object],
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        """Start without a connection.

        `adopt` receives each dialled socket, with the address of the guest's machine. The relay may
        lie about this address. `on_change` is called after each loss of the connection, and after
        each registration except that of a successful `open`.
        """
        self.link: Final = link
        self.registered: Registered | None = None
        """The relay's last answer to a registration; None while there is no connection."""
        self.is_replaced = False
        """True if the relay ended this connection for good, because another connection with this
        host's certificate has registered.
        """
        self._identity = identity
        self._prefix = prefix
        self._adopt = adopt
        self._on_change = on_change
        self._at: _At | None = None
        """The relay's address at the last registration; None before the first."""
        self._channel: WebSocket | None = None
        self._staying: asyncio.Task[None] | None = None
        self._dialling: set[asyncio.Task[None]] = set()
        self._pace = TokenBucket(GUESTS_OF_A_HOST)

    async def open(self) -> None:
        """Register at the relay, and stay registered.

        Raises RelayError if the first attempt fails.
        """
        self._channel = await self._register()
        self.keep()

    def keep(self) -> None:
        """Register as soon as the relay answers, and again after each loss of the connection.

        Returns at once; a task does the work.
        """
        self._staying = asyncio.create_task(self._stay())

    async def close(self) -> None:
        """Close the connection, so that no more guests come. Present guests remain."""
        for task in (self._staying, *self._dialling):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        if self._channel is not None:
            self._channel.abort()

    async def _stay(self) -> None:
        """Dial for guests while there is a connection; open another connection when it is lost.

        Return when the relay ends the connection for good.
        """
        tries = 0
        while True:
            if self._channel is not None:
                self.is_replaced = await self._listen(self._channel)
                self._channel.abort()
                self._channel, self.registered, tries = None, None, 0
                _log.info("the connection to the relay is lost")
                self._on_change()
                if self.is_replaced:
                    return
            await asyncio.sleep(WAITS_S[min(tries, len(WAITS_S) - 1)])
            tries += 1
            with suppress(RelayError):
                self._channel = await self._register()
                self._on_change()

    async def _listen(self, channel: WebSocket) -> bool:
        """Dial for guests until the connection ends. Return True if the relay ended it for good."""
        with suppress(ChannelClosedError):
            while (message := await _receive(channel)) is not None:
                if isinstance(message, NotRegistered):
                    return True
                if isinstance(message, GuestCame) and self._may_dial():
                    task = asyncio.create_task(self._dial_for(message))
                    self._dialling.add(task)
                    task.add_done_callback(self._dialling.discard)
        return False

    def _may_dial(self) -> bool:
        """Return True if the host may dial for another guest now, and count the dial then."""
        now = asyncio.get_running_loop().time()
        return len(self._dialling) < MOST_DIALLED and not spend(now, self._pace)

    async def _dial_for(self, guest: GuestCame) -> None:
        # Without a machine, the guest would escape the limits, so do not dial for it.
        machine = guest_address(guest.machine, str(self.link.addresses[0]))
        if self._at is None or not network_of(machine):
            return
        with suppress(OSError):
            async with asyncio.timeout(ANSWER_S):
                dialled = await _dial(self._at, guest.key)
            self._adopt(dialled, machine)

    async def _register(self) -> WebSocket:
        """Register at the first address that works, and return the connection.

        Raises RelayError if no address works, with the reason from the last address that answered.
        """
        failure: RelayError | None = None
        for address in self.link.addresses:
            try:
                async with asyncio.timeout(ANSWER_S):
                    return await self._register_at(address)
            except RelayError as error:
                failure = error
            except WrongCertificateError:
                failure = RelayError(_NONSENSE, address=str(address))
            except (OSError, ValueError, WebSocketException, ChannelClosedError):
                # The resolver raises ValueError for an invalid name.
                failure = failure or RelayError(
                    "The relay at {address} does not answer: ask its owner whether it is still "
                    "running.",
                    address=str(address),
                )
        assert failure is not None
        raise failure

    async def _register_at(self, address: Address) -> WebSocket:
        where = str(address)
        infos = await asyncio.get_running_loop().getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM
        )
        for family, _, _, _, number in infos:
            at = family, number
            # Limit the time for each address, so that a silent one leaves time for the others.
            with suppress(OSError):
                async with asyncio.timeout(ANSWER_S / 2 / len(infos)):
                    dialled = await _dial(at, FOR_CONTROL)
                break
        else:
            raise ConnectionRefusedError
        connect = partial(
            asyncio.get_running_loop().create_connection,
            sock=dialled,
            ssl=client_context(self.link.pin),
            server_hostname="driflamme",
        )
        channel = await open_websocket(
            connect, timeout=ANSWER_S, maximum_frame_bytes=_MAXIMUM_FRAME_BYTES
        )
        try:
            prove = await _receive(channel)
            if not isinstance(prove, ProveHost):
                raise RelayError(_NONSENSE, address=where)
            signed = what_is_signed(prove.challenge, channel.certificate)
            register = Register(
                protocol=RELAY_PROTOCOL,
                secret=self.link.secret,
                certificate=self._identity.certificate,
                signature=signature(self._identity, signed),
                prefix=self._prefix,
            )
            channel.send(encode(register))
            answer = await _receive(channel)
            if isinstance(answer, NotRegistered):
                raise RelayError(_WHY.get(answer.code, _NONSENSE), address=where)
            if not isinstance(answer, Registered):
                raise RelayError(_NONSENSE, address=where)
        except BaseException:
            channel.abort()
            raise
        self._at, self.registered = at, answer
        return channel


async def _dial(at: _At, key: bytes) -> socket.socket:
    """Connect to an address of the relay, send a key, and return the socket. Raises OSError."""
    family, number = at
    loop = asyncio.get_running_loop()
    dialled = socket.socket(family, socket.SOCK_STREAM)
    try:
        dialled.setblocking(False)
        dialled.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await loop.sock_connect(dialled, number)
        await loop.sock_sendall(dialled, b"\0" + key)
    except BaseException:
        dialled.close()
        raise
    return dialled


async def _receive(channel: WebSocket) -> FromRelay | None:
    """Return the next message of the relay; None if it is invalid. Raises ChannelClosedError."""
    frame = await channel.receive()
    try:
        return from_relay(frame if isinstance(frame, bytes) else frame.encode())
    except ValueError:
        return None
