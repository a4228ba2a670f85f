"""Tests guests whose search leads to other tables of the host's machine.

All tables of one account have the same certificate, and often neighbouring ports.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest

from netcode.client import followed_host
from netcode.client.connection import Connect, ConnectError
from netcode.client.followed_host import AVOIDED_S, FollowedHost
from netcode.client.reconnection import ConnectionLost, HostMoved, News, stay_connected
from netcode.client.session import Session
from netcode.joining.invitation import Invitation
from netcode.protocol.codec import decode_client, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import Goodbye, Hello, Refused, Welcome
from netcode.protocol.refusal_sentences import (
    HOST_PART_MISSING,
    NO_SUCH_TABLE,
    OF_NO_TABLE,
    UNKNOWN_KEY,
)
from netcode.transport.address import Address
from netcode.transport.certificate import PIN_BYTES
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel
from tests.netcode.client.test_session import lobby, welcome
from tests.netcode.simulation.clockwork import in_no_time
from tests.support.servers import CODE, SECRET

OURS, THEIRS, THIRD = (Address("192.168.1.20", port) for port in (11224, 11214, 11234))
LINK = Invitation((OURS,), bytes(PIN_BYTES), SECRET)
UNKNOWN = Refused(code=NO_SUCH_TABLE)
BACK_WITHIN_S = 10.0
"""Maximum seconds until a guest is back after its table has opened again."""


class Machine:
    """A host's machine whose tables all have the pin of the link, and all are announced."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tables: dict[Address, Message | None] = {}
        """The answers to a Hello, by address; None for our table, which welcomes the guest."""
        self.called: list[Address] = []
        self.prefixes: list[str] = []
        self._channels: dict[Address, list[Channel]] = {}
        self._serving: set[asyncio.Task[None]] = set()
        self._found: list[Callable[[tuple[Address, ...]], object]] = []
        monkeypatch.setattr(followed_host, "connect_tcp", self.connect_tcp)
        monkeypatch.setattr(followed_host, "connector", self.connector)

    def connector(self, invitation: Invitation) -> Connect:
        async def connect() -> Channel:
            for each in invitation.addresses:
                with suppress(ConnectError):
                    return await self._call(each)
            raise ConnectError("No known address answers.")

        return connect

    async def connect_tcp(
        self, address: Address, context: ssl.SSLContext, timeout: float
    ) -> Channel:
        self.called.append(address)
        return await self._call(address)

    async def _call(self, address: Address) -> Channel:
        if address not in self.tables:
            raise ConnectError("No table is open there.")
        near, far = memory_channel()
        self._channels.setdefault(address, []).append(far)
        serving = asyncio.create_task(self._serve(address, far))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)
        return near

    async def _serve(self, address: Address, channel: Channel) -> None:
        with suppress(ChannelClosedError):
            while isinstance(decode_client(await channel.receive()), Hello):
                answer = self.tables[address]
                own = welcome(), lobby(invitation=str(LINK), code=CODE)
                for message in own if answer is None else (answer,):
                    channel.send(encode(message))

    @asynccontextmanager
    async def search(
        self, _pin: bytes, prefix: str, found: Callable[[tuple[Address, ...]], object]
    ) -> AsyncIterator[None]:
        self.prefixes.append(prefix)
        self._found.append(found)
        for address in self.tables:
            found((address,))
        try:
            yield
        finally:
            self._found.remove(found)

    def change(self, tables: dict[Address, Message | None]) -> None:
        """End all connections, and open these tables."""
        self.tables = tables
        for channels in self._channels.values():
            while channels:
                channels.pop().abort()


class LeftError(Exception):
    """Raised by a guest's program that leaves after a refusal."""


class Guest:
    """A guest's program, and its news. A refusal ends it, as in the app."""

    def __init__(self, machine: Machine) -> None:
        self.host = FollowedHost(LINK, machine.search)
        self.session = Session(secret=SECRET)
        self.news: list[News] = []
        self.arrived = asyncio.Event()
        self.staying = asyncio.create_task(
            stay_connected(
                self.host.connect, self.session, "Ada", self._take, route=self.host, rng=Random(1)
            )
        )

    def _take(self, news: News) -> None:
        if isinstance(news, ConnectionLost):
            assert self.host.moved() is None, "only an accepted address is news"
        self.news.append(news)
        if isinstance(news, Welcome):
            self.host.see(lobby(invitation=str(LINK), code=CODE))
            self.arrived.set()
        if isinstance(news, Refused | Goodbye):
            raise LeftError

    async def arrives(self) -> None:
        async with asyncio.timeout(BACK_WITHIN_S):
            await self.arrived.wait()
        self.arrived.clear()

    @property
    def refused(self) -> list[News]:
        return [each for each in self.news if isinstance(each, Refused | Goodbye)]

    async def close(self) -> None:
        self.staying.cancel()
        with suppress(asyncio.CancelledError):
            await self.staying


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


REFUSALS = (
    *(Refused(code=code) for code in sorted(OF_NO_TABLE)),
    *(Goodbye(code=code) for code in ("upgrade_client", "upgrade_host", "host_quit", "removed")),
    Goodbye(code=HOST_PART_MISSING),
)


@pytest.mark.parametrize("answer", REFUSALS, ids=lambda each: each.code)
@in_no_time
async def test_no_answer_of_a_found_table_ends_the_wait_for_the_own_one(
    answer: Message, machine: Machine
) -> None:
    machine.tables = {THEIRS: answer, OURS: None}
    guest = Guest(machine)
    await guest.arrives()
    key = guest.session.key
    machine.change({THEIRS: answer})
    await asyncio.sleep(AVOIDED_S - 5.0)
    assert machine.called == [THEIRS], "it is left out of the next searches"
    assert machine.prefixes[-1] == CODE[:3]
    await asyncio.sleep(10 * AVOIDED_S)
    assert 2 <= machine.called.count(THEIRS) <= 11
    assert not guest.staying.done()
    assert (guest.refused, guest.session.goodbye, guest.session.refusal) == ([], None, None)
    assert (guest.session.key, guest.host.moved()) == (key, None)
    assert guest.host.invitation.addresses == (OURS,)
    await guest.close()


@pytest.mark.parametrize(
    ("after", "at"),
    [
        ({THEIRS: UNKNOWN, OURS: None}, OURS),
        ({THEIRS: UNKNOWN, THIRD: None}, THIRD),
        ({OURS: UNKNOWN, THEIRS: None}, THEIRS),
        ({OURS: UNKNOWN, THEIRS: UNKNOWN, THIRD: None}, THIRD),
    ],
    ids=["the same port", "a new port", "exchanged ports", "all other ports"],
)
@pytest.mark.parametrize("first", [False, True], ids=["a lost guest", "a newcomer"])
@in_no_time
async def test_a_guest_finds_its_table_after_a_restart_at_(
    after: dict[Address, Message | None], at: Address, first: bool, machine: Machine
) -> None:
    machine.tables = after if first else {THEIRS: UNKNOWN, OURS: None}
    guest = Guest(machine)
    await guest.arrives()
    if not first:
        machine.change(after)
        await guest.arrives()
    assert guest.refused == []
    assert at in guest.host.invitation.addresses
    assert guest.host.moved() == (None if at == OURS else HostMoved(at))
    await guest.close()


@pytest.mark.parametrize("first", [False, True], ids=["a lost guest", "a newcomer"])
@in_no_time
async def test_a_known_address_has_the_final_word_after_a_search(
    first: bool, machine: Machine
) -> None:
    other: dict[Address, Message | None] = {OURS: UNKNOWN, THEIRS: UNKNOWN}
    machine.tables = other if first else {OURS: None}
    guest = Guest(machine)
    if not first:
        await guest.arrives()
        machine.change(other)
    with pytest.raises(LeftError):
        await guest.staying
    assert guest.refused == [UNKNOWN]
    assert THEIRS in machine.called


@in_no_time
async def test_a_newcomer_who_finds_only_other_tables_reads_about_the_known_address(
    machine: Machine,
) -> None:
    machine.tables = {THEIRS: UNKNOWN, THIRD: Goodbye(code="upgrade_host")}
    guest = Guest(machine)
    with pytest.raises(ConnectError, match="No known address answers"):
        await guest.staying
    assert {*machine.called} == {THEIRS, THIRD}
    assert guest.refused == []


@pytest.mark.parametrize("code", ["name_taken", "table_full", "invitation_renewed", UNKNOWN_KEY])
@in_no_time
async def test_a_found_table_that_knows_the_link_may_refuse(code: str, machine: Machine) -> None:
    """Only our table can give these answers: it has recognised the secret in the Hello."""
    machine.tables = {THIRD: Refused(code=code)}
    guest = Guest(machine)
    with pytest.raises(LeftError):
        await guest.staying
    assert guest.refused == [Refused(code=code)]
