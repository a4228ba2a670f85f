"""The way to a seat: how often a host is called who is not there, and when its key is forgotten."""

import asyncio
from types import SimpleNamespace

import pytest

from driflamme_tui.hosting import carried_games
from driflamme_tui.seat import targets
from driflamme_tui.seat.seat_keys import OwnSeat
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.targets import Join, ResolvedTarget
from netcode.client.connection import ConnectError
from netcode.client.connectors import Plain
from netcode.client.session import Session
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES
from netcode.protocol.messages import Refused
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


async def test_whoever_has_no_seat_any_more_after_a_new_invitation_forgets_its_key() -> None:
    async def unreachable() -> Channel:
        raise ConnectError("Nobody is there.")

    secret, key = b"s" * SECRET_BYTES, b"k" * KEY_BYTES
    target = ResolvedTarget(unreachable, secret, "typed", "place", True)
    before = OwnSeat(target.seat_at(secret), "Blaise")
    before.remember(key)
    before.release()
    seat = SeatSession("Blaise", Session(secret=secret), unreachable, target=target)
    assert seat.session.key == key
    for code, kept in (("game_under_way", key), ("invitation_renewed", None)):
        seat._receive(Refused(code=code))
        assert seat._seat is not None
        assert seat._seat.recall() == kept
    await seat.close()
