"""Opens connections to tables by link, address or path, and explains failures.

This module sends no message.
"""

import asyncio
import socket
import ssl
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct
from websockets.exceptions import InvalidMessage, WebSocketException

from engine.texts import Text
from netcode.client.connection import Connect, ConnectError
from netcode.joining.invitation import Invitation
from netcode.protocol.codec import FROM_HOST
from netcode.transport.address import Address, is_inside
from netcode.transport.certificate import WrongCertificateError, client_context, server_name
from netcode.transport.channel import Channel
from netcode.transport.sockets import host_of
from netcode.transport.websocket import open_websocket

CONNECT_TIMEOUT_S: Final = 10.0
"""Seconds to wait for a table's answer: long for a network, and short for a person who waits."""

RELAY_AFTER_S: Final = 1.0
"""Seconds before a relay is tried. By then, a host that can answer directly has answered."""

_NOBODY_INSIDE: Final[Text] = (
    "No table answers at {address}, an address on the host's own network. Is the table still"
    " open? If you are elsewhere, ask the host to press x in the lobby and to send the new"
    " link."
)

_ANOTHER_INSIDE: Final[Text] = (
    "The machine that answers at {address} is not the host of this invitation. This "
    "address is on the host's own network: if you are there, ask for a new link, as "
    "the host has a new certificate or somebody is intercepting the connection; if you "
    "are elsewhere, ask the host to press x in the lobby."
)

_NAME: Final = "driflamme"
"""The server name in the TLS hello for tables that are reached without a relay."""


_NO_SUCH_HOST: Final = "UNRECOGNIZED_NAME"
"""OpenSSL's name of the alert by which a relay reports that it does not know the host."""


class Plain(Struct, frozen=True):
    """A table without encryption: on this machine, or behind a trusted tunnel."""

    address: Address


class Unix(Struct, frozen=True):
    """A table at a unix socket of this machine."""

    path: Path


Target: TypeAlias = Invitation | Plain | Unix
"""The place of a table to which `connector` can connect."""


def connector(target: Target, *, timeout: float = CONNECT_TIMEOUT_S) -> Connect:
    """Return a function that connects to a target within `timeout` seconds, or raises ConnectError.

    A server without the certificate of the invitation receives no data.
    """
    match target:
        case Invitation():
            return reaching(target.pin, target.addresses, target.indirect, timeout)
        case Plain():
            return partial(connect_tcp, target.address, None, timeout)
        case Unix():
            return partial(_connect_unix, target.path, timeout)


def reaching(
    pin: bytes, addresses: Iterable[Address], indirect: Iterable[Address], timeout: float
) -> Connect:
    """Return a function that connects to the owner of a pin, directly or through a relay.

    `indirect` are the addresses of relays, which are tried later. The returned function raises
    ConnectError if no attempt succeeds; each attempt ends after `timeout` seconds.
    """
    context, meant = client_context(pin), server_name(pin)
    first, later = (
        [partial(connect_tcp, address, context, timeout, meant) for address in each]
        for each in (addresses, indirect)
    )
    return partial(connect_first, first, later)


async def connect_first(ways: Sequence[Connect], later: Sequence[Connect] = ()) -> Channel:
    """Return the first connection that succeeds; raises ConnectError if all fail.

    All `ways` are tried at once. Those in `later` are tried after a second, or when all others have
    failed.
    """
    tasks = [asyncio.ensure_future(way()) for way in ways]
    first = tuple(tasks)

    async def afterwards(way: Connect) -> Channel:
        if first:
            await asyncio.wait(first, timeout=RELAY_AFTER_S)
        return await way()

    tasks += [asyncio.ensure_future(afterwards(way)) for way in later]
    reached: Channel | None = None

    def hang_up(task: asyncio.Future[Channel]) -> None:
        # Several connections may succeed at the same time: close all but the first.
        if not task.cancelled() and not task.exception() and task.result() is not reached:
            task.result().abort()

    try:
        for answer in asyncio.as_completed(tasks):
            with suppress(ConnectError):
                reached = await answer
                return reached
    finally:
        for task in tasks:
            task.cancel()
            task.add_done_callback(hang_up)
    raise _none_of([task.exception() for task in tasks])


def _none_of(errors: Sequence[BaseException | None]) -> ConnectError:
    """Return the error for a table that can be reached at no address.

    If all attempts failed for the same reason, it is the first error.
    """
    reasons = [error for error in errors if isinstance(error, ConnectError)]
    if len({error.template for error in reasons}) == 1:
        return reasons[0]
    return ConnectError(
        "The table answers at none of its addresses. Ask the host whether it is still open, and"
        " whether its lobby says that friends elsewhere can join."
    )


async def connect_tcp(
    address: Address,
    context: ssl.SSLContext | None,
    timeout: float = CONNECT_TIMEOUT_S,
    meant: str = _NAME,
) -> Channel:
    """Connect to an address, with TLS if there is a context; raises ConnectError if that fails.

    The server name `meant` names the host to which a relay must forward. Looking up a host name and
    connecting may each take `timeout` seconds. If a host name has several IP addresses, this
    function tries them itself: asyncio's own attempts leak a socket when they are cancelled.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(timeout):
            infos = await loop.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (socket.gaierror, ValueError):
        raise ConnectError(
            "There is no machine called {host}: check the address.", host=address.host
        ) from None
    except TimeoutError as error:
        raise _failed(str(address), error) from None
    numbers = dict.fromkeys(host_of(at) for _family, _kind, _protocol, _name, at in infos)
    ways = [partial(_connect_number, each, address, context, timeout, meant) for each in numbers]
    return await connect_first(ways)


async def _connect_number(
    number: str, address: Address, context: ssl.SSLContext | None, timeout: float, meant: str
) -> Channel:
    """Connect to one IP address of `address`; raises ConnectError if that fails."""
    where = str(address)
    inside = context is not None and is_inside(address.host)
    encrypted = {} if context is None else {"server_hostname": meant}
    connect = partial(
        asyncio.get_running_loop().create_connection,
        host=number,
        port=address.port,
        ssl=context,
        **encrypted,
    )
    try:
        return await open_websocket(connect, timeout=timeout, maximum_frame_bytes=FROM_HOST)
    except WrongCertificateError:
        if inside:
            raise ConnectError(_ANOTHER_INSIDE, address=where) from None
        raise ConnectError(
            "The machine that answers at {address} is not the host of this invitation: "
            "the host has a new certificate, or somebody is intercepting the "
            "connection. Ask the host for a new link.",
            address=where,
        ) from None
    except TimeoutError:
        if inside:
            raise ConnectError(_NOBODY_INSIDE, address=where) from None
        raise ConnectError(
            "{address} does not answer: check the address, and ask the host to try driflamme "
            "doctor, since a firewall may block it.",
            address=where,
        ) from None
    except (OSError, WebSocketException, ValueError) as error:
        if isinstance(error, ssl.SSLError) and _NO_SUCH_HOST in (error.reason or ""):
            raise ConnectError(
                "The machine at {address} does not have that table now: ask the host whether "
                "it is still open.",
                address=where,
            ) from None
        cut_off = isinstance(error, InvalidMessage) and isinstance(error.__cause__, EOFError)
        if cut_off or isinstance(error, ssl.SSLError | ConnectionResetError):
            raise _hung_up(where, encrypted=context is not None) from None
        if inside and isinstance(error, OSError):
            raise ConnectError(_NOBODY_INSIDE, address=where) from None
        raise _failed(where, error) from None


def _hung_up(where: str, encrypted: bool) -> ConnectError:
    """Return the error for a server that closed the connection at the first message.

    A server with TLS does so if the client uses no TLS.
    """
    template: Text = (
        "A program answers at {address}, but not as an unencrypted Driflamme table: omit"
        " --insecure and join with the host's link or code."
    )
    if encrypted:
        template = (
            "Something other than the host answers at {address}: links and codes "
            "belong to encrypted tables only. Try another network, or ask the host for "
            "a new link."
        )
    return ConnectError(template, address=where)


async def _connect_unix(path: Path, timeout: float) -> Channel:
    where = str(path)
    try:
        connect = partial(asyncio.get_running_loop().create_unix_connection, path=where)
        return await open_websocket(connect, timeout=timeout, maximum_frame_bytes=FROM_HOST)
    except TimeoutError:
        raise ConnectError(
            "No table answers at {path}: ask the host whether it is still open.", path=where
        ) from None
    except (OSError, WebSocketException, ValueError) as error:
        raise _failed(where, error) from None


def _failed(where: str, error: OSError | WebSocketException | ValueError) -> ConnectError:
    """Return the error for a failed connection to an address or path."""
    if not isinstance(error, OSError):
        template: Text = (
            "A program answers at {address}, but it is not a Driflamme table: check the "
            "address and the port."
        )
    elif isinstance(error, ConnectionRefusedError | FileNotFoundError):
        template = "No table is open at {address}: ask the host for the exact command."
    else:
        template = (
            "{address} cannot be reached from here: check the address, and whether this machine "
            "is online."
        )
    return ConnectError(template, address=where)
