"""At which addresses a sealed table may go on at a player's machine."""

import asyncio

import pytest

from driflamme_tui.seat.home_relay import HomeRelay


@pytest.mark.parametrize(("towards", "is_reached"), [("127.0.0.1", True), ("", False)])
def test_a_machine_listens_on_its_way_to_the_host(towards: str, is_reached: bool) -> None:
    async def test() -> None:
        home = HomeRelay(None, "Ada", resumed=False)
        relay = await home.open(towards)
        assert (relay is not None) is is_reached
        if relay is not None:
            assert relay.addresses == (f"127.0.0.1:{relay.server.port}",)
            assert await home.open(towards) is relay
        home.is_allowed = False
        assert await home.open(towards) is None
        await home.close()

    asyncio.run(test())


@pytest.mark.parametrize("far", ["100.0.0.7", "2a00::7", "fe80::7%1", "a.example"])
def test_out_in_the_world_only_who_wants_so_is_called(far: str) -> None:
    home = HomeRelay(None, "Ada", resumed=False)
    assert not home.allows(far)
    home.is_allowed = True
    assert home.allows(far) is (far in ("100.0.0.7", "2a00::7"))
