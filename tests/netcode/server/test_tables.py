"""Tests a wing that keeps tables: unloaded tables, turns, and messages of its own.

The keeper is made up. The server is real; connections are pretended, without a clock.
"""

from collections.abc import Iterator, Mapping

import pytest
from msgspec.structs import replace

from netcode.limits import HELLO_TIMEOUT_S, NETWORK_MS, TURN_MS
from netcode.protocol import codec
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import BeforeTable, Message
from netcode.protocol.messages import Goodbye, Hello, Refused, Welcome
from netcode.server.peers import Peer
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.tables import Handler, OneTable
from netcode.table.errors import StoreError
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table
from tests.support.pretend import Participant, hello
from tests.support.servers import CODE, NUMBER, SECRET
from tests.support.shell import NO_LIMITS, Plug, ServerNetwork

EMPTY_S = 10.0
"""Seconds until an empty table sleeps."""

LONGER_S = 60.0
"""Additional seconds for a client that has sent a Ring."""

OTHER_SECRET = b"of no table."


class Ring(BeforeTable, frozen=True):
    """A request for the number of connections."""


class Rang(BeforeTable, frozen=True):
    """The answer to a Ring."""

    connected: int


class Inn(OneTable):
    """Keeps a table that sleeps while it is empty."""

    def __init__(self) -> None:
        self.handlers: Mapping[type[Message], Handler] = {Ring: self._ring}
        self.table: Table
        """The table, also while it sleeps."""
        self.woken = 0
        self.is_damaged = False
        self.is_crowded = False
        self.registry: TableRegistry | None = None
        """If set, the registry that gives the waking table a new invitation."""

    def sleep(self, entry: TableEntry) -> None:
        """Put the table to sleep if it is empty."""
        assert entry.table is not None
        if not entry.table.participants.attended:
            self.table, entry.table = entry.table, None
            self._runner.drop_bots(entry)

    async def _ring(self, peer: Peer, message: Ring, now: float) -> None:
        peer.more_time_s = LONGER_S
        peer.answer(Rang(len(self._runner.peers)))

    def answer_without_table(self, peer: Peer, hello: Hello, now: float) -> Message | None:
        return Rang(0) if hello.secret == OTHER_SECRET else None

    def is_costly(self, entry: TableEntry) -> bool:
        return self.is_crowded

    async def ready(self, entry: TableEntry) -> Table:
        if self.is_damaged:
            raise StoreError("The table is damaged.")
        if self.registry is not None:
            self.registry.renew(entry, bytes)
        self.woken += 1
        entry.table = self.table
        return self.table

    def left(self, entry: TableEntry) -> None:
        self._runner.call_at(self._runner.now() + EMPTY_S, lambda: self.sleep(entry))


@pytest.fixture
def inn(monkeypatch: pytest.MonkeyPatch) -> Inn:
    """Make the codec know the messages of `Inn`; return a new `Inn`."""
    known = (*codec.messages_from_client(), Ring), (*codec.messages_from_host(), Rang)
    monkeypatch.setattr(codec, "messages_from_client", lambda: known[0])
    monkeypatch.setattr(codec, "messages_from_host", lambda: known[1])
    return Inn()


@pytest.fixture
def network(inn: Inn) -> Iterator[ServerNetwork]:
    """Put the table of a new network to sleep; yield the network."""
    with ServerNetwork(tables=inn, limits=replace(NO_LIMITS, network_ms=NETWORK_MS)) as network:
        inn.sleep(network.entry)
        assert network.entry.table is None
        yield network


def received(plug: Plug) -> list[Message]:
    return [decode_host(frame) for _, what, frame in plug.events if what == "frame"]


def send(network: ServerNetwork, message: Message) -> Plug:
    """Send a message on a new connection; return the connection."""
    number, plug = network.plug("192.0.2.1")
    network.put(number, encode(message))
    return plug


def test_a_table_wakes_when_somebody_comes_and_sleeps_again_while_it_is_empty(
    inn: Inn, network: ServerNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped: list[int] = []
    monkeypatch.setattr(network.server._bot_runner, "drop", dropped.append)
    for times in (1, 2):
        guest = Participant(network, f"guest {times}")
        assert any(isinstance(each, Welcome) for each in guest.received)
        network.wait(2 * EMPTY_S)
        assert (inn.woken, network.entry.table) == (times, inn.table)
        guest.drop()
        network.wait(2 * EMPTY_S)
        assert network.entry.table is None
        assert dropped == [NUMBER] * times


def test_a_table_that_does_not_wake_ends_one_connection_with_a_reason(
    inn: Inn, network: ServerNetwork
) -> None:
    waiting = send(network, Ring())
    inn.is_damaged = True
    plug = send(network, hello("anna"))
    assert received(plug) == [Goodbye(code="table_damaged")]
    assert (plug.ended, waiting.ended) == (True, False)


def test_a_secret_that_is_renewed_while_the_table_wakes_opens_nothing(
    inn: Inn, network: ServerNetwork
) -> None:
    inn.registry = network.server.registry
    plug = send(network, hello("anna", secret=SECRET))
    assert received(plug) == [Refused(code="no_such_table")]
    assert inn.table.participants.names == ()


def test_of_many_who_come_to_a_table_that_is_costly_few_wait(
    inn: Inn, network: ServerNetwork
) -> None:
    inn.is_crowded = True
    most = int(NETWORK_MS.burst / TURN_MS)
    plugs = [network.plug("192.0.2.1")[1] for _ in range(3 * most)]
    for number, plug in enumerate(plugs):
        plug.put(encode(hello(f"guest {number}", spectator=True)))
    network.wait(0.0)

    def answers() -> list[Message]:
        return [message for plug in plugs for message in received(plug)[:1]]

    refused = [each for each in answers() if isinstance(each, Refused)]
    assert [each.code for each in refused] == ["too_many_came"] * len(refused)
    assert most <= len(plugs) - len(refused) <= 2 * most
    assert len(answers()) < len(plugs), "some wait for their turn"
    network.wait(60)
    assert len(answers()) == len(plugs)


def test_a_keeper_answers_its_own_messages_and_gives_more_time(network: ServerNetwork) -> None:
    silent, plug = network.plug()[1], send(network, Ring())
    assert received(plug) == [Rang(2)]
    network.wait(HELLO_TIMEOUT_S + 1)
    assert received(silent) == [Goodbye(code="hello_overdue")]
    assert received(plug) == [Rang(2)]
    network.wait(LONGER_S)
    assert received(plug) == [Rang(2), Goodbye(code="hello_overdue")]


def test_a_keeper_answers_a_hello_that_is_for_no_table(network: ServerNetwork) -> None:
    assert received(send(network, hello("anna", secret=OTHER_SECRET))) == [Rang(0)]
    assert network.entry.table is None


def test_a_registry_tells_how_many_tables_it_has_and_their_names() -> None:
    codes = CODE, "ABC" + CODE[3:]
    registry = TableRegistry(
        TableEntry(number, TableAccess(bytes([number]) * len(SECRET), code), None)
        for number, code in enumerate(codes)
    )
    assert len(registry) == 2
    assert registry.prefixes == {code[:3] for code in codes}
    assert registry.only_entry is None
