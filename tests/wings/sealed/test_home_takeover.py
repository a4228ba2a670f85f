"""Tests the addresses at which a player's machine takes over a sealed table."""

import asyncio
from collections.abc import Callable
from random import Random

import pytest

from driflamme_tui.hosting import open_server
from driflamme_tui.wings.sealed.home_takeover import HomeTakeover
from netcode.joining.discovery import Announcement
from netcode.table.table import Table
from tests.support.dates import unix_time


@pytest.mark.parametrize(("towards", "is_reached"), [("127.0.0.1", True), ("", False)])
async def test_a_machine_listens_on_its_way_to_the_host(towards: str, is_reached: bool) -> None:
    home = HomeTakeover(None, "Ada", resumed=False)
    relay = await home.open(towards)
    assert (relay is not None) is is_reached
    if relay is not None:
        assert relay.addresses == (f"127.0.0.1:{relay.server.port}",)
        assert await home.open(towards) is relay
    home.is_allowed = False
    assert await home.open(towards) is None
    await home.close()


@pytest.mark.parametrize("far", ["100.0.0.7", "2a00::7", "fe80::7%1", "a.example"])
def test_out_in_the_world_only_who_wants_so_is_called(far: str) -> None:
    home = HomeTakeover(None, "Ada", resumed=False)
    assert not home.allows(far)
    home.is_allowed = True
    assert home.allows(far) is (far in ("100.0.0.7", "2a00::7"))


async def test_a_table_that_goes_on_here_is_announced_and_closing_waits_for_the_end_of_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentences: list[str] = []

    async def announce(present: Callable[[], Announcement]) -> None:
        sentences.append(present().name)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            sentences.append("closed")

    monkeypatch.setattr(open_server, "announce", announce)
    home = HomeTakeover(None, "Ada", resumed=False)
    relay = await home.open("127.0.0.1")
    assert relay is not None
    relay.entry.table = Table(Random(1), lambda: bytes(32), unix_time=unix_time)
    relay.announce(True)
    relay.announce(True)
    await asyncio.sleep(0)
    relay.announce(False)
    relay.announce(True)
    while sentences.count("Ada") < 2:
        await asyncio.sleep(0)
    await home.close()
    assert sentences == ["Ada", "closed"] * 2
