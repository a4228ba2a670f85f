"""Keeps tests on this machine: refuses and records each connection outside loopback.

`tests/conftest.py` imports this module. Every Python process that a test starts imports it first,
since the folder is on its path. A test fails at its end if the file of `REFUSED` names a refused
connection, even if the program under test hides the refusal. Connections of uvloop are not noticed,
since it calls no method of a socket; no test lets it connect.
"""

import errno
import functools
import ipaddress
import os
import socket
from collections.abc import Callable
from typing import Any, Final, NoReturn

REFUSED: Final = "DRIFLAMME_TESTS_REFUSED"
"""The environment variable with the path of the file to which refusals are written."""

MULTICAST: Final = "DRIFLAMME_TESTS_MULTICAST"
"""The environment variable that lets a test multicast, but only on the loopback interface."""

_JOINS: Final = {
    (socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP),
    (socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP),
}
_HERE: Final = socket.inet_aton("127.0.0.1")


class LeavesLoopbackError(AssertionError):
    pass


def _may_multicast() -> bool:
    return bool(os.environ.get(MULTICAST))


def refuse(what: str) -> NoReturn:
    """Record an attempt to leave loopback in the file of `REFUSED`; raises LeavesLoopbackError."""
    path = os.environ.get(REFUSED)
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{what}\n")
    raise LeavesLoopbackError(f"No test may leave loopback: {what} is refused (tests/loopback).")


def _is_here(host: object) -> bool:
    """Return True for an address of loopback, or a name of it that needs no lookup."""
    text = host.decode() if isinstance(host, bytes | bytearray) else str(host)
    try:
        number = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text == "localhost"
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback


def _is_on_the_internet(this: socket.socket) -> bool:
    return this.family in (socket.AF_INET, socket.AF_INET6)


def _connect(this: socket.socket, address: Any) -> None:
    if _is_on_the_internet(this) and not _is_here(address[0]):
        refuse(f"a connection to {address[0]}")


def _bind(this: socket.socket, address: Any) -> None:
    # Listening for connections is harmless, but any machine could send datagrams to the socket.
    if (
        _is_on_the_internet(this)
        and this.type == socket.SOCK_DGRAM
        and not _is_here(address[0])
        and not _may_multicast()
    ):
        refuse(f"a socket for datagrams at {address[0] or 'every address'}")


def _send(this: socket.socket, address: Any) -> None:
    if not _is_on_the_internet(this) or _is_here(address[0]):
        return
    if _may_multicast() and _is_group(address[0]):
        way = this.getsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, len(_HERE))
        if way == _HERE:
            return
    if _may_multicast():
        # A test that announces a table may hear other machines on this port, and must not answer
        # them.
        raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))
    refuse(f"a datagram to {address[0]}")


def _sendto(this: socket.socket, data: object, *rest: Any) -> None:
    _send(this, rest[-1])


def _sendmsg(
    this: socket.socket,
    buffers: object,
    ancillary: object = (),
    flags: int = 0,
    address: Any = None,
) -> None:
    if address is not None:
        _send(this, address)


def _setsockopt(this: socket.socket, level: int, option: int, value: Any, *rest: Any) -> None:
    if (level, option) in _JOINS and not (
        _may_multicast() and level == socket.IPPROTO_IP and value.endswith(_HERE)
    ):
        refuse("a group of multicast")


def _getaddrinfo(host: object, *rest: Any, **options: Any) -> None:
    """Refuse to look up a name outside loopback; a name in `.invalid` is unknown at once."""
    if str(host).endswith(".invalid"):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    if host and not _is_here(host) and not _is_number(host):
        refuse(f"asking for the address of {host!r}")


def _is_number(host: object) -> bool:
    try:
        ipaddress.ip_address(str(host))
    except ValueError:
        return False
    return True


def _is_group(host: str) -> bool:
    return _is_number(host) and ipaddress.ip_address(host).is_multicast


def _guard(owner: Any, name: str, check: Callable[..., None]) -> None:
    """Replace a function of sockets by one that calls `check` before the original function."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def checked(*arguments: Any, **options: Any) -> Any:
        check(*arguments, **options)
        return original(*arguments, **options)

    setattr(owner, name, checked)


_guard(socket.socket, "connect", _connect)
_guard(socket.socket, "connect_ex", _connect)
_guard(socket.socket, "bind", _bind)
_guard(socket.socket, "sendto", _sendto)
_guard(socket.socket, "sendmsg", _sendmsg)
_guard(socket.socket, "setsockopt", _setsockopt)
_guard(socket, "getaddrinfo", _getaddrinfo)
