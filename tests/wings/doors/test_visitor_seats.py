"""Tests the seats of visitors: their names, keys and connections."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from driflamme_tui.seat.seat_keys import LockedSeat, seat_at
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.targets import Join
from driflamme_tui.wings.doors.door_target import DOOR, door_target
from netcode.client.session import Session
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES, FamilyLetter
from netcode.protocol.messages import Remove, Rename
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table
from netcode.transport.sockets import open_unix
from tests.support.dates import unix_time


async def test_who_came_by_a_door_and_was_renamed_has_their_seat_by_either_name_until_sent_away(
    tmp_path: Path,
) -> None:
    table = Table(Random(1), lambda: secrets.token_bytes(KEY_BYTES), unix_time=unix_time)
    entry = TableEntry(1, TableAccess(b"s" * SECRET_BYTES, "ABCDEFGH"), table)
    door = Join(door_target(tmp_path / "table", entry.secret))

    def is_seated(seat: SeatSession) -> bool:
        return seat.session.lobby is not None

    async def visit(name: str, enough: Callable[[SeatSession], bool]) -> FamilyLetter | None:
        """Come by a door, and lose the connection once `enough` is true.

        Return the family of the seat, or None without one.
        """
        seat = await sit_down(door, name)
        await seat.stay(lambda _news: not enough(seat))
        await seat.leave(leaves=False)
        await seat.close()
        lobby = seat.session.lobby
        return None if lobby is None else lobby.you

    def is_renamed(seat: SeatSession) -> bool:
        if seat.session.lobby is None or seat.session.lobby.your_seat is None:
            return False
        if seat.session.lobby.your_seat.name == "Anna":
            seat.send(Rename(name="Ada"))
        return seat.session.lobby.your_seat.name == "Ada"

    async with Server(TableRegistry([entry])) as server:
        await server.listen([open_unix(tmp_path / "table")])
        host = await sit_down(door, "Bob")
        hosting = asyncio.create_task(host.stay(lambda _news: None))
        while not is_seated(host):
            await asyncio.sleep(0)
        own = await visit("Anna", is_renamed)
        assert own is not None
        assert [await visit(name, is_seated) for name in ("Anna", "Ada")] == [own, own]

        def is_sent_away(seat: SeatSession) -> bool:
            if is_seated(seat) and seat.session.goodbye is None:
                host.send(Remove(family=own))
            return False

        await visit("Anna", is_sent_away)
        keys = [LockedSeat(seat_at(DOOR, entry.secret), name).recall() for name in ("Anna", "Ada")]
        assert keys == [None, None]
        await host.leave(leaves=False)
        await hosting
        await host.close()


def test_a_visitor_reads_no_latency_as_their_connection_ends_at_the_door() -> None:
    target = door_target(Path("table"), bytes(SECRET_BYTES))
    seat = SeatSession("Ada", Session(), target.connect, target=target)
    seat._connection = cast(Any, SimpleNamespace(latency=0.0384))
    assert seat.secure
    assert seat.latency_ms is None
