"""Asks a router by PCP (RFC 6887), or else by NAT-PMP (RFC 6886), to let a TCP port in.

Both are datagrams of a few dozen bytes to the router's port 5351. Only what comes from there is
read, and no more than 1,100 bytes of it.
"""

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from netcode.transport.address import Address
from netcode.wings.router.routers import (
    LEASE_S,
    NO_ADDRESS,
    NO_WAY,
    REFUSED,
    Lease,
    OutsideError,
    Router,
    SilenceError,
    Wish,
    scope_of,
    usable,
)

PATIENCE_S: Final = (0.25, 0.5)
"""Seconds to wait for an answer after each time of asking: a router is in the next room."""

LONGEST_ANSWER: Final = 1_100
"""The most bytes that PCP lets an answer have."""

MOST_ANSWERS: Final = 32
"""The most datagrams that are looked at after each time of asking, however many come."""

_PCP, _NAT_PMP = 2, 0
_MAP, _ADDRESS, _MAP_TCP = 1, 0, 2
_TCP: Final = 6
_ANSWER: Final = 0x80

_HEADER: Final = struct.Struct(">BBHI16s")
"""Of a request of PCP: version, operation, reserved, lifetime, own address."""
_ANSWER_HEADER: Final = struct.Struct(">BBxBI16x")
"""Of an answer: version, operation, result, lifetime, and the age of the router's table."""
_MAPPING: Final = struct.Struct(">12sB3xHH16s")
"""Nonce, protocol, inner and outer port, outer address."""
_LONG_ENOUGH: Final = _ANSWER_HEADER.size + _MAPPING.size

_NO_ADDRESS: Final = frozenset({7, 11, 12})
"""Results of PCP: the router has no network, cannot provide an outer address, or another one
stands between it and this machine."""


async def grant_by_control(router: Router, wish: Wish, lease: Lease | None) -> Lease:
    """Have a port let in for a while, or a lease renewed; raises OutsideError."""
    granted = await _ask(router, wish, lease, LEASE_S)
    if granted.outside.port and usable(granted.outside.host):
        return granted
    # It leads nowhere.
    await end_by_control(granted)
    raise OutsideError(NO_ADDRESS)


async def end_by_control(lease: Lease) -> None:
    """Have a port let in no more; raises OutsideError."""
    await _ask(lease.router, Wish(lease.port, lease.nonce), lease, 0)


async def _ask(router: Router, wish: Wish, lease: Lease | None, seconds: int) -> Lease:
    """Ask for a mapping, for so many seconds; raises SilenceError if there is no answer."""
    own = ip_address(router.own)
    outer = wish.port if lease is None else lease.outside.port
    anywhere = IPv4Address(0) if own.version == 4 else IPv6Address(0)
    where = anywhere if lease is None else ip_address(lease.outside.host)
    header = _HEADER.pack(_PCP, _MAP, 0, seconds, _bytes(own))
    by_pcp = header + _MAPPING.pack(wish.nonce, _TCP, wish.port, outer, _bytes(where))

    def is_answer(told: bytes) -> bool:
        if told[:1] == bytes([_NAT_PMP]):
            return own.version == 4 and _is_older(_ADDRESS, 12)(told)
        mine = told[_ANSWER_HEADER.size :][:13] == wish.nonce + bytes([_TCP])
        return told[:2] == bytes([_PCP, _ANSWER | _MAP]) and len(told) >= _LONG_ENOUGH and mine

    # Who knows PCP answers that first.
    older = [bytes([_NAT_PMP, _ADDRESS])] if own.version == 4 else []
    told = await _answer(router, [by_pcp, *older], is_answer)
    if told[0] == _PCP:
        _version, _operation, result, lifetime = _ANSWER_HEADER.unpack_from(told)
        _nonce, _protocol, inner, given, raw = _MAPPING.unpack_from(told, _ANSWER_HEADER.size)
        number = IPv6Address(raw)
        host = str(number.ipv4_mapped or number)
        if result in _NO_ADDRESS:
            raise OutsideError(NO_ADDRESS)
        if result and older and seconds:
            # Where another router is above it, it may only say that it cannot.
            with suppress(SilenceError):
                _check(await _answer(router, older, _is_older(_ADDRESS, 12)))
    else:
        host = _check(told) if seconds else ""
        request = struct.pack(
            ">BBxxHHI", _NAT_PMP, _MAP_TCP, wish.port, outer if seconds else 0, seconds
        )
        told = await _answer(router, [request], _is_older(_MAP_TCP, 16))
        result, (inner, given, lifetime) = 0, struct.unpack_from(">HHI", told, 8)
    # For no time at all it is as good as refused.
    if result or inner != wish.port or (seconds and not lifetime):
        raise OutsideError(REFUSED)
    return Lease("control", router, wish.port, Address(host, given), lifetime, wish.nonce)


def _check(told: bytes) -> str:
    """Return the address outside that NAT-PMP tells of; raises OutsideError if it is of no use."""
    host = str(IPv4Address(told[8:12]))
    if not usable(host):
        raise OutsideError(NO_ADDRESS)
    return host


def _is_older(operation: int, length: int) -> Callable[[bytes], bool]:
    """Return what takes the answer of NAT-PMP to an operation, and raises OutsideError."""

    def is_answer(told: bytes) -> bool:
        if len(told) < 4 or told[0] != _NAT_PMP or told[1] != _ANSWER | operation:
            return False
        if result := int.from_bytes(told[2:4], "big"):
            raise OutsideError(NO_ADDRESS if result == 3 else REFUSED)
        return len(told) >= length

    return is_answer


async def _answer(
    router: Router, requests: list[bytes], is_answer: Callable[[bytes], bool]
) -> bytes:
    """Return what a router answers; raises SilenceError."""
    loop, is_6 = asyncio.get_running_loop(), ":" in router.address
    scope = (0, scope_of(router.address)) if is_6 else ()
    try:
        with socket.socket(socket.AF_INET6 if is_6 else socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.setblocking(False)
            asked.bind((router.own, 0))
            # From nobody else does a connected socket take anything.
            asked.connect((router.address.partition("%")[0], router.control_port, *scope))
            for patience in PATIENCE_S:
                for request in requests:
                    await loop.sock_sendall(asked, request)
                try:
                    async with asyncio.timeout(patience):
                        for _ in range(MOST_ANSWERS):
                            if is_answer(told := await loop.sock_recv(asked, LONGEST_ANSWER)):
                                return told
                except TimeoutError:
                    continue
    except OSError:
        # Nobody listens there, or there is no way.
        pass
    raise SilenceError(NO_WAY)


def _bytes(number: IPv4Address | IPv6Address) -> bytes:
    return (bytes(10) + b"\xff\xff" if number.version == 4 else b"") + number.packed
