"""Tests guesses at a table's spoken code: the host's warning, and the effect of a new code."""

from random import Random

import pytest

from netcode.client.code_join import NotAdmittedError, exchange_code
from netcode.client.session import Session
from netcode.limits import GUESSES_NOTICED, NETWORK_GUESSES
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.messages import (
    ClientMessage,
    Guessing,
    HostMessage,
    Knocked,
    Lobby,
    NewCode,
    Refused,
    Welcome,
)
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.transport import channel
from netcode.transport.channel import Channel
from tests.support.pretend import hello
from tests.support.servers import CODE, NUMBER, SECRET, new_table

WRONG = CODE[:3] + "00000"


class Guest:
    """A connection within this program, with a session."""

    def __init__(self, server: Server) -> None:
        self.channel: Channel = server.connect()
        self.session = Session(secret=SECRET)

    def send(self, message: ClientMessage) -> None:
        self.channel.send(encode(message))

    async def receive(self, kind: type[HostMessage]) -> HostMessage:
        """Return the next message of a kind; the session receives all messages."""
        while True:
            message = decode_host(await self.channel.receive())
            if not isinstance(message, Knocked):
                self.session.receive(message)
            if isinstance(message, kind):
                return message

    async def comes(self, name: str) -> "Guest":
        self.send(hello(name, secret=self.session.secret))
        await self.receive(Lobby)
        return self


def server_of_a_table() -> Server:
    table = new_table()
    table.set_invitation("driflamme://127.0.0.1/AAAA")
    registry = TableRegistry([TableEntry(NUMBER, TableAccess(SECRET, CODE), table)])
    return Server(registry, rng=Random(1), random_bytes=Random(2).randbytes)


async def guess(server: Server, code: str = WRONG) -> bytes:
    """Try a code and return the secret that it brings; raises NotAdmittedError if it is refused."""
    connection = server.connect()
    try:
        return await exchange_code(connection, code, b"", "here")
    finally:
        await connection.close()


async def guess_wrong(server: Server, number: int) -> None:
    for _ in range(number):
        with pytest.raises(NotAdmittedError):
            await guess(server)


async def test_the_host_alone_is_told_that_somebody_guesses_and_renews_the_code() -> None:
    async with server_of_a_table() as server:
        (entry,) = server.registry.entries
        host, guest = await Guest(server).comes("anna"), await Guest(server).comes("bert")
        await guess_wrong(server, GUESSES_NOTICED - 1)
        assert await guess(server, CODE) == SECRET, "what is right is no guess"
        await guess_wrong(server, 1)
        assert await host.receive(Guessing) == Guessing(wrong=GUESSES_NOTICED)
        assert host.session.wrong_guesses == GUESSES_NOTICED
        guest.send(NewCode())
        assert await guest.receive(Refused) == Refused(code="not_the_host")
        host.send(NewCode())
        await host.receive(Lobby)
        assert await host.receive(Guessing) == Guessing(wrong=0)
        assert host.session.wrong_guesses == 0
        await guest.receive(Lobby)
        lobby = guest.session.lobby
        assert lobby is not None
        assert lobby.code == entry.code != CODE
        assert lobby.code[:3] == CODE[:3]
        assert (lobby.secret, entry.secret) == (SECRET, SECRET)
        assert guest.session.wrong_guesses == 0
        with pytest.raises(NotAdmittedError):
            await guess(server, CODE)
        assert await guess(server, lobby.code) == SECRET
        # The link still admits guests.
        await Guest(server).comes("cleo")


async def test_the_host_is_told_again_once_there_are_twice_as_many() -> None:
    async with server_of_a_table() as server:
        host = await Guest(server).comes("anna")
        await guess_wrong(server, 4 * GUESSES_NOTICED)
        counts = [await host.receive(Guessing) for _ in range(3)]
        assert counts == [Guessing(wrong=times * GUESSES_NOTICED) for times in (1, 2, 4)]
        again = Guest(server)
        again.session.key = host.session.key
        again.send(hello("anna", secret=SECRET, key=host.session.key))
        await again.receive(Welcome)
        assert await again.receive(Guessing) == counts[-1]


async def test_a_refused_guest_reads_that_the_link_still_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channel._MemoryChannelEnd, "peer", "192.0.2.1")
    async with server_of_a_table() as server:
        await guess_wrong(server, int(NETWORK_GUESSES.burst))
        with pytest.raises(NotAdmittedError, match="The host's link still works") as refused:
            await guess(server, CODE)
        assert refused.value.code == "too_many_knocks"
        await Guest(server).comes("anna")


async def test_an_entry_counts_how_many_codes_were_wrong() -> None:
    async with server_of_a_table() as server:
        [entry] = server.registry.entries
        assert entry.wrong_guesses == 0
        await guess_wrong(server, 2)
        assert entry.wrong_guesses == 2
