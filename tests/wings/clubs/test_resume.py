"""Tests that a real club, killed or stopped, continues after a restart."""

import asyncio
import json

import pytest

from netcode.client import reconnection
from netcode.client.connection import Connection
from netcode.client.connectors import connector
from netcode.client.reconnection import ConnectionLost, News, stay_connected
from netcode.client.session import Session
from netcode.joining.invitation import Invitation, parse_invitation
from netcode.protocol.messages import AddBot, Admitted, Goodbye, Start, State
from netcode.protocol.table_settings import TableSettings
from netcode.wings.clubs.messages import Club, OpenTable
from tests.support.following import followed, news_of
from tests.support.pretend import hello
from tests.support.programs import free_port, run, serving


@pytest.fixture
def _short_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Use short folders: the path of a unix socket has at most 107 bytes."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("d")))


@pytest.mark.usefixtures("_short_folders")
def test_a_club_that_is_killed_comes_back_with_its_link_and_its_tables() -> None:
    async def play(invitation: Invitation) -> tuple[bytes, bytes | None]:
        """Open a table and start a game; return its secret and the key to the seat."""
        connection = Connection(await connector(invitation)())
        connection.send(hello("anna", secret=invitation.secret))
        session = Session()
        async for message in news_of(connection.listen):
            if isinstance(message, Club):
                connection.send(OpenTable(settings=TableSettings(first="r")))
            elif isinstance(message, Admitted):
                session.secret = message.secret
                connection.send(session.hello("anna"))
                for order in (AddBot(bot="random"), AddBot(bot="random"), Start()):
                    connection.send(order)
            else:
                session.receive(message)
            if isinstance(message, State):
                break
        await connection.channel.close()
        assert session.secret is not None
        return session.secret, session.key

    async def back(invitation: Invitation, secret: bytes, key: bytes | None) -> Session:
        session = Session(key, secret)
        async for message in followed(connector(invitation), session, "anna"):
            if isinstance(message, State):
                break
        return session

    port = free_port()
    club_there = "serve", "--bind", "127.0.0.1", "--port", str(port)
    with serving(*club_there) as club:
        invitation = parse_invitation(club.link)
        secret, key = asyncio.run(play(invitation))
        figures = json.loads(run("serve", "--status", "--port", str(port)).stdout)
        assert figures["tables"] == {"awake": 1, "asleep": 0}
        assert figures["journal"]["works"]
    with serving(*club_there) as again:
        assert again.link == club.link
        session = asyncio.run(back(invitation, secret, key))
        assert session.family == "r"
        assert session.lobby is not None
        assert session.lobby.seats[0].name == "anna"
        again.end()


@pytest.mark.usefixtures("_short_folders")
def test_members_wait_for_a_club_that_is_stopped_and_return(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reconnection, "FIRST_WAIT_S", 0.1)
    monkeypatch.setattr(reconnection, "LONGEST_WAIT_S", 0.4)
    club_there = "serve", "--bind", "127.0.0.1", "--port", str(free_port())

    async def stay() -> None:
        clubs: asyncio.Queue[Club] = asyncio.Queue()
        losses: list[ConnectionLost] = []

        def take(news: News) -> None:
            if isinstance(news, Club):
                clubs.put_nowait(news)
            elif isinstance(news, ConnectionLost):
                losses.append(news)

        with serving(*club_there) as club:
            invitation = parse_invitation(club.link)
            session = Session(secret=invitation.secret)
            connect = connector(invitation)
            staying = asyncio.create_task(
                stay_connected(connect, session, "anna", take, waits=True)
            )
            await clubs.get()
            await asyncio.to_thread(club.end)
        with serving(*club_there) as again:
            async with asyncio.timeout(60):
                await clubs.get()
            again.end()
        assert losses[0].closed == Goodbye(code="club_closed")
        staying.cancel()
        await asyncio.wait([staying])

    asyncio.run(stay())
