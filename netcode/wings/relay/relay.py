"""A relay: connects guests with hosts that have dialled out to it, and forwards their bytes.

The first bytes of each socket decide its kind. A host's socket begins with a zero byte and a key.
If the key is all zeros, the socket is the host's control connection. Otherwise the host has dialled
it for the guest with that key. All other sockets are guests: the server name in their TLS hello
identifies the host.
"""

import asyncio
import hmac
import logging
import secrets
import socket
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from msgspec import Struct, field

from netcode.limits import Buckets, TokenBucket, spend
from netcode.transport.address import network_of
from netcode.transport.certificate import Identity, pin_of, server_name
from netcode.transport.channel import CLOSE_TIMEOUT_S, Channel, ChannelClosedError
from netcode.transport.listener import HandshakeLimits, Listener
from netcode.transport.websocket import OPEN_TIMEOUT_S, serve_websocket
from netcode.wings.relay.host_signature import is_signed_by
from netcode.wings.relay.relay_limits import (
    GUEST_BYTES,
    GUEST_SHARE,
    GUESTS_KEPT,
    GUESTS_OF_A_HOST,
    GUESTS_OF_A_NETWORK,
    RelayLimits,
)
from netcode.wings.relay.relay_link import new_pass, owner_of
from netcode.wings.relay.relay_messages import (
    FOR_CONTROL,
    KEY_BYTES,
    RELAY_PROTOCOL,
    GuestCame,
    NotRegistered,
    ProveHost,
    Registered,
    encode,
    from_host,
    what_is_signed,
)
from netcode.wings.relay.tls_hello import Hello

DIAL_S: Final = 4.0
"""Seconds for a host to dial for a guest. The number must be below `OPEN_TIMEOUT_S`."""

CHUNK: Final = 16 * 1024
"""Maximum bytes that are forwarded at once."""

_HOST_BEGINS: Final = b"\0"
"""The first byte of a host's sockets. No TLS connection begins with this byte."""

_log = logging.getLogger(__name__)


class _Host(Struct, eq=False):
    """A host with an open connection to this relay."""

    channel: Channel
    names: tuple[str, ...]
    """The server names by which guests reach the host."""
    owner: bytes = b""
    """The owner of the pass with which the host registered; empty if it used the secret."""
    guests: int = 0
    dials: TokenBucket = field(default_factory=lambda: TokenBucket(GUESTS_OF_A_HOST))
    from_networks: Buckets = field(default_factory=lambda: Buckets(GUESTS_OF_A_NETWORK))

    shares: Buckets = field(default_factory=lambda: Buckets(GUEST_SHARE))
    """The shares of the reserve, by network. Frequent visitors use up their shares, and so leave
    the reserve to others.
    """

    def takes(self, machine: str, now: float, most: int) -> bool:
        """Return True if the host accepts another guest from a machine, and count the guest then.

        `most` is the maximum number of the host's guests.
        """
        network, share = network_of(machine), self.shares.of(network_of(machine), now)
        has_share = not share.wait(now)
        kept = 0.0 if has_share else GUESTS_KEPT
        if self.guests >= most * (1 - kept):
            return False
        if self.dials.wait(now, 1 + kept * GUESTS_OF_A_HOST.burst):
            return False
        if spend(now, self.dials, self.from_networks.of(network, now)):
            return False
        if has_share:
            share.take(now)
        return True


class Relay:
    """Connects guests with hosts until it is closed."""

    def __init__(
        self,
        identity: Identity,
        secret: bytes,
        limits: RelayLimits | None = None,
        unix_s: Callable[[], float] = time.time,
    ) -> None:
        """Start without hosts. `secret` admits hosts and signs passes."""
        self._identity = identity
        self._secret = secret
        self._limits = limits or RelayLimits()
        self._unix_s = unix_s
        self._handshake_limits = HandshakeLimits(
            self._limits.sockets, self._limits.sockets_from_one
        )
        self._listeners: list[Listener] = []
        self._hosts: dict[str, _Host] = {}
        """The connected hosts. A host with several names has an entry for each."""
        self._prefixes: dict[str, str] = {}
        """The server name of the host that has each code prefix, oldest first."""
        self._dialled: dict[bytes, asyncio.Future[socket.socket]] = {}
        """For each key that a host was sent, the future that waits for the host's dialled
        socket.
        """
        self._guests = 0
        self._bytes = 0
        self._refused = 0

    async def listen(self, sockets: Iterable[socket.socket]) -> None:
        """Accept connections on sockets that are listening already."""
        for each in sockets:
            listener = Listener(self._serve, each, limits=self._handshake_limits, backlog=128)
            self._listeners.append(listener)

    @property
    def port(self) -> int:
        """The TCP port of the first listener. Read it only after `listen`."""
        address = self._listeners[0].address
        assert address is not None
        return address.port

    def status(self) -> dict[str, Any]:
        """Return the figures of `driflamme relay --status`."""
        return {
            "hosts": len(set(self._hosts.values())),
            "guests": self._guests,
            "bytes": self._bytes,
            "refused": self._refused,
        }

    async def close(self) -> None:
        """Stop listening, and close all connections."""
        for listener in self._listeners:
            await listener.close()

    # Sockets

    async def _serve(
        self, accepted: socket.socket, machine: str, arrived: Callable[[], object]
    ) -> None:
        """Serve a socket: a control connection, a socket that a host has dialled, or a guest."""
        try:
            async with asyncio.timeout(OPEN_TIMEOUT_S) as opening:
                begun = await asyncio.get_running_loop().sock_recv(accepted, 1)
                if begun != _HOST_BEGINS:
                    await self._route_guest(accepted, machine, begun, opening, arrived)
                    return
                key = await _exactly(accepted, KEY_BYTES)
        except BaseException:
            accepted.close()
            raise
        waiting = self._dialled.pop(key, None)
        if key == FOR_CONTROL:
            # A host's control connection counts as arrived only once the host has registered.
            serve, context = partial(self._serve_control, arrived), self._identity.context
            await serve_websocket(serve, accepted, machine, lambda: None, context=context)
        elif waiting is None or waiting.done():
            accepted.close()
        else:
            waiting.set_result(accepted)

    async def _route_guest(
        self,
        guest: socket.socket,
        machine: str,
        begun: bytes,
        opening: asyncio.Timeout,
        arrived: Callable[[], object],
    ) -> None:
        """Find the guest's host, request a socket from it, and forward bytes until the end."""
        loop = asyncio.get_running_loop()
        hello = Hello()
        name = hello.take(begun)
        while name is None:
            name = hello.take(await loop.sock_recv(guest, CHUNK))
        host = self._hosts.get(name)
        dialled = None
        if host is not None and host.takes(machine, loop.time(), self._limits.guests):
            dialled = await self._request_socket(host, machine)
        with guest:
            if host is None or dialled is None:
                self._refused += 1
                await loop.sock_sendall(guest, hello.refusal)
                return
            opening.reschedule(None)
            arrived()
            with dialled:
                await self._forward(host, guest, dialled, hello.received)

    async def _request_socket(self, host: _Host, machine: str) -> socket.socket | None:
        """Request a socket for a guest; return it, or None if the host does not dial in time."""
        key = secrets.token_bytes(KEY_BYTES)
        waiting = self._dialled[key] = asyncio.get_running_loop().create_future()
        host.guests += 1
        try:
            host.channel.send(encode(GuestCame(key, machine)))
            async with asyncio.timeout(DIAL_S):
                return await asyncio.shield(waiting)
        except TimeoutError:
            return waiting.result() if waiting.done() else None
        except BaseException:
            if waiting.done():
                waiting.result().close()
            raise
        finally:
            host.guests -= 1
            self._dialled.pop(key, None)

    async def _forward(
        self, host: _Host, guest: socket.socket, dialled: socket.socket, begun: bytes
    ) -> None:
        """Forward bytes until both sides have closed, or no byte has come for too long."""
        loop = asyncio.get_running_loop()
        host.guests += 1
        self._guests += 1
        try:
            async with asyncio.timeout(self._limits.idle_s) as idle:
                await loop.sock_sendall(dialled, begun)
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._one_way(guest, dialled, idle))
                    both.create_task(self._one_way(dialled, guest, idle))
        except* OSError:
            # One side has gone or was silent too long, so end both.
            pass
        finally:
            host.guests -= 1
            self._guests -= 1

    async def _one_way(
        self, source: socket.socket, sink: socket.socket, idle: asyncio.Timeout
    ) -> None:
        loop = asyncio.get_running_loop()
        limit = TokenBucket(GUEST_BYTES)
        while data := await loop.sock_recv(source, CHUNK):
            if not idle.expired():
                idle.reschedule(loop.time() + self._limits.idle_s)
            await loop.sock_sendall(sink, data)
            self._bytes += len(data)
            pause = limit.take(loop.time(), len(data))
            if pause:
                await asyncio.sleep(pause)
        # The other side may still send, but not for long.
        sink.shutdown(socket.SHUT_WR)
        if not idle.expired():
            idle.reschedule(loop.time() + CLOSE_TIMEOUT_S)

    # Control connections

    async def _serve_control(self, arrived: Callable[[], object], channel: Channel) -> None:
        """Register a host, and wait until it closes the connection.

        A further message also ends the connection.
        """
        challenge = secrets.token_bytes(32)
        channel.send(encode(ProveHost(challenge)))
        host = None
        try:
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                frame = await channel.receive()
            answer = self._register(frame, challenge, channel)
            if isinstance(answer, str):
                channel.send(encode(NotRegistered(answer)))
                await channel.close()
            else:
                host = answer
                arrived()
                await channel.receive()
        except ChannelClosedError:
            pass
        finally:
            if host is not None:
                self._forget(host)

    def _register(self, frame: bytes | str, challenge: bytes, channel: Channel) -> _Host | str:
        """Register a host, confirm the registration, and return the host.

        An earlier connection of the same host is replaced. Returns the code of a refusal for the
        caller to send if the host cannot register.
        """
        try:
            register = from_host(frame) if isinstance(frame, bytes) else None
        except ValueError:
            register = None
        if register is None or register.protocol != RELAY_PROTOCOL:
            return "protocol"
        by_link = hmac.compare_digest(register.secret, self._secret)
        owner = b"" if by_link else owner_of(self._secret, register.secret, self._unix_s())
        if owner is None:
            return "secret"
        signed = what_is_signed(challenge, self._identity.certificate)
        if not is_signed_by(register.certificate, signed, register.signature):
            return "proof"
        pin = pin_of(register.certificate)
        name = server_name(pin)
        before = self._hosts.get(name)
        if before is not None:
            # The same key has signed, so this is the same host. Its old connection was lost, or
            # belongs to another of its tables.
            self._forget(before)
            before.channel.send(encode(NotRegistered("replaced")))
            asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_S, before.channel.abort)
        there = set(self._hosts.values())
        if len(there) >= self._limits.hosts:
            return "full"
        if owner and sum(each.owner == owner for each in there) >= self._limits.hosts_a_pass:
            return "full"
        prefix = server_name(register.prefix) if register.prefix else ""
        by_code = self._is_prefix_free(prefix, name)
        host = _Host(channel, (name, prefix) if by_code else (name,), owner)
        self._hosts.update(dict.fromkeys(host.names, host))
        channel.send(encode(Registered(by_code, self.pass_for(pin) if by_link else None)))
        _log.info("a host has registered; there are %d", len(there) + 1)
        return host

    def _forget(self, host: _Host) -> None:
        for each in host.names:
            if self._hosts.get(each) is host:
                del self._hosts[each]

    def _is_prefix_free(self, prefix: str, name: str) -> bool:
        """Reserve a prefix for a host; return False if it is empty or reserved for another host.

        A prefix stays reserved for an absent host. If more prefixes than the limit of hosts are
        reserved for absent hosts, the oldest becomes free.
        """
        if not prefix or self._prefixes.setdefault(prefix, name) != name:
            return False
        absent = [each for each in self._prefixes if each not in self._hosts and each != prefix]
        if len(absent) > self._limits.hosts:
            del self._prefixes[absent[0]]
        return True

    def pass_for(self, table: bytes) -> bytes:
        """Return a pass with which the players of a table can register for `EVENING_S` seconds.

        `table` is the pin of the certificate of the table's host.
        """
        return new_pass(self._secret, table, self._unix_s())


async def _exactly(source: socket.socket, number: int) -> bytes:
    """Receive and return exactly `number` bytes. Raises OSError at an early end."""
    data = b""
    while len(data) < number:
        more = await asyncio.get_running_loop().sock_recv(source, number - len(data))
        if not more:
            raise ConnectionAbortedError
        data += more
    return data
