"""The way to a seat: how often a host is called who is not there."""

import asyncio
from types import SimpleNamespace

import pytest

from driflamme_tui.hosting import carried_games
from driflamme_tui.seat import targets
from driflamme_tui.seat.seat_session import sit_down
from driflamme_tui.seat.targets import Join, ResolvedTarget
from netcode.client.connection import ConnectError
from netcode.client.connectors import Plain
from netcode.transport.address import Address
from netcode.transport.channel import Channel


def test_a_host_who_is_not_there_is_called_once_whatever_games_are_unfinished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []

    async def unreachable() -> Channel:
        calls.append(1)
        raise ConnectError("Nobody is there.")

    async def resolved(_target: object) -> ResolvedTarget:
        return ResolvedTarget(unreachable, None, "typed", "place", True)

    part = SimpleNamespace(sealing=SimpleNamespace(gid=bytes(32)), me=0, secret=bytes(32))
    monkeypatch.setattr(targets, "resolve", resolved)
    monkeypatch.setattr(carried_games, "unfinished_persons", lambda _name: [(None, part)] * 3)

    async def steps() -> None:
        seat = await sit_down(Join(Plain(Address("192.0.2.1", 1))), "Blaise")
        with pytest.raises(ConnectError, match="Nobody is there"):
            await seat.stay(lambda _news: None)
        await seat.close()

    asyncio.run(steps())
    assert len(calls) == 1
