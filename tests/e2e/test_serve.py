"""A club as a process of its own: killed, started again, and asked how it does."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from netcode.client.connection import Connection
from netcode.client.connectors import connector
from netcode.client.session import Session
from netcode.joining.invitation import Invitation, parse_invitation
from netcode.protocol.messages import (
    AddBot,
    Admitted,
    Club,
    OpenTable,
    Start,
    State,
    TableSettings,
)
from tests.e2e.test_resume import free_port
from tests.netcode.following import followed, news_of
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
