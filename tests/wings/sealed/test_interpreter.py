"""Tests the interpreter of sealed play at an ordinary table."""

from unittest.mock import MagicMock

from netcode.client.reconnection import Connected
from netcode.protocol.messages import Lobby, Talk, Welcome
from netcode.wings.sealed.interpreter import SealedInterpreter
from netcode.wings.sealed.messages import LogAt, Sealed
from tests.netcode.client.test_reconnection import TALK, Client, Host
from tests.netcode.client.test_session import lobby, welcome
from tests.netcode.simulation.clockwork import in_no_time


@in_no_time
async def test_of_parcels_at_an_open_table_nobody_is_told() -> None:
    host = Host()
    client = Client(
        host, interpreter=SealedInterpreter(MagicMock(side_effect=AssertionError), MagicMock())
    )
    await client.until(Connected)
    parcels = (Sealed(parcels=((b"a", b""),)), LogAt(gid=bytes(32), n=0, tip=bytes(32)))
    host.send(*parcels, welcome(), *parcels, lobby(), *parcels, TALK)
    kinds = [type(await client.next()) for _ in range(3)]
    assert kinds == [Welcome, Lobby, Talk]
    await client.news.aclose()
