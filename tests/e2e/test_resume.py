"""A real host, or club, is killed in the middle of a game and started again: it goes on."""

import asyncio
import json
from pathlib import Path

import pytest

from engine.notation import format_position
from engine.record import replay
from netcode.client import reconnection
from netcode.client.connection import Connection
from netcode.client.connectors import connector
from netcode.client.session import Session
from netcode.joining.invitation import Invitation, parse_invitation
from netcode.protocol.messages import AddBot, Admitted, Club, Lobby, OpenTable, Start, State
from netcode.protocol.table_settings import TableSettings
from netcode.storage.history import History
from tests.support.following import followed, news_of
from tests.support.persons import Person, invited
from tests.support.pretend import hello
from tests.support.programs import HERE, own_port, run, serving

HOST = ("host", "--headless")
KILLED_AT = 7
"""How many actions somebody has seen when the host is killed."""


async def seen(person: Person, actions: int) -> None:
    """Wait until somebody has seen so many actions."""
    while person.session.revision <= actions:
        await asyncio.sleep(0.01)


def test_a_killed_host_is_resumed_and_nobody_loses_anything(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(reconnection, "FIRST_WAIT_S", 0.1)
    monkeypatch.setattr(reconnection, "LONGEST_WAIT_S", 0.4)

    async def run() -> tuple[list[Person], Lobby]:
        async with asyncio.TaskGroup() as group:
            port = own_port()
            with serving(*HOST, *HERE, "--port", str(port)) as host:
                link = host.link
                persons = [
                    invited(link, name, players=4, bots=1 if name == "a" else 0) for name in "abc"
                ]
                for person in persons:
                    group.create_task(person.play())
                    await person.seated.wait()
                await seen(persons[0], KILLED_AT)
                before = persons[0].session.lobby
            with serving(*HOST, "--resume") as host:
                assert (host.port, host.link) == (port, link)
                async with asyncio.timeout(60):
                    while not all(person.is_over() for person in persons):
                        await asyncio.sleep(0.05)
                host.end()
        assert before is not None
        return persons, before

    persons, before = asyncio.run(run())
    path = tmp_path / "xdg_data_home" / "driflamme" / "tables.db"
    with History.open(path) as history:
        (game,) = history.games()
        record = history.record(game.id)
    *_, last = replay(record)
    for person in persons:
        assert person.connections > 1
        assert person.session.lobby is not None
        for seat, seat_before in zip(person.session.lobby.seats, before.seats, strict=True):
            assert (seat.name, seat.family) == (seat_before.name, seat_before.family)
        assert person.states[-1].view == format_position(last.after)
        assert person.session.revision == 1 + len(record.actions)


@pytest.fixture
def _short_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A unix socket's path has 107 bytes at most."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("d")))


@pytest.mark.usefixtures("_short_folders")
def test_a_club_that_is_killed_comes_back_with_its_link_and_its_tables() -> None:
    async def play(invitation: Invitation) -> tuple[bytes, bytes | None]:
        """Open a table and begin a game at it; return its secret and the key to the seat."""
        connection = Connection(await connector(invitation)())
        connection.say(hello("anna", secret=invitation.secret))
        session = Session()
        async for message in news_of(connection.listen):
            if isinstance(message, Club):
                connection.say(OpenTable(settings=TableSettings(first="r")))
            elif isinstance(message, Admitted):
                session.secret = message.secret
                connection.say(session.hello("anna"))
                for order in (AddBot(bot="random"), AddBot(bot="random"), Start()):
                    connection.say(order)
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

    port = own_port()
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
