"""Tests announcements of tables on the local network, and their acceptance by a client."""

import asyncio
import errno
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_interface
from types import SimpleNamespace
from typing import Any, cast

import pytest
import zeroconf
import zeroconf.asyncio
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from zeroconf import ServiceInfo, ServiceStateChange
from zeroconf.asyncio import AsyncZeroconf

from netcode.joining import discovery
from netcode.joining.discovery import (
    MAXIMUM_ADDRESSES,
    MAXIMUM_AT_ONE_ADDRESS,
    MAXIMUM_FOUND,
    SERVICE_TYPE,
    Announcement,
    DiscoveryError,
    FoundTable,
    announce,
    browsing,
    find_tables,
    open_zeroconf,
    read_table,
)
from netcode.protocol.messages import PROTOCOL
from netcode.transport.address import Address
from netcode.transport.certificate import PIN_BYTES
from netcode.transport.machine_addresses import Interface

LAN = "192.168.1.20"
ROSALIND = Announcement("Rosalind", "K7Q", 11214, (LAN,))
SAID: dict[bytes, bytes | None] = {b"v": b"2", b"prefix": b"K7Q", b"host": b"Rosalind"}


sleep = asyncio.sleep


def test_a_table_tells_its_host_its_room_its_seats_its_protocol_and_nothing_else() -> None:
    assert ROSALIND.properties() == {
        "v": str(PROTOCOL),
        "prefix": "K7Q",
        "host": "Rosalind",
        "seats": "0/5",
        "phase": "lobby",
    }
    marked = structs.replace(ROSALIND, pin=bytes(PIN_BYTES)).properties()
    assert marked.keys() - ROSALIND.properties().keys() == {"at", "mark"}
    assert marked["at"] == LAN
    hidden = Announcement("", "", 11214, (LAN,), pin=bytes(PIN_BYTES)).properties()
    assert hidden.keys() == {"v", "at", "mark"}
    as_read = {name.encode(): str(value).encode() for name, value in hidden.items()}
    assert read_table(as_read, [LAN], 11214) is None, "only holders of the link find this place"
    playing = Announcement("Rosalind", "K7Q", 11214, (LAN,), 3, 5, playing=True)
    properties = playing.properties()
    assert (properties["seats"], properties["phase"]) == ("3/5", "game")


@pytest.mark.parametrize(
    ("listens", "sentences"),
    [
        ((LAN,), [LAN]),
        ((LAN, "fd00::20"), [LAN, "fd00::20"]),
        (("127.0.0.1", "::1"), []),
        (("127.0.0.1", LAN), [LAN]),
        (("fe80::20",), []),
        (("fe80::20%eth0",), ["fe80::20%eth0"]),
        ((), []),
    ],
)
def test_a_table_tells_of_addresses_that_others_can_reach(
    listens: tuple[str, ...], sentences: list[str]
) -> None:
    assert Announcement("Rosalind", "K7Q", 11214, listens).addresses() == sentences


@pytest.mark.parametrize("listens", [("::",), ("0.0.0.0",), ("127.0.0.1", "::")])
def test_who_listens_everywhere_tells_of_the_best_way_first_and_of_all_others(
    listens: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ["127.0.0.1/8", f"{LAN}/24", "10.8.0.2/24", "fe80::1/64", "fd00::20/64"]
    monkeypatch.setattr(discovery, "machine_numbers", lambda: ["10.8.0.2"])
    monkeypatch.setattr(
        discovery, "machine_interfaces", lambda: [ip_interface(each) for each in own]
    )
    announcement = Announcement("Rosalind", "K7Q", 11214, listens)
    assert announcement.addresses() == ["10.8.0.2", LAN, "fd00::20"]


def test_a_machine_with_very_many_addresses_tells_of_some(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [ip_interface(f"10.0.{number}.1/24") for number in range(100)]
    monkeypatch.setattr(discovery, "machine_interfaces", lambda: own)
    addresses = Announcement("Rosalind", "K7Q", 11214, ("::",)).addresses()
    assert len(addresses) == MAXIMUM_ADDRESSES


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, {}),
        ({b"seats": b"3/5", b"phase": b"lobby"}, {"taken": 3, "places": 5}),
        ({b"seats": b"5/5"}, {"taken": 5, "places": 5, "is_free": False}),
        ({b"seats": b"3/5", b"phase": b"game"}, {"playing": True, "is_free": False}),
        ({b"seats": b"9/2"}, {"taken": 2, "places": 2, "is_free": False}),
        ({b"seats": b"33/5", b"phase": b"GAME"}, {"taken": 0, "places": 0, "playing": False}),
        # Control sequences of terminals, and invalid UTF-8.
        ({b"host": b" \x1b[2JRosa\x00lind\r\n\xe2\x80\xae"}, {"name": "[2JRosalind"}),
        ({b"host": b"Rosa\xfflind"}, {"name": "Rosa\ufffdlind"}),
        # Another version, which cannot be joined.
        *(({b"v": b"%d" % each}, {"protocol": each}) for each in (1, PROTOCOL + 1, 65_535)),
    ],
    ids=str,
)
def test_what_an_announcement_says_of_its_table_is_shown(
    change: dict[bytes, bytes], found: dict[str, object]
) -> None:
    table = read_table(SAID | change, [LAN], 11214)
    assert table is not None
    expected = {
        "name": "Rosalind",
        "prefix": "K7Q",
        "address": Address(LAN),
        "is_free": True,
    } | found
    assert {each: getattr(table, each) for each in expected} == expected


NO_TABLES: list[tuple[dict[bytes, bytes | None], int | None]] = [
    *(({}, port) for port in (None, 0, -1, 65_536)),
    *(
        ({b"host": each}, 1)
        for each in (b"", b"\x1b\x07", b"R" * 21, b"\xe2\xa0\x80", b"a  b", None)
    ),
    *(({b"prefix": each}, 1) for each in (b"K7", b"K7Q-F2MXR", b"k7q", b"K7U", None)),
    *(({b"v": each}, 1) for each in (b"", b"0", b"-1", b"2.0", b"999999", b"\xd9\xa2", None)),
]


@pytest.mark.parametrize(("change", "port"), NO_TABLES, ids=str)
def test_an_announcement_that_makes_no_sense_is_no_table(
    change: dict[bytes, bytes | None], port: int | None
) -> None:
    assert read_table(SAID | change, [LAN], port) is None
    without = {key: it for key, it in SAID.items() if key not in change}
    assert not change or read_table(without, [LAN], port) is None


OWN = [ip_interface(each) for each in ("192.168.1.5/24", "172.17.0.1/16", "fd00::5/64")]


@pytest.mark.parametrize(
    ("own", "addresses", "chosen"),
    [
        ([], [LAN, "fd00::20"], LAN),
        ([], ["fe80::20%3"], "fe80::20%3"),
        ([], ["fe80::20", LAN], LAN),
        ([], ["127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.251", "ff02::fb", LAN], LAN),
        ([], ["255.255.255.255", "no address", "", LAN], LAN),
        *(([], nowhere, None) for nowhere in (["fe80::20"], ["127.0.0.1"], ["no address"], [])),
        # An address of the local network is preferred to an address of a tunnel or a container.
        (OWN, ["10.8.0.2", LAN], LAN),
        (OWN, ["172.17.0.1", LAN], LAN),
        (OWN, ["10.8.0.2", "fd00::20"], "fd00::20"),
        (OWN, ["10.8.0.2", "172.17.0.1"], "10.8.0.2"),
        (OWN, ["192.168.1.5", "10.8.0.2"], "192.168.1.5"),
    ],
)
def test_of_addresses_that_mean_one_machine_a_neighbours_or_the_first_is_taken(
    own: Sequence[Interface], addresses: list[str], chosen: str | None
) -> None:
    table = read_table(SAID, addresses, 11214, own)
    assert (table and table.address.host) == chosen


texts = st.text(max_size=30).map(str.encode) | st.binary(max_size=255) | st.none()


@given(
    st.dictionaries(st.sampled_from([b"v", b"prefix", b"host", b"else"]), texts)
    | st.fixed_dictionaries({b"v": st.just(b"2"), b"prefix": st.just(b"K7Q"), b"host": texts}),
    st.lists(st.ip_addresses().map(str) | st.text(max_size=20), max_size=4),
    st.none() | st.integers(-1, 70_000),
)
def test_whatever_is_said_a_table_is_fit_to_be_shown(
    properties: dict[bytes, bytes | None], addresses: list[str], port: int | None
) -> None:
    table = read_table(properties, addresses, port)
    if table is not None:
        assert table.name.isprintable()
        assert 1 <= len(table.name) <= 20
        assert len(table.prefix) == 3
        assert 1 <= table.address.port <= 65_535
        assert table.address.host in map(str, map(discovery._number, addresses))


class FakeZeroconf:
    """A replacement for zeroconf that records calls, and can fail."""

    def __init__(self, patch: pytest.MonkeyPatch, error: BaseException | None = None) -> None:
        patch.setattr(discovery, "open_zeroconf", self.open)
        self.forgotten: list[str] = []
        """The names whose stored answers were dropped."""
        cache = SimpleNamespace(
            async_entries_with_name=lambda name: {name: name},
            async_remove_records=self.forgotten.extend,
        )
        self.zeroconf = SimpleNamespace(cache=cache)
        self.error = error
        self.stumbles: list[Exception] = []
        self.interfaces: list[Sequence[str] | None] = []
        self.services: list[ServiceInfo] = []
        self.closed = 0
        self.announcing: list[asyncio.Task[None]] = []

    async def open(self, interfaces: Sequence[str] | None) -> AsyncZeroconf:
        self.interfaces.append(interfaces)
        return cast(AsyncZeroconf, self)

    async def async_register_service(
        self, info: ServiceInfo, cooperating_responders: bool
    ) -> Awaitable[None]:
        if self.error is not None:
            raise self.error
        return await self.async_update_service(info)

    async def async_update_service(self, info: ServiceInfo) -> Awaitable[None]:
        # The first call succeeds; later calls raise the errors until none is left.
        if self.stumbles and len(self.services) % 4:
            raise self.stumbles.pop()
        self.services.append(info)
        self.announcing.append(asyncio.create_task(asyncio.sleep(3600)))
        return self.announcing[-1]

    async def async_close(self) -> None:
        self.closed += 1


@asynccontextmanager
async def announced(*tables: Announcement) -> AsyncIterator[list[Announcement]]:
    """Announce these tables one after the other; yield the tables that are left.

    Each time that the announcer looks at its table, it gets the next one. The last one stays.
    """
    ahead = list(tables)
    task = asyncio.create_task(announce(lambda: ahead.pop(0) if len(ahead) > 1 else ahead[0]))
    await sleep(0)
    try:
        yield ahead
    finally:
        task.cancel()
        await asyncio.wait([task])


def seated(number: int) -> Announcement:
    return Announcement("Rosalind", "K7Q", 11214, (LAN,), number)


async def test_a_table_is_told_of_as_it_is_whatever_the_library_stumbles_over_and_taken_leave_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(discovery, "FOLLOW_S", 0)
    fake = FakeZeroconf(monkeypatch)
    for evening in (1, 2):
        fake.stumbles = [OSError("network is unreachable"), zeroconf.NotRunningException()]
        async with announced(*map(seated, (0, 1, 1, 1, 2, 2, 3))):
            while len(fake.services) < 4 * evening:
                await sleep(0)
    assert all(task.cancelled() for task in fake.announcing)
    assert (fake.interfaces, fake.closed) == ([[LAN]] * 2, 2)
    seats = [info.properties[b"seats"] for info in fake.services]
    assert seats == [b"0/5", b"1/5", b"2/5", b"3/5"] * 2
    assert fake.services[0].properties == {
        key.encode(): str(value).encode() for key, value in ROSALIND.properties().items()
    }
    names = []
    for info in fake.services:
        assert (info.port, info.parsed_addresses()) == (11214, [LAN])
        assert info.server is not None
        for shown in (info.name, info.server):
            assert shown.startswith("driflamme-")
            assert socket.gethostname() not in shown
        names.append((info.name, info.server))
    # A table has one identifier while it is announced, and another one the next time.
    assert len({*names[:4]}) == len({*names[4:]}) == 1
    assert not {*names[0]} & {*names[4]}


async def test_a_machine_that_moves_announces_its_table_anew_in_the_network_that_it_is_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(discovery, "FOLLOW_S", 0)
    own: list[str] = []
    monkeypatch.setattr(discovery, "machine_numbers", lambda: own)
    fake = FakeZeroconf(monkeypatch)
    async with announced(Announcement("Rosalind", "K7Q", 11214, ("::",))):
        await sleep(0)
        assert fake.services == [], "it is in no network yet"
        for numbers in ([LAN], ["10.0.0.7", LAN], [], ["10.0.0.7"]):
            own[:] = numbers
            for _ in range(10):
                await sleep(0)
        addresses = [info.parsed_addresses() for info in fake.services]
    assert addresses == [[LAN], ["10.0.0.7", LAN], ["10.0.0.7"]]
    assert (len(fake.interfaces), fake.closed) == (3, 3)
    assert len({info.name for info in fake.services}) == 1


@pytest.mark.parametrize(("listens", "interfaces"), [("::", [None]), ("127.0.0.1", [])])
async def test_who_listens_everywhere_tells_every_network_and_who_is_alone_nobody(
    listens: str, interfaces: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "machine_numbers", lambda: [LAN])
    fake = FakeZeroconf(monkeypatch)
    async with announced(Announcement("Rosalind", "K7Q", 11214, (listens,))):
        pass
    assert fake.interfaces == interfaces


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (zeroconf.NotRunningException(), DiscoveryError),
        (asyncio.CancelledError(), asyncio.CancelledError),
    ],
    ids=["not running", "cancelled"],
)
async def test_what_cannot_be_told_leaves_nothing_open(
    error: BaseException, raised: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeZeroconf(monkeypatch, error)
    with pytest.raises(raised):
        await announce(lambda: ROSALIND)
    assert fake.closed == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OSError(errno.EADDRINUSE, "Address already in use"),
            "Tables cannot be announced or found on the local network: Address already in use."
            " Check the network and the firewall.",
        ),
        (
            RuntimeError("No interfaces to listen on"),
            "This machine is not on a network: connect it first.",
        ),
    ],
)
@pytest.mark.parametrize("interfaces", [None, ["127.0.0.1"]])
def test_a_machine_without_multicast_says_so(
    error: Exception,
    said: str,
    interfaces: list[str] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**options: Any) -> None:
        raise error

    monkeypatch.setattr(zeroconf.asyncio, "AsyncZeroconf", refuse)
    with pytest.raises(DiscoveryError) as caught:
        asyncio.run(cast(Coroutine[Any, Any, Any], open_zeroconf(interfaces)))
    assert caught.value.sentence() == said
    assert asyncio.run(refusal_to_find()).sentence() == said


async def refusal_to_find() -> DiscoveryError:
    with pytest.raises(DiscoveryError) as caught:
        await find_tables(3600)
    return caught.value


def test_a_machine_without_ipv6_does_with_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []

    def only_ipv4(*, interfaces: object, ip_version: object) -> str:
        tried.append(ip_version)
        if ip_version is not zeroconf.IPVersion.V4Only:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return "opened"

    monkeypatch.setattr(zeroconf.asyncio, "AsyncZeroconf", only_ipv4)
    opened: object = asyncio.run(cast(Coroutine[Any, Any, Any], open_zeroconf(None)))
    assert opened == "opened"
    assert len(tried) == 2


class Neighbours:
    """The answers of other machines, without a network."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fake = FakeZeroconf(monkeypatch)
        self.answers: dict[str, FoundTable | Exception | None] = {}
        """The answer to each name: None for no answer, a table, or an error."""
        self.silent: set[str] = set()
        """The names that give no answer at present."""
        self.handler: Callable[..., None] = lambda **_: None
        self.changes: list[tuple[FoundTable, ...]] = []
        neighbours = self

        class FakeBrowser:
            def __init__(
                self, _: object, service_type: str, handlers: list[Callable[..., None]]
            ) -> None:
                assert service_type == SERVICE_TYPE
                [neighbours.handler] = handlers

            async def async_cancel(self) -> None:
                neighbours.handler = lambda **_: None

        class FakeInfo:
            def __init__(self, service_type: str, name: str) -> None:
                self.name = name

            async def async_request(self, _: object, timeout: int) -> bool:
                if self.name in neighbours.silent:
                    await asyncio.Event().wait()
                answer = neighbours.answers.get(self.name)
                if isinstance(answer, Exception):
                    raise answer
                return answer is not None

            def __getattr__(self, attribute: str) -> object:
                table = neighbours.answers[self.name]
                assert isinstance(table, FoundTable)
                return {
                    "properties": SAID
                    | {b"host": table.name.encode(), b"prefix": table.prefix.encode()},
                    "parsed_scoped_addresses": lambda: [table.address.host],
                    "port": table.address.port,
                }[attribute]

        monkeypatch.setattr(zeroconf.asyncio, "AsyncServiceBrowser", FakeBrowser)
        monkeypatch.setattr(zeroconf.asyncio, "AsyncServiceInfo", FakeInfo)

    async def announce(self, change: ServiceStateChange, *names: str) -> None:
        for name in names:
            self.handler(
                zeroconf=self.fake.zeroconf,
                service_type=SERVICE_TYPE,
                name=name,
                state_change=change,
            )
        # Let the answers arrive.
        for _ in range(3):
            await sleep(0)

    @property
    def known(self) -> tuple[FoundTable, ...]:
        """The tables in the latest report."""
        return self.changes[-1] if self.changes else ()


@pytest.fixture
def neighbours(monkeypatch: pytest.MonkeyPatch) -> Neighbours:
    return Neighbours(monkeypatch)


def table(name: str) -> FoundTable:
    return FoundTable(name, Address(LAN), "K7Q", 2)


async def test_tables_come_change_and_go(neighbours: Neighbours) -> None:
    async with browsing(neighbours.changes.append):
        neighbours.answers = {"one": table("b"), "two": table("a"), "three": table("d")}
        await neighbours.announce(ServiceStateChange.Added, "one", "two", "three")
        assert list(neighbours.known) == [table("a"), table("b"), table("d")]
        # This table's next answer is invalid.
        neighbours.answers["three"] = table("\u2800")
        await neighbours.announce(ServiceStateChange.Updated, "three")
        neighbours.answers["one"] = table("c")
        await neighbours.announce(ServiceStateChange.Updated, "one")
        await neighbours.announce(ServiceStateChange.Updated, "one", "two")
        await neighbours.announce(ServiceStateChange.Removed, "two", "three")
    assert list(neighbours.known) == [table("c")]
    assert neighbours.changes == [
        (table("b"),),
        (table("a"), table("b")),
        (table("a"), table("b"), table("d")),
        (table("a"), table("b")),
        (table("a"), table("c")),
        (table("c"),),
    ]
    assert neighbours.fake.closed == 1


async def test_a_table_that_says_nothing_any_more_is_let_go(
    neighbours: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over = asyncio.Event()
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: is_over.wait())
    async with browsing(neighbours.changes.append):
        neighbours.answers = {"one": table("a"), "two": table("b")}
        await neighbours.announce(ServiceStateChange.Added, "one", "two")
        neighbours.answers["one"] = None
        neighbours.silent.add("two")
        is_over.set()
        await neighbours.announce(ServiceStateChange.Added)
        assert list(neighbours.known) == [table("b")], "one is gone, the other has time left"


@pytest.mark.parametrize(
    ("reopened", "is_doubted"),
    [
        (FoundTable("Tom", Address(LAN, 11215), "VGN", 2), True),
        (FoundTable("Hanna", Address(LAN, 11214), "K7Q", 2), True),
        (FoundTable("Tom", Address(LAN, 11215), "K7Q", 2), False),
        (FoundTable("Tom", Address("192.168.1.21", 11214), "VGN", 2), False),
    ],
    ids=["same code", "same port", "another table", "another machine"],
)
@pytest.mark.parametrize("is_there", [False, True])
async def test_a_table_that_another_seems_to_replace_is_doubted_whether_it_is_still_there(
    neighbours: Neighbours, reopened: FoundTable, is_doubted: bool, is_there: bool
) -> None:
    killed = FoundTable("Tom", Address(LAN, 11214), "VGN", 2)
    async with browsing(neighbours.changes.append) as there:
        neighbours.answers = {"old": killed}
        await neighbours.announce(ServiceStateChange.Added, "old")
        neighbours.answers = {"old": killed if is_there else None, "new": reopened}
        await neighbours.announce(ServiceStateChange.Added, "new")
        await neighbours.announce(ServiceStateChange.Added)
        assert neighbours.fake.forgotten == ["old"] * is_doubted
        stays = is_there or not is_doubted
        assert ("old" in there.followed) is stays
        assert {*neighbours.known} == {reopened, *([killed] * stays)}


@pytest.mark.parametrize(
    "answer", [None, zeroconf.BadTypeInNameException(), IndexError(), UnicodeError()]
)
async def test_who_does_not_answer_or_answers_nonsense_is_no_table(
    neighbours: Neighbours, answer: Exception | None
) -> None:
    complaints: list[object] = []
    complain = complaints.append
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complain(context))
    async with browsing(neighbours.changes.append):
        neighbours.answers["one"] = answer
        await neighbours.announce(ServiceStateChange.Added, "one")
        assert neighbours.known == ()
    assert (neighbours.changes, complaints) == ([], [])


def at(name: str, host: str) -> FoundTable:
    return FoundTable(name, Address(host), "K7Q", 2)


HONEST = "honest", at("Rosalind", "192.168.1.77")


def flood(kind: str) -> dict[str, FoundTable | Exception | None]:
    """Return an attacker's announcements of this kind, which should crowd out other tables."""
    numbers = range(3 * MAXIMUM_FOUND)
    made_up: dict[str, Callable[[int], FoundTable | None]] = {
        "at one address": lambda number: at(f"t{number}", "192.168.1.66"),
        "at the table's address": lambda number: at(f"t{number}", HONEST[1].address.host),
        "at many addresses": lambda number: at(f"t{number}", f"10.0.0.{number}"),
        "without a word": lambda number: None,
    }
    return {f"made up {number:03}": made_up[kind](number) for number in numbers}


KINDS = ["at one address", "at the table's address", "at many addresses", "without a word"]


@pytest.mark.parametrize("is_changing", [False, True], ids=["as it was", "changing"])
@pytest.mark.parametrize("kind", KINDS)
async def test_a_flood_of_tables_hides_none_that_was_there_before(
    neighbours: Neighbours, kind: str, is_changing: bool
) -> None:
    name, honest = HONEST
    async with browsing(neighbours.changes.append) as there:
        neighbours.answers = flood(kind) | {name: honest}
        if kind == "without a word":
            neighbours.silent = {*neighbours.answers} - {name}
        await neighbours.announce(ServiceStateChange.Added, name)
        for number, each in enumerate(flood(kind)):
            await neighbours.announce(ServiceStateChange.Added, each)
            if is_changing and number % 10 == 0:
                await neighbours.announce(ServiceStateChange.Updated, name)
            assert honest in neighbours.known
            assert len(there.followed) <= MAXIMUM_FOUND
    assert all(honest in known for known in neighbours.changes)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_flood_of_tables_hides_none_that_opens_later(
    neighbours: Neighbours, kind: str
) -> None:
    name, honest = HONEST
    async with browsing(neighbours.changes.append) as there:
        neighbours.answers = flood(kind) | {name: honest}
        if kind == "without a word":
            neighbours.silent = {*neighbours.answers} - {name}
        await neighbours.announce(ServiceStateChange.Added, *flood(kind))
        assert len(there.followed) <= MAXIMUM_FOUND
        await neighbours.announce(ServiceStateChange.Added, name)
        assert honest in neighbours.known
        assert len(neighbours.known) <= len(there.followed) <= MAXIMUM_FOUND


async def test_of_tables_at_one_address_the_longest_known_and_the_newest_are_kept(
    neighbours: Neighbours,
) -> None:
    """A table that was found before a flood from its machine is still listed after it."""
    name, honest = HONEST
    async with browsing(neighbours.changes.append) as there:
        neighbours.answers = flood("at one address") | {name: honest}
        await neighbours.announce(ServiceStateChange.Added, name)
        for each in flood("at one address"):
            await neighbours.announce(ServiceStateChange.Added, each)
        by_age = sorted(flood("at one address"))
        kept = by_age[:3] + by_age[3 - MAXIMUM_AT_ONE_ADDRESS :]
        assert {*there.followed} == {name, *kept}
        assert len(neighbours.known) == 1 + MAXIMUM_AT_ONE_ADDRESS
        await neighbours.announce(ServiceStateChange.Removed, *kept, name)
        assert (neighbours.known, there.followed) == ((), {})


async def test_who_takes_leave_before_answering_is_doubted_no_more_nor_at_the_end(
    neighbours: Neighbours,
) -> None:
    async with browsing(neighbours.changes.append):
        neighbours.silent = {"one", "two"}
        await neighbours.announce(ServiceStateChange.Added, "one", "two")
        tasks = len(asyncio.all_tasks())
        await neighbours.announce(ServiceStateChange.Removed, "one")
        assert len(asyncio.all_tasks()) == tasks - 1
        assert neighbours.known == ()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert neighbours.fake.closed == 1


async def test_a_search_gives_what_answered_in_time(
    neighbours: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    neighbours.answers = {"one": table("a")}

    async def meanwhile(seconds: float) -> None:
        if seconds == 3:
            await neighbours.announce(ServiceStateChange.Added, "one")
        else:
            await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "sleep", meanwhile)
    assert await find_tables(3) == [table("a")]


def receives_itself() -> bool:
    """Return True if multicast works within this machine."""
    group, here = map(socket.inet_aton, ("224.0.0.251", "127.0.0.1"))
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
            heard.bind(("", 0))
            heard.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group + here)
            heard.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
            heard.sendto(b"?", ("224.0.0.251", heard.getsockname()[1]))
            heard.settimeout(1)
            return heard.recv(1) == b"?"
    except OSError:
        return False


async def open_loopback(interfaces: Sequence[str] | None) -> AsyncZeroconf:
    return await open_zeroconf(["127.0.0.1"])


@pytest.mark.usefixtures("multicast_within")
async def test_a_table_is_found_changes_and_goes_whatever_others_announce(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not receives_itself():
        pytest.skip("no multicast within this machine")
    prefix, heard, complaints = "K7S", asyncio.Queue[tuple[FoundTable, ...]](), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    monkeypatch.setattr(discovery, "FOLLOW_S", 0)
    monkeypatch.setattr(discovery, "open_zeroconf", open_loopback)

    async def until(*names: str) -> FoundTable:
        async with asyncio.timeout(20):
            while True:
                here = [each for each in await heard.get() if each.prefix == prefix]
                if [each.name for each in here] == [*names]:
                    return here[0] if here else table("nobody")

    async with browsing(heard.put_nowait):
        mallory = await open_loopback(None)
        await mallory.zeroconf.async_wait_for_start()
        for number, said in enumerate((b"", b"\xff" * 200, b"\x05v=2\x00\x00\x08room=K7S")):
            about = f"mallory {number}.{SERVICE_TYPE}", 1, 0, 0, said, "mallory.local."
            info = ServiceInfo(SERVICE_TYPE, *about, parsed_addresses=[LAN])
            # Bypass the checks of the library for outgoing data.
            info.name = f"mallory\x1b[2J{number}.{SERVICE_TYPE}"
            mallory.zeroconf.async_send(mallory.zeroconf.generate_service_broadcast(info, None))
        rosalind, gaspard = (
            Announcement(name, prefix, 4000, (LAN, "fd00::20")) for name in ("Rosalind", "Gaspard")
        )
        async with announced(rosalind) as ahead:
            found = await until("Rosalind")
            assert found.address in (Address(LAN, 4000), Address("fd00::20", 4000))
            assert found.protocol == PROTOCOL
            ahead[0] = gaspard
            await until("Gaspard")
        await until()
        await mallory.async_close()
    assert complaints == []


def test_who_looks_for_no_tables_loads_nothing_for_it() -> None:
    modules = "netcode.joining.discovery, netcode.joining.spoken_code, netcode.joining.invitation"
    loading = f"import sys, {modules}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", loading], check=True, capture_output=True, text=True
    ).stdout.split()
    assert "netcode.transport.certificate" in loaded
    assert not {"zeroconf", "ifaddr", "spake2", "cryptography"} & set(loaded)
