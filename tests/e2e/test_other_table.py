"""Tests the return to a table whose address now belongs to another table of the same machine."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.preferences.remembered import recall
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.seat_keys import way_back
from driflamme_tui.seat.targets import Join
from driflamme_tui.wording.program.joining_words import kept_seat_sentence
from netcode.joining.invitation import Invitation
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table
from netcode.transport.certificate import Identity
from netcode.transport.sockets import open_tcp
from tests.e2e.test_app import AT_ONCE, started, until
from tests.support.dates import unix_time
from tests.support.servers import CODE, NUMBER, SECRET, here, make_identity
from tests.support.tables import rows_of

OTHER_SECRET = b"o" * SECRET_BYTES


def table() -> Table:
    return Table(Random(1), lambda: Random().randbytes(32), settings=AT_ONCE, unix_time=unix_time)


@asynccontextmanager
async def opened(
    identity: Identity, table: Table, secret: bytes, port: int = 0
) -> AsyncIterator[Server]:
    """Open an encrypted table on this machine; yield its server."""
    registry = TableRegistry([TableEntry(NUMBER, TableAccess(secret, CODE), table)])
    async with Server(registry, certificate=identity.certificate) as server:
        await server.listen(await open_tcp("127.0.0.1", port), identity.context)
        yield server


def shows_that_the_seat_is_kept(app: DriflammeApp) -> bool:
    return kept_seat_sentence() in " ".join(" ".join(rows_of(app)).split())


@pytest.mark.parametrize("is_lost", [False, True], ids=["from the start screen", "from a game"])
async def test_a_seat_stays_while_its_address_has_another_table(is_lost: bool) -> None:
    identity, ours = make_identity(), table()
    async with opened(identity, ours, SECRET) as server:
        port = server.port
        link = Invitation((here(server),), identity.pin, SECRET)
        async with started(Join(link), "Ada") as (app, hands):
            await until(hands, lambda: isinstance(app.screen, LobbyScreen))
            await hands.press("y", "plus", "plus")
            await until(hands, lambda: app.session.lobby and len(app.session.lobby.seats) == 3)
            await hands.press("s")
            await until(hands, lambda: isinstance(app.screen, TableScreen))
            if is_lost:
                # The other table has the address when the guest comes back.
                [entry] = server.registry.entries
                server.registry.remove(entry)
                for channel in [each.channel for each in server._peers.by_number.values()]:
                    channel.abort()
                await until(hands, lambda: isinstance(app.screen, StartScreen))
                assert shows_that_the_seat_is_kept(app)
    [back] = recall().back
    if not is_lost:
        other = opened(identity, table(), OTHER_SECRET, port)
        async with other, started(None, "Ada") as (app, hands):
            await hands.press("enter")
            await until(hands, lambda: shows_that_the_seat_is_kept(app))
            assert app.screen.query("#back")
    assert recall().back == (back,)
    assert way_back() == back, "the key is kept, too"
    async with opened(identity, ours, SECRET, port), started(None, "Ada") as (app, hands):
        await hands.press("enter")
        await until(hands, lambda: isinstance(app.screen, TableScreen))
        assert app.session.family == "y"
