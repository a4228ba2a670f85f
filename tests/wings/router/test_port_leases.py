"""Tests requests to routers of any kind for open ports, including misbehaving routers."""

import asyncio
import pickle
import re
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from netcode.transport.address import Address
from netcode.wings.router import pcp, upnp
from netcode.wings.router.port_leases import Leases, WayIn, end_left
from netcode.wings.router.routers import (
    Router,
    SilenceError,
    Wish,
    linux_gateways,
    linux_gateways_6,
    shown_gateways,
)
from tests.support.programs import free_port

PAGES = Path(__file__).parent / "router"
"""The folder with the pages by which a router describes itself."""


class PretendedRouter:
    """A pretended router, which grants ports by some protocols."""

    def __init__(self, speaks: str = "", outside: str = "198.51.100.10") -> None:
        self.speaks = speaks
        """The protocols that the router speaks: some of "pcp", "nat-pmp" and "upnp"."""
        self.outside = outside
        self.mapped: dict[int, int] = {}
        """Inner ports by outer ports."""
        self.leases: list[int] = []
        """The seconds of each requested mapping."""
        self.answers: dict[str, bytes] = {}
        """Replacements for the router's answers: to each datagram under "control", or to an HTTP
        path. The latter include the HTTP head.
        """
        self.faults: dict[str, list[int]] = {}
        """By action of UPnP, the error codes of its next calls."""
        self.result = 0
        """The result code of PCP and NAT-PMP."""
        self.longest = 7_200
        """The maximum seconds that the router grants by PCP and NAT-PMP."""
        self.requests: list[str] = []
        """The requests by UPnP."""
        self.control = "/control"

    def control_answer(self, request: bytes) -> list[bytes]:
        """Return the router's answers to a datagram at the port for PCP and NAT-PMP."""
        if "control" in self.answers:
            return [self.answers["control"]] * 20
        if request[0] == 2 and "pcp" in self.speaks:
            seconds, (inner, outer) = (
                struct.unpack_from(">I", request, 4)[0],
                struct.unpack_from(">HH", request, 40),
            )
            seconds = self._map(inner, outer, seconds)
            number = ip_address(self.outside)
            raw = (bytes(10) + b"\xff\xff" if number.version == 4 else b"") + number.packed
            head = struct.pack(">BBxBII12x", 2, 0x81, self.result, seconds, 1)
            return [head + request[24:42] + struct.pack(">H", outer) + raw]
        if request[0] == 0 and "nat-pmp" in self.speaks and len(request) == 2:
            number = ip_address(self.outside)
            return [struct.pack(">BBHI4s", 0, 128, self.result, 1, number.packed)]
        if request[0] == 0 and "nat-pmp" in self.speaks:
            inner, outer, seconds = struct.unpack_from(">HHI", request, 4)
            seconds = self._map(inner, outer, seconds)
            return [struct.pack(">BBHIHHI", 0, 130, self.result, 1, inner, outer, seconds)]
        if request[0] == 2 and "nat-pmp" in self.speaks:
            return [struct.pack(">BBHI", 0, 129, 1, 1)]
        return []

    def _map(self, inner: int, outer: int, seconds: int) -> int:
        self.leases.append(seconds)
        self.mapped = {out: to for out, to in self.mapped.items() if to != inner}
        seconds = min(seconds, self.longest)
        if seconds and not self.result:
            self.mapped[outer] = inner
        return seconds

    def page(self, path: str, action: str, body: str) -> bytes:
        """Return the router's answer to an HTTP request; empty if it does not speak UPnP."""
        self.requests.append(action or path)
        if "upnp" not in self.speaks:
            return b""
        if path in self.answers:
            return self.answers[path]
        if path in ("/root.xml", "/scpd.xml"):
            return ok((PAGES / path[1:]).read_text().format(control=self.control))
        if faults := self.faults.get(action):
            return fault(faults.pop(0))
        said = dict(re.findall(r"<(New\w+)>([^<]*)<", body))
        if action == "AddPortMapping":
            self.leases.append(int(said["NewLeaseDuration"]))
            self.mapped[int(said["NewExternalPort"])] = int(said["NewInternalPort"])
        elif action == "DeletePortMapping":
            del self.mapped[int(said["NewExternalPort"])]
        result = f"<NewExternalIPAddress>{self.outside}</NewExternalIPAddress>"
        result = result if action == "GetExternalIPAddress" else ""
        return ok(soap(f'<u:{action}Response xmlns:u="x">{result}</u:{action}Response>'))

    @asynccontextmanager
    async def open(self, host: str = "127.0.0.1") -> AsyncIterator[Router]:
        """Answer on loopback, and yield the router; at an IPv6 address only PCP answers."""
        loop = asyncio.get_running_loop()
        router = self

        class Control(asyncio.DatagramProtocol):
            transport: Any = None

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                self.transport = transport

            def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
                for answer in self.answers(data):
                    self.transport.sendto(answer, addr)

            def answers(self, data: bytes) -> list[bytes]:
                return router.control_answer(data)

        class Search(Control):
            def answers(self, data: bytes) -> list[bytes]:
                if "upnp" not in router.speaks:
                    return []
                device = re.search(rb"ST:(.*)\r\n", data)
                assert device is not None
                return [
                    b"HTTP/1.1 200 OK\r\nST:%s\r\nUSN:uuid:1\r\nLOCATION: http://127.0.0.1:%d/root.xml"
                    b"\r\n\r\n" % (device[1], web.sockets[0].getsockname()[1])
                ]

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = re.search(r"(?i)content-length: (\d+)", head)
            body = (await reader.readexactly(int(length[1]))).decode() if length else ""
            action = re.search(r'(?i)soapaction: "[^#]*#(\w+)"', head)
            writer.write(self.page(head.split()[1], action[1] if action else "", body))
            writer.close()

        web = await asyncio.start_server(serve, "127.0.0.1", 0)
        here = ("127.0.0.1", 0)
        control, _ = await loop.create_datagram_endpoint(Control, local_addr=(host, 0))
        search, _ = await loop.create_datagram_endpoint(Search, local_addr=here)
        try:
            yield Router(
                host,
                host,
                control.get_extra_info("sockname")[1],
                search.get_extra_info("sockname"),
            )
        finally:
            control.close()
            search.close()
            web.close()


def ok(body: str, head: str = "HTTP/1.1 200 OK") -> bytes:
    return f"{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


def soap(body: str) -> str:
    namespace = "http://schemas.xmlsoap.org/soap/envelope/"
    return f'<s:Envelope xmlns:s="{namespace}"><s:Body>{body}</s:Body></s:Envelope>'


def fault(code: int) -> bytes:
    error = f'<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>{code}</errorCode>'
    sentence = (
        f"<s:Fault><detail>{error}<errorDescription>no</errorDescription></UPnPError></detail>"
    )
    return ok(soap(f"{sentence}</s:Fault>"), "HTTP/1.1 500 Internal Server Error")


PORT = 11_214
WISH = Wish(PORT, bytes(12))
ALL = ["pcp", "nat-pmp", "upnp"]
NOBODY_ABOVE = "Your provider or a second router is between yours and"
NO_WAY = "Your router opens no port by itself"
REFUSED = "Your router refuses to open a port"


class KeptInMemory:
    """Stores leases in memory instead of a file."""

    left: Leases = ()

    def __call__(self, change: Callable[[Leases], Leases]) -> Leases:
        self.left = change(self.left)
        return self.left


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits for silent routers, because routers answer immediately here."""
    monkeypatch.setattr(pcp, "PATIENCE_S", (0.1, 0.1))
    monkeypatch.setattr(upnp, "SEARCH_S", 0.5)


@contextmanager
def not_waiting(*, control: bool = True, upnp_too: bool = True) -> Iterator[None]:
    """Within the block, wait for no answer by these protocols."""
    with pytest.MonkeyPatch.context() as patch:
        if control:
            patch.setattr(pcp, "PATIENCE_S", (0.0, 0.0))
        if upnp_too:
            patch.setattr(upnp, "SEARCH_S", 0.0)
        yield


async def opened(
    router: PretendedRouter, then: Callable[[WayIn], None], *, times: int = 1
) -> KeptInMemory:
    """Open a way, inspect it, and close it; return the leases stored afterwards."""
    leases = KeptInMemory()
    silent = "pcp" not in router.speaks and "nat" not in router.speaks and not router.answers
    with not_waiting(control=silent, upnp_too="upnp" not in router.speaks):
        async with router.open() as where:
            way = WayIn(PORT, leases, find=lambda: (where, None))
            for _ in range(times):
                await way.open()
            then(way)
            await way.close()
    return leases


@pytest.mark.parametrize("speaks", [*ALL, "pcp nat-pmp upnp", "nat-pmp upnp"])
def test_a_port_is_let_in_for_an_hour_and_no_more_after_the_end(speaks: str) -> None:
    router = PretendedRouter(speaks)

    def look(way: WayIn) -> None:
        assert way.error is None
        assert way.addresses == (Address("198.51.100.10", PORT),)
        assert router.mapped == {PORT: PORT}

    leases = asyncio.run(opened(router, look))
    assert router.leases[0] == 3_600
    assert not router.mapped
    assert not leases.left


NOWHERE = ("192.168.0.4", "10.1.2.3", "172.16.3.4", "100.64.0.77", "0.0.0.0", "127.0.0.1")
"""Outer addresses that lead nowhere."""

REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    *((each, {"outside": outside}, NOBODY_ABOVE) for each in ALL for outside in NOWHERE),
    ("pcp", {"result": 2}, REFUSED),
    ("pcp", {"result": 8}, REFUSED),
    ("pcp", {"result": 11}, NOBODY_ABOVE),
    ("pcp", {"result": 12}, NOBODY_ABOVE),
    ("nat-pmp", {"result": 2}, REFUSED),
    ("nat-pmp", {"result": 3}, NOBODY_ABOVE),
    # In PCP this result means another error, but a router without a network has no ports either.
    ("pcp nat-pmp", {"result": 3}, NOBODY_ABOVE),
    ("pcp nat-pmp", {"result": 8}, REFUSED),
    ("pcp upnp", {"result": 8, "outside": "100.64.0.10"}, NOBODY_ABOVE),
    # The router grants a port for zero seconds, which counts as a refusal.
    *((each, {"longest": 0}, REFUSED) for each in ("pcp", "nat-pmp")),
    *(("upnp", {"faults": {"AddPortMapping": [code]}}, REFUSED) for code in (501, 606, 714, 724)),
]


@pytest.mark.parametrize(("speaks", "does", "said"), REFUSALS, ids=str)
def test_what_a_router_refuses_is_said(speaks: str, does: dict[str, Any], said: str) -> None:
    router = PretendedRouter(speaks)
    vars(router).update(does)

    def look(way: WayIn) -> None:
        _check_failure(way, said)
        assert not router.mapped

    assert not asyncio.run(opened(router, look)).left


@pytest.mark.parametrize(
    ("speaks", "result", "said"),
    [("upnp", 0, "the package async-upnp-client is missing here"), ("pcp", 2, REFUSED)],
)
def test_without_the_library_for_upnp_that_is_said_where_the_router_has_not_answered(
    speaks: str, result: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upnp, "find_spec", lambda _name: None)
    router = PretendedRouter(speaks)
    router.result = result
    asyncio.run(opened(router, lambda way: _check_failure(way, said)))


def test_a_router_that_refuses_by_pcp_is_asked_by_upnp() -> None:
    router = PretendedRouter("pcp upnp")
    router.result = 8

    def look(way: WayIn) -> None:
        assert way.addresses == (Address("198.51.100.10", PORT),)

    asyncio.run(opened(router, look))


async def test_a_router_that_floods_is_not_listened_to_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def always_there(_request: object, number: int) -> bytes:
        return bytes(number)

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_recv", always_there)
    with pytest.raises(SilenceError):
        await pcp.grant_by_control(Router("127.0.0.1", "127.0.0.1"), WISH, None)


def test_a_port_that_another_machine_has_gets_another() -> None:
    router = PretendedRouter("upnp")
    router.faults = {"AddPortMapping": [718, 718]}

    def look(way: WayIn) -> None:
        (address,) = way.addresses
        assert address.port != PORT
        assert router.mapped == {address.port: PORT}

    asyncio.run(opened(router, look))
    assert not router.mapped


def test_a_port_for_good_needs_a_second_question() -> None:
    router = PretendedRouter("upnp")
    router.faults = {"AddPortMapping": [725]}
    asyncio.run(opened(router, lambda way: _check_failure(way, "only until they are closed")))
    assert router.leases == []
    router.faults = {"AddPortMapping": [725]}
    asyncio.run(opened(router, lambda way: None, times=2))
    assert router.leases == [0]
    assert not router.mapped, "it is ended like any other"


HUGE = ok("<root>" + "x" * (1 << 20))
ENTITIES = '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]><root>&d;</root>'


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("control", b""),
        ("control", b"\x02"),
        ("control", b"\xff" * 2_000),
        ("control", bytes(4)),
        ("/root.xml", b""),
        ("/root.xml", b"\x00\xff garbage"),
        ("/root.xml", ok("no xml")),
        ("/root.xml", ok("<root/>")),
        ("/root.xml", ok("<a>" * 5_000)),
        ("/root.xml", HUGE),
        ("/root.xml", ok(ENTITIES)),
        ("/root.xml", b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"),
        ("/scpd.xml", HUGE),
        ("/scpd.xml", ok("<!doctype x><scpd/>")),
        ("/control", HUGE),
        ("/control", ok("<s:Envelope/>")),
    ],
)
def test_a_hostile_router_gets_nowhere(path: str, answer: bytes) -> None:
    router = PretendedRouter("upnp")
    router.answers = {path: answer}

    def look(way: WayIn) -> None:
        # A router that sends nonsense at one port is tried at the other, and no further.
        if path != "control":
            assert way.error is not None
            assert not way.addresses
        assert "/elsewhere" not in router.requests

    asyncio.run(opened(router, look))


def test_a_description_that_leads_to_another_machine_is_not_followed() -> None:
    router = PretendedRouter("upnp")
    router.control = "http://127.0.0.2:9/control"
    asyncio.run(opened(router, lambda way: _check_failure(way, NO_WAY)))
    assert "AddPortMapping" not in router.requests


def test_a_router_that_knows_nothing_and_no_router_are_said() -> None:
    asyncio.run(opened(PretendedRouter(), lambda way: _check_failure(way, NO_WAY)))

    async def nobody() -> None:
        way = WayIn(PORT, KeptInMemory(), find=lambda: (None, None))
        await way.open()
        _check_failure(way, NO_WAY)
        await way.close()

    asyncio.run(nobody())


@pytest.mark.parametrize(("speaks", "result"), [("", 0), ("upnp", 0), ("pcp", 2), ("pcp", 12)])
def test_why_nobody_comes_in_goes_from_one_process_to_another(speaks: str, result: int) -> None:
    router = PretendedRouter(speaks)
    router.result, router.faults = result, {"AddPortMapping": [725]}

    def look(way: WayIn) -> None:
        assert way.error is not None
        again = pickle.loads(pickle.dumps(way.error))
        assert (type(again), str(again)) == (type(way.error), str(way.error))

    asyncio.run(opened(router, look))


def _check_failure(way: WayIn, said: str) -> None:
    assert said in str(way.error)
    assert not way.addresses


class Sleeps:
    """The sleeps of ways, each of which ends at a test's command."""

    def __init__(self) -> None:
        self.asleep: list[float] = []
        self.begun = asyncio.Queue[float]()
        self._over = asyncio.Semaphore(0)

    async def __call__(self, seconds: float) -> None:
        self.asleep.append(seconds)
        self.begun.put_nowait(seconds)
        try:
            await self._over.acquire()
        finally:
            self.asleep.remove(seconds)

    async def next(self) -> float:
        """End a sleep; return the seconds of the next one."""
        self._over.release()
        return await self.begun.get()


@pytest.mark.parametrize("speaks", ALL)
async def test_a_lease_is_renewed_at_half_of_its_time_and_others_learn_of_a_new_address(
    speaks: str,
) -> None:
    router, sleeps, addresses = PretendedRouter(speaks), Sleeps(), []
    async with router.open() as where:
        way = WayIn(
            PORT,
            KeptInMemory(),
            lambda: addresses.append(way.addresses),
            find=lambda: (where, None),
            sleep=sleeps,
        )
        await way.open()
        assert await sleeps.begun.get() == await sleeps.next() == 1_800
        assert addresses == []
        router.outside = "198.51.100.77"
        assert await sleeps.next() == 1_800
        assert addresses == [(Address("198.51.100.77", PORT),)]
        # The router has lost its memory: requests become more frequent until the lease ends.
        router.speaks = ""
        with not_waiting():
            assert [await sleeps.next() for _ in range(3)] == [900, 450, 225]
            while len(addresses) < 2:
                await sleeps.next()
        assert addresses[1:] == [()]
        assert NO_WAY in str(way.error)
        # Requests continue, and the new lease replaces the first lease.
        router.speaks = speaks
        assert await sleeps.next() == 1_800
        assert way.error is None
        assert addresses[2:] == [(Address("198.51.100.77", PORT),)]
        await way.close()


async def test_whoever_opens_again_what_was_lost_has_one_lease_that_is_renewed() -> None:
    router, sleeps = PretendedRouter("pcp nat-pmp"), Sleeps()
    async with router.open() as where:
        way = WayIn(PORT, KeptInMemory(), find=lambda: (where, None), sleep=sleeps)
        await way.open()
        await sleeps.begun.get()
        router.result = 2
        with not_waiting(control=False):
            while way.addresses:
                await sleeps.next()
        assert REFUSED in str(way.error)
        router.result = 0
        await way.open()
        assert await sleeps.begun.get() == 1_800
        assert way.error is None
        assert sleeps.asleep == [1_800]
        await way.close()
        assert not sleeps.asleep


async def test_a_router_of_ipv6_does_not_say_why_nobody_comes_by_ipv4() -> None:
    by_4, by_6 = PretendedRouter("pcp"), PretendedRouter("pcp", "2001:db8::7")
    sleeps = Sleeps()
    async with by_4.open() as first, by_6.open("::1") as other:
        way = WayIn(PORT, KeptInMemory(), find=lambda: (first, other), sleep=sleeps)
        await way.open()
        assert [each.host for each in way.addresses] == ["198.51.100.10", "2001:db8::7"]
        by_6.result = 2
        while len(way.addresses) == 2:
            await sleeps.next()
        assert way.error is None
        await way.close()


async def test_what_was_left_is_ended_at_the_next_start_but_nobody_elses() -> None:
    router, leases = PretendedRouter("pcp"), KeptInMemory()
    async with router.open() as where:
        crashed = WayIn(free_port(), leases, find=lambda: (where, None))
        await crashed.open()
        listening = await asyncio.start_server(
            lambda _reader, writer: writer.close(), "127.0.0.1", 0
        )
        used = listening.sockets[0].getsockname()[1]
        other = WayIn(used, leases, find=lambda: (where, None))
        await other.open()
        # Nobody listens at the first lease's port, so that lease is ended; the second lease stays.
        assert router.mapped == {used: used}
        await end_left(leases)
        assert router.mapped == {used: used}
        # A lease of this program's own port is ended too.
        await end_left(leases, [used])
        assert not router.mapped
        listening.close()
        await crashed.close()
        await other.close()


def test_gateways_are_read_as_each_system_tells_them() -> None:
    route = (
        "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\n"
        "eth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\n"
        "eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\n"
    )
    assert list(linux_gateways(route)) == ["192.168.1.1"]
    gateway = "fe80" + "0" * 27 + "1"
    route_6 = f"{'0' * 32} 00 {'0' * 32} 00 {gateway} 00000400 00000000 00000000 00000003 eth0\n"
    assert list(linux_gateways_6(route_6)) == ["fe80::1%eth0"]
    macos = (
        "Destination        Gateway            Flags   Netif\n"
        "default            192.168.1.1        UGSc    en0\n"
        "default            fe80::1%en0        UGcg    en0\n"
        "127                127.0.0.1          UCS     lo0\n"
    )
    assert list(shown_gateways(macos)) == ["192.168.1.1", "fe80::1%en0"]
    windows = (
        "          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.20     25\n"
        "        127.0.0.0        255.0.0.0         On-link         127.0.0.1    331\n"
        " 12    281 ::/0                     fe80::1\n"
    )
    assert list(shown_gateways(windows)) == ["192.168.1.1"]
