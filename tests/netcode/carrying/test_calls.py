"""Where a player's program calls at the word of another."""

import asyncio

import pytest

from netcode.carrying import calls
from netcode.carrying.calls import any_of, callable_at
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel

FAR = ("192.168.1.7:11214", "[2001:db8::7]:4000")
LOOPBACK = ("127.0.0.1:4000", "[::1]:4000", "[::ffff:127.0.0.1]:4000")
LINK_LOCAL = ("169.254.1.1:4000", "[fe80::1]:4000")
NEVER = ("table.example:4000", "192.168.1.7:22", "0.0.0.0:4000", "[ff02::1]:4000", "nonsense:", "")


def test_no_names_no_own_services_and_no_neighbours_by_cable() -> None:
    everything = (*FAR, *LOOPBACK, *LINK_LOCAL, *NEVER)
    assert callable_at(everything, ("192.168.1.2:4000", "")) == FAR
    assert callable_at(everything, ("127.0.0.1",)) == (*FAR, *LOOPBACK)
    assert callable_at(everything, ("169.254.1.2:4000",)) == (*FAR, *LINK_LOCAL)


def test_of_all_lines_that_are_answered_at_once_one_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        pairs = [memory_channel(), memory_channel(), memory_channel()]
        left = iter(pairs)

        async def answered(*_where: object) -> Channel:
            return next(left)[0]

        monkeypatch.setattr(calls, "connect_tcp", answered)
        reached = await any_of(("192.0.2.1:1", "192.0.2.2:1", "192.0.2.3:1"), bytes(32))()
        reached.send(b"Hail")
        await asyncio.sleep(0)
        for own, other in pairs:
            if own is reached:
                assert await other.receive() == b"Hail"
            else:
                with pytest.raises(ChannelClosedError):
                    await asyncio.wait_for(other.receive(), 1)

    asyncio.run(test())
