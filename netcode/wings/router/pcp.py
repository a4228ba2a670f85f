"""Requests a TCP port from a router by PCP (RFC 6887), or else by NAT-PMP (RFC 6886).

Both protocols use short datagrams to the router's port 5351. Only datagrams from that port are
read, and at most 1,100 bytes of each.
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
    ROUTER_REFUSAL,
    Lease,
    OutsideError,
    Router,
    SilenceError,
    Wish,
    scope_of,
    usable,
)

PATIENCE_S: Final = (0.25, 0.5)
"""Seconds to wait for an answer after each attempt. Routers are near, so short waits are enough."""

LONGEST_ANSWER: Final = 1_100
"""Maximum bytes of a PCP answer."""

MOST_ANSWERS: Final = 32
"""Maximum number of datagrams that are read after each attempt."""

_PCP, _NAT_PMP = 2, 0
_MAP, _ADDRESS, _MAP_TCP = 1, 0, 2
_TCP: Final = 6
_ANSWER: Final = 0x80

_HEADER: Final = struct.Struct(">BBHI16s")
"""The header of a PCP request: version, operation, reserved, lifetime, own address."""
_ANSWER_HEADER: Final = struct.Struct(">BBxBI16x")
"""The header of a PCP answer: version, operation, result, lifetime, age of the router's table
(skipped).
"""
_MAPPING: Final = struct.Struct(">12sB3xHH16s")
"""The mapping in PCP: nonce, protocol, internal and external port, external address."""
_LONG_ENOUGH: Final = _ANSWER_HEADER.size + _MAPPING.size

_NO_ADDRESS: Final = frozenset({7, 11, 12})
"""Results of PCP without a usable external address: no network, no such address, or a router behind
another.
"""


async def grant_by_control(router: Router, wish: Wish, lease: Lease | None) -> Lease:
    """Request a lease by PCP or NAT-PMP, or renew `lease`.

    Raises OutsideError if the router does not answer or refuses, or has no public address.
    """
    granted = await _ask(router, wish, lease, LEASE_S)
    if granted.outside.port and usable(granted.outside.host):
        return granted
    # Nobody could reach the external address, so end the lease.
    await end_by_control(granted)
    raise OutsideError(NO_ADDRESS)


async def end_by_control(lease: Lease) -> None:
    """End a lease by PCP or NAT-PMP. Raises OutsideError if the router is silent or refuses."""
    await _ask(lease.router, Wish(lease.port, lease.nonce), lease, 0)


async def _ask(router: Router, wish: Wish, lease: Lease | None, seconds: int) -> Lease:
    """Request a mapping for `seconds` and return it as a lease; 0 ends the mapping.

    Raises OutsideError, and its subclass SilenceError if there is no answer.
    """
    own = ip_address(router.own)
    outer = wish.port if lease is None else lease.outside.port
    anywhere = IPv4Address(0) if own.version == 4 else IPv6Address(0)
    where = anywhere if lease is None else ip_address(lease.outside.host)
    header = _HEADER.pack(_PCP, _MAP, 0, seconds, _bytes(own))
    by_pcp = header + _MAPPING.pack(wish.nonce, _TCP, wish.port, outer, _bytes(where))

    def is_answer(answer: bytes) -> bool:
        if answer[:1] == bytes([_NAT_PMP]):
            return own.version == 4 and _is_older(_ADDRESS, 12)(answer)
        mine = answer[_ANSWER_HEADER.size :][:13] == wish.nonce + bytes([_TCP])
        return answer[:2] == bytes([_PCP, _ANSWER | _MAP]) and len(answer) >= _LONG_ENOUGH and mine

    # Send the PCP request first: a router that supports both protocols then answers it first.
    older = [bytes([_NAT_PMP, _ADDRESS])] if own.version == 4 else []
    reply = await _answer(router, [by_pcp, *older], is_answer)
    if reply[0] == _PCP:
        _version, _operation, result, lifetime = _ANSWER_HEADER.unpack_from(reply)
        _nonce, _protocol, inner, given, raw = _MAPPING.unpack_from(reply, _ANSWER_HEADER.size)
        number = IPv6Address(raw)
        host = str(number.ipv4_mapped or number)
        if result in _NO_ADDRESS:
            raise OutsideError(NO_ADDRESS)
        if result and older and seconds:
            # PCP was refused. NAT-PMP may give the better reason: that there is another router.
            with suppress(SilenceError):
                _check(await _answer(router, older, _is_older(_ADDRESS, 12)))
    else:
        host = _check(reply) if seconds else ""
        request = struct.pack(
            ">BBxxHHI", _NAT_PMP, _MAP_TCP, wish.port, outer if seconds else 0, seconds
        )
        reply = await _answer(router, [request], _is_older(_MAP_TCP, 16))
        result, (inner, given, lifetime) = 0, struct.unpack_from(">HHI", reply, 8)
    # A router refuses a port with a result code other than 0, or with a lifetime of 0 seconds. Here
    # `result` is always 0 for NAT-PMP, whose result code `_answer` has already checked.
    if result or inner != wish.port or (seconds and not lifetime):
        raise OutsideError(ROUTER_REFUSAL)
    return Lease("control", router, wish.port, Address(host, given), lifetime, wish.nonce)


def _check(answer: bytes) -> str:
    """Return the external address in a NAT-PMP answer.

    Raises OutsideError if nobody could reach it.
    """
    host = str(IPv4Address(answer[8:12]))
    if not usable(host):
        raise OutsideError(NO_ADDRESS)
    return host


def _is_older(operation: int, length: int) -> Callable[[bytes], bool]:
    """Return a function that recognizes the NAT-PMP answers to an operation.

    The function returns False for other datagrams, and raises OutsideError for a refusal.
    """

    def is_answer(answer: bytes) -> bool:
        if len(answer) < 4 or answer[0] != _NAT_PMP or answer[1] != _ANSWER | operation:
            return False
        if result := int.from_bytes(answer[2:4], "big"):
            raise OutsideError(NO_ADDRESS if result == 3 else ROUTER_REFUSAL)
        return len(answer) >= length

    return is_answer


async def _answer(
    router: Router, requests: list[bytes], is_answer: Callable[[bytes], bool]
) -> bytes:
    """Send requests, and return the router's first datagram for which `is_answer` returns True.

    Raises SilenceError if there is none, and the errors of `is_answer`.
    """
    loop, is_6 = asyncio.get_running_loop(), ":" in router.address
    scope = (0, scope_of(router.address)) if is_6 else ()
    try:
        with socket.socket(socket.AF_INET6 if is_6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.setblocking(False)
            probe.bind((router.own, 0))
            # A connected UDP socket receives only datagrams of its peer.
            probe.connect((router.address.partition("%")[0], router.control_port, *scope))
            for patience in PATIENCE_S:
                for request in requests:
                    await loop.sock_sendall(probe, request)
                try:
                    async with asyncio.timeout(patience):
                        for _ in range(MOST_ANSWERS):
                            if is_answer(answer := await loop.sock_recv(probe, LONGEST_ANSWER)):
                                return answer
                except TimeoutError:
                    continue
    except OSError:
        # The router's port is closed, or there is no route. Treat both as silence.
        pass
    raise SilenceError(NO_WAY)


def _bytes(number: IPv4Address | IPv6Address) -> bytes:
    return (bytes(10) + b"\xff\xff" if number.version == 4 else b"") + number.packed
