"""Tests attacks on the SSH door: its limits hold, and no attack leaves anything behind."""

import asyncio
from pathlib import Path

import asyncssh
import pytest

from driflamme_tui.wings.doors import ssh_door
from driflamme_tui.wings.doors.visitors import Visitors
from tests.wings.doors.conftest import PATIENCE_S, Visit
from tests.wings.doors.test_ssh_door import CODE, Screen, door


async def ended(connection: asyncssh.SSHClientConnection) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await connection.wait_closed()


async def test_who_has_the_code_and_wants_no_screen_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_door, "ARRIVING", (2, 2))
    async with door(tmp_path) as the_door:
        idle = [await the_door.connect(password=CODE) for _ in range(3)]
        await ended(idle[0])
        monkeypatch.setattr(ssh_door, "LOGIN_S", 0)
        await ended(await the_door.connect(password=CODE))


async def test_keys_without_end_are_not_tried(tmp_path: Path) -> None:
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(40)]
    async with door(tmp_path) as the_door:
        with pytest.raises(asyncssh.PermissionDenied):
            await the_door.connect(client_keys=keys, password=CODE)


async def test_of_an_environment_without_end_three_words_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[asyncssh.SSHServerChannel[bytes]] = []

    def refused(session: ssh_door._Session) -> bool:
        kept.append(session._channel)
        return False

    monkeypatch.setattr(ssh_door._Session, "shell_requested", refused)

    async with door(tmp_path) as the_door:
        connection = await the_door.connect(password=CODE)
        env = {f"A{number}": "x" * 50_000 for number in range(20)}
        with pytest.raises(asyncssh.Error):
            await connection.create_process(
                env=env | {"LANG": "fr_FR", "LC_ALL": "pl_PL"}, request_pty="force"
            )
        (channel,) = kept
        assert dict(channel.get_environment()) == {"LANG": "fr_FR", "LC_ALL": "pl_PL"}


def test_nothing_is_left_of_whoever_came_without_a_key_and_went_at_once(
    tmp_path: Path, visit: Visit
) -> None:
    async def come(visitors: Visitors) -> None:
        async with door(tmp_path, visitors) as the_door:
            connection = await the_door.connect(password=CODE)
            await Screen.open(connection)
            async with asyncio.timeout(PATIENCE_S):
                while not visitors:
                    await asyncio.sleep(0.01)
                connection.abort()
                while len(visitors) or [*tmp_path.glob("visitors/*")]:
                    await asyncio.sleep(0.01)

    visit(come)


def test_an_app_that_ends_ends_the_connection(tmp_path: Path, visit: Visit) -> None:
    async def come(visitors: Visitors) -> None:
        async with door(tmp_path, visitors) as the_door:
            connection = await the_door.connect(password=CODE)
            # No table is open, so the app ends.
            await Screen.open(connection)
            await ended(connection)

    visit(come)
