"""Tests the seat of a player of a sealed game: the addresses that it calls to return."""

from types import SimpleNamespace

import pytest

from driflamme_tui.seat import targets
from driflamme_tui.seat.seat_session import sit_down
from driflamme_tui.seat.targets import Join, ResolvedTarget
from driflamme_tui.wings.sealed import takeover_games
from netcode.client.code_join import NotAdmittedError
from netcode.client.connection import ConnectError
from netcode.client.connectors import Plain
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES
from netcode.protocol.messages import Refused
from netcode.transport.address import Address
from netcode.transport.channel import Channel, memory_channel
from netcode.wings.sealed.takeover.host_call import call_host
from tests.support.planted import substitute


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_host_is_called_for_each_unfinished_game_until_one_admits_or_nobody_is_there(
    is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    async def unreachable() -> Channel:
        raise ConnectError("Nobody is there.")

    async def resolved(_target: object) -> ResolvedTarget:
        return ResolvedTarget(unreachable, None, "typed", "place", True)

    async def called(_sealing: object, me: int, *_way: object) -> tuple[Channel, bytes, bytes]:
        calls.append(me)
        if not is_there:
            raise ConnectError("Nobody is there.")
        if me == 0:
            raise NotAdmittedError(Refused(code="no_such_table"))
        return memory_channel()[0], bytes([me]) * SECRET_BYTES, bytes([me]) * KEY_BYTES

    parts = [SimpleNamespace(sealing=object(), me=me, secret=bytes(32)) for me in range(3)]
    monkeypatch.setattr(targets, "resolve", resolved)
    substitute(monkeypatch, call_host, called)
    games = [(None, part) for part in parts]
    monkeypatch.setattr(takeover_games, "unfinished_persons", lambda _name: games)
    seat = await sit_down(Join(Plain(Address("192.0.2.1", 1))), "Blaise")
    with pytest.raises(ConnectError, match="Nobody is there"):
        await seat.stay(lambda _news: None)
    await seat.close()
    assert calls == ([0, 1] if is_there else [0])
    assert seat.session.key == (b"\1" * KEY_BYTES if is_there else None)
