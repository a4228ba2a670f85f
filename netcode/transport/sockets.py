"""Opens the listening sockets of a server."""

import asyncio
import errno
import os
import socket
from pathlib import Path
from typing import Final

from engine.texts import ExplainedError, Text

SOCKET_MODE: Final = 0o666
"""The mode of a unix socket. The folder decides which users can connect."""

_UNIX: Final[int] = getattr(socket, "AF_UNIX", -1)
"""The address family of unix sockets; -1 on systems without them, where no command uses it."""


class ListenError(ExplainedError):
    """Raised if a server cannot listen at its address. The error's sentence has the reason."""


async def open_tcp(bind: str | None, port: int) -> list[socket.socket]:
    """Return sockets that listen on an address or a name; None means all of IPv4 and IPv6.

    Raises ListenError if one of them cannot be opened. All sockets have the same port; port 0
    chooses a free one.
    """
    opened: list[socket.socket] = []
    try:
        loop = asyncio.get_running_loop()
        if bind is None:
            opened.append(_open_all(port))
            found = []
        else:
            try:
                found = await loop.getaddrinfo(
                    bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
                )
            except UnicodeError as error:
                # Python raises this for an invalid name. Handle it like the name of a missing
                # machine.
                raise socket.gaierror(str(error)) from error
        for family, _, _, _, address in found:
            at = (address[0], port, *address[2:])
            opened.append(socket.create_server(at, family=family))
            port = opened[0].getsockname()[1]
    except OSError as error:
        for each in opened:
            each.close()
        raise _why_not_open(error, bind, port) from error
    for each in opened:
        # Accepted sockets inherit the option; asyncio sets it only on sockets that name TCP.
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return opened


def open_unix(path: Path) -> socket.socket:
    """Return a listening socket at a path; raises ListenError if it cannot be opened there.

    A socket that a killed server left behind is replaced.
    """
    opened = socket.socket(_UNIX, socket.SOCK_STREAM)
    try:
        try:
            str(path).encode()
        except UnicodeEncodeError:
            # The path is no valid text, so it could be neither stored nor shown.
            raise OSError(errno.EILSEQ, os.strerror(errno.EILSEQ)) from None
        if _is_left_over(path):
            path.unlink()
        opened.bind(str(path))
        os.chmod(path, SOCKET_MODE)
        opened.listen()
    except OSError as error:
        opened.close()
        raise _why_not_at(error, path) from error
    return opened


def _is_left_over(path: Path) -> bool:
    """Return True if a path is a socket at which no program listens."""
    if not path.is_socket():
        return False
    with socket.socket(_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
    return False


def _why_not_at(error: OSError, path: Path) -> ListenError:
    template: Text = "A table cannot be opened at {path}: {why}. Choose another path."
    if error.errno == errno.EADDRINUSE:
        template = "There is something at {path} already: choose another path for the socket."
    return ListenError(template, path=str(path), why=error.strerror or str(error))


def _open_all(port: int) -> socket.socket:
    """Return a socket that listens at every address of this machine.

    Raises OSError if the port cannot be used.
    """
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError as error:
            # IPv6 may be switched off. Then use IPv4 alone.
            if error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                raise
    return socket.create_server(("", port))


def _why_not_open(error: OSError, bind: str | None, port: int) -> ListenError:
    no_address = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
    template: Text = "Cannot listen on port {port}: {why}. Try driflamme doctor."
    if error.errno == errno.EADDRINUSE:
        template = (
            "Port {port} is in use, perhaps by another table: choose another with --port, or let "
            "--port 0 find a free one."
        )
    elif error.errno == errno.EACCES and port < 1024:
        template = "Port {port} needs administrator rights: choose one above 1023."
    elif bind is not None and no_address:
        template = (
            "This machine has no address {address}: driflamme doctor lists those that it has."
        )
    why = error.strerror or str(error)
    return ListenError(template, port=port, address=bind or "", why=why)


def host_of(address: object) -> str:
    """Return the host of a socket's address; "" for a unix socket.

    A link-local IPv6 address gets its zone.

    >>> host_of(("192.0.2.7", 4000)), host_of(("fe80::7", 4000, 0, 3)), host_of("")
    ('192.0.2.7', 'fe80::7%3', '')
    """
    if not isinstance(address, tuple):
        return ""
    host, zone = str(address[0]), address[3] if len(address) == 4 else 0
    return f"{host}%{zone}" if zone and "%" not in host else host
