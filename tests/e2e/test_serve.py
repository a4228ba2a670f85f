"""A club as a process of its own: killed, started again, and asked how it does."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from platformdirs import user_data_path

from driflamme_tui.seat.targets import resolve, visitors_socket
from netcode.client.code_join import invitation_by_code
from netcode.client.connectors import Unix, connector
from netcode.client.reconnection import Connect, Connected, Connection, stay_connected
from netcode.client.session import Session
from netcode.joining.invitation import Invitation, parse_invitation
from netcode.protocol.club_messages import Club
from netcode.protocol.messages import (
    AddBot,
    Admitted,
    Lobby,
    OpenTable,
    Start,
    State,
    TableSettings,
)
from netcode.transport.address import Address
from tests.e2e.test_resume import free_port
from tests.netcode.pretend import hello

ROOT = Path(__file__).parents[2]
COMMAND = sys.executable, "-m", "driflamme_tui", "serve"


def environment() -> dict[str, str]:
    return {**os.environ, "LANGUAGE": "en"}


@contextmanager
def club(port: int, *options: str) -> Iterator[tuple[subprocess.Popen[str], Invitation]]:
    """A club's process, and the invitation that it prints."""
    process = subprocess.Popen(
        [*COMMAND, "--bind", "127.0.0.1", "--port", str(port), *options],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    said = ""
    try:
        for line in process.stdout:
            said += line
            if "Ctrl-C" in line:
                break
        found = re.search(r"driflamme join (driflamme://\S+)", said)
        assert found, said
        yield process, parse_invitation(found[1])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        process.stdout.close()


def status(port: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--status", "--port", str(port)],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(autouse=True)
def _short_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A unix socket's path has 107 bytes at most."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("d")))


def test_a_club_survives_being_killed_and_tells_how_it_does() -> None:
    port = free_port()

    async def play(invitation: Invitation) -> tuple[bytes, bytes | None]:
        """Open a table and begin a game at it; return its secret and the key to the seat."""
        connection = Connection(await connector(invitation)())
        await connection.send(hello("anna", secret=invitation.secret))
        session = Session()
        async for message in connection:
            if isinstance(message, Club):
                await connection.send(OpenTable(settings=TableSettings(first="r")))
            elif isinstance(message, Admitted):
                session.secret = message.secret
                await connection.send(session.hello("anna"))
                for order in (AddBot(bot="random"), AddBot(bot="random"), Start()):
                    await connection.send(order)
            else:
                session.receive(message)
            if isinstance(message, State):
                break
        await connection.close()
        assert session.secret is not None
        return session.secret, session.key

    async def back(invitation: Invitation, secret: bytes, key: bytes | None) -> Session:
        session = Session(key, secret)
        async for message in stay_connected(connector(invitation), session, "anna"):
            if isinstance(message, State):
                break
        return session

    with club(port) as (process, invitation):
        assert json.loads(status(port).stdout)["tables"] == {"awake": 0, "asleep": 0}
        secret, key = asyncio.run(play(invitation))
        figures = json.loads(status(port).stdout)
        assert figures["tables"] == {"awake": 1, "asleep": 0}
        assert figures["journal"]["works"]
        process.kill()
        process.wait()
    with club(port) as (_, again):
        assert again == invitation
        assert json.loads(status(port).stdout)["tables"] == {"awake": 0, "asleep": 1}
        session = asyncio.run(back(invitation, secret, key))
        assert session.family == "r"
        assert session.lobby is not None
        assert session.lobby.seats[0].name == "anna"
    asked = status(port)
    assert asked.returncode == 2
    assert f"No server of yours listens on port {port}" in asked.stderr


def test_processes_share_the_tables_of_a_club() -> None:
    port = free_port()

    def at(port: int) -> Callable[[int], Connect]:
        return lambda there: connector(replace(invitation, address=Address("127.0.0.1", there)))

    async def sit(name: str, secret: bytes | None = None) -> Session:
        """Come to a table, opening it if there is none yet; stay until the lobby is told."""
        session = Session(secret=secret or invitation.secret)
        stay = stay_connected(connector(invitation), session, name, at_port=at(port))
        connection: Connection | None = None
        async with aclosing(stay) as news:
            async for each in news:
                if isinstance(each, Connected):
                    connection = each.connection
                elif isinstance(each, Club) and connection is not None:
                    await connection.send(OpenTable(settings=TableSettings()))
                elif isinstance(each, Lobby):
                    return session
        raise AssertionError

    def told(session: Session) -> Invitation:
        assert session.lobby is not None
        return parse_invitation(session.lobby.invitation)

    async def listed(count: int) -> Club:
        """Ask for the tables until so many are told of."""
        connection = Connection(await connector(invitation)())
        try:
            await connection.send(hello("c", secret=invitation.secret))
            async for message in connection:
                assert isinstance(message, Club)
                if len(message.tables) == count:
                    return message
                await connection.send(hello("c", secret=invitation.secret))
        finally:
            await connection.close()
        raise AssertionError

    async def play() -> list[Session]:
        first = await sit("anna")
        second = await sit("bert")
        assert first.is_host
        assert second.is_host
        # Each at a process of its own, whose port its invitation has.
        assert {told(each).address.port for each in (first, second)} == {port, port + 1}
        for each in (first, second):
            # By the club's own port too, and by a code that is said there.
            guest = await sit("dora", told(each).secret)
            assert guest.lobby is not None
            assert [seat.name for seat in guest.lobby.seats] != ["dora"]
            assert guest.lobby.code is not None
            knocked = await invitation_by_code(Address("127.0.0.1", port), guest.lobby.code)
            assert knocked == told(each)
        # A visitor of the host's doors, who has no way but sockets of this machine.
        target = await resolve(Unix(visitors_socket(folder, port), told(second).secret))
        session = Session(secret=target.secret)
        stay = stay_connected(target.connect, session, "fred", at_port=target.at_port)
        async with aclosing(stay) as news:
            async for news_item in news:
                if isinstance(news_item, Lobby):
                    break
        assert session.family is not None
        tables = (await listed(2)).tables
        assert {table.secret for table in tables} == {told(first).secret, told(second).secret}
        return [first, second]

    folder = user_data_path("driflamme", appauthor=False)
    with club(port, "--processes", "2", "--ssh", str(free_port())) as (process, invitation):
        sessions = asyncio.run(play())
        figures = json.loads(status(port).stdout)
        assert figures["tables"] == {"awake": 2, "asleep": 0}
        process.kill()
        process.wait()
    # With another number of processes the same tables are there, by the same invitations.
    with club(port, "--processes", "3") as (_, again):
        assert again == invitation
        for each in sessions:
            back = asyncio.run(sit("emma", told(each).secret))
            assert back.lobby is not None
            assert len(back.lobby.seats) > 1


def test_one_club_at_a_time_has_the_tables() -> None:
    port = free_port()
    with club(port):
        second = subprocess.run(
            [*COMMAND, "--bind", "127.0.0.1", "--port", str(free_port())],
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    assert second.returncode == 2
    assert len(second.stderr.strip().splitlines()) == 1
