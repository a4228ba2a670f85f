"""A relay on loopback: what passes through it, what it lets in, and what it does not."""

from dataclasses import replace

import pytest

from netcode.client.code_join import invitation_by_code
from netcode.client.connection import ConnectError
from netcode.client.connectors import connector
from netcode.relaying import relay_line
from tests.netcode.relaying.evening import Guest, evening, until
from tests.support.rooms import CODE, SECRET, runs


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay_line, "WAITS_S", (0.01,))


@runs
async def test_a_whole_game_is_played_through_a_relay() -> None:
    async with evening() as here:
        guest = Guest(here.way(), "Rosalind", bots=2)
        await guest.task
        record = here.host.table.record()
        assert record is not None
        assert guest.moves >= 7
        assert guest.connections == 1
        await until(lambda: not here.relay.status()["guests"])
        assert here.relay.status()["hosts"] == 1
        assert here.relay.status()["bytes"] > 10_000


@runs
async def test_a_code_leads_through_a_relay_and_so_does_what_it_brings() -> None:
    async with evening() as here:
        invitation = await invitation_by_code(here.address, CODE)
        assert (invitation.pin, invitation.secret) == (here.host.identity.pin, SECRET)
        # The guest knows no better than that the host answers at that address.
        assert invitation.addresses == (here.address,)
        guest = Guest(connector(invitation), "Rosalind", bots=2)
        await guest.task


@runs
async def test_a_relay_that_was_gone_is_found_again_and_nothing_is_lost() -> None:
    async with evening() as here:
        guest = Guest(here.way(), "Rosalind", bots=2)
        guest.until = 3
        await until(lambda: guest.moves == 3)
        for lost in range(1, 4):
            await here.relay.close()
            # What is said now is lost on the way, and said again.
            guest.until += 1
            guest.answer()
            await here.open_relay()
            await until(lambda lost=lost: guest.connections == 1 + lost)
        guest.until = 10_000
        guest.answer()
        await guest.task
        assert guest.connections == 4
        assert len(here.host.table.participants.names) == 3


@runs
async def test_a_host_who_is_not_there_is_said_to_be_not_there() -> None:
    async with evening() as here:
        assert here.host.line is not None
        await here.host.line.close()
        await until(lambda: not here.relay.status()["hosts"])
        told = rf"The relay at {here.address} does not have that table now"
        with pytest.raises(ConnectError, match=told):
            await connector(replace(here.invitation, addresses=()))()
        with pytest.raises(ConnectError, match=told):
            await invitation_by_code(here.address, CODE)
        assert here.relay.status()["refused"] == 2
