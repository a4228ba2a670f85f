"""Tests that guests who have left a relay leave nothing in its memory."""

import asyncio
import socket
from contextlib import suppress

import pytest
import uvloop

from netcode.transport.certificate import client_context
from tests.netcode.transport.test_freed_memory import dialled, knock, left_by, left_to_collect
from tests.support.servers import CODE
from tests.wings.relay.evening import evening


@pytest.mark.parametrize("prefix", ["zzz", CODE[:3].lower()], ids=["refused", "led to its host"])
def test_a_guest_of_a_relay_leaves_nothing_that_only_a_collection_frees(prefix: str) -> None:
    def guest(connected: socket.socket) -> None:
        knock(connected)

    def refused(port: int) -> None:
        with suppress(OSError), dialled(port, client_context(None), f"{prefix}.driflamme"):
            pass

    async def run() -> list[object]:
        async with evening() as here:
            (listening,) = here.relay._listeners
            # The host's connection stays.
            connections = len(listening._present)

            def ends() -> bool:
                return len(listening._present) <= connections

            if prefix == "zzz":
                await asyncio.to_thread(refused, here.port)
                with left_to_collect() as left:
                    for _ in range(3):
                        await asyncio.to_thread(refused, here.port)
                    while not ends():
                        await asyncio.sleep(0.005)
                return left
            context = client_context(None)
            return await left_by(guest, ends, here.port, context, f"{prefix}.driflamme")

    assert uvloop.run(run()) == []
