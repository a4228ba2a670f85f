"""Tests that a club wakes sleeping tables at the times that parts of wings want."""

import asyncio
import logging
from math import inf
from pathlib import Path

import pytest

from netcode.protocol.messages import State
from netcode.server.server import Server
from netcode.table import kinds, parts
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.parts import PartPlace, StoredNote, TablePart, TablePartKind, part_kinds
from netcode.table.people.seats import Seat
from netcode.table.snapshot import Snapshot
from netcode.wings.clubs.club_tables import (
    IDLE_AGAIN_AFTER_S,
    SLEEP_AFTER_S,
    SLEEP_AGAIN_AFTER_S,
)
from netcode.wings.clubs.wake_ups import SPARE, wakes_at
from tests.netcode.simulation.clockwork import in_no_time
from tests.support.patience import Patience
from tests.support.planted import substitute
from tests.wings.clubs.test_club_tables import (
    Member,
    are_asleep,
    club_of,
    deserted,
    opened,
    put_to_sleep,
    settled,
)

HOUR = 3600.0


class Waits(TablePart):
    """A part that gives everybody an hour for an answer."""

    def __init__(self, place: PartPlace) -> None:
        super().__init__(place)
        self.out_at = 0.0 if place.stored is None else float(place.stored.data)
        self._wait()

    def started(self) -> None:
        self.out_at = self.place.unix_time() + HOUR
        self.place.store(str(self.out_at).encode())
        self._wait()

    def answered(self, seat: Seat) -> None:
        self.started()

    def _wait(self) -> None:
        self.place.set_time_control(Patience(self.place.unix_time, out_at=self.out_at))


KIND = TablePartKind(
    "waits", Waits, note_of=lambda kept: StoredNote(out_at(kept), "what the part knows")
)


def out_at(kept: Snapshot) -> float:
    record = kept.table.wings.get("waits")
    return inf if record is None else float(record.data)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the part to every table, and let the Unix time be that of the event loop."""
    for module in (parts, kinds):
        substitute(monkeypatch, part_kinds, lambda: (KIND,), module)
    monkeypatch.setattr("netcode.transport.running_clock.STOPPED_S", 1e9)
    monkeypatch.setattr("netcode.server.server.SWEEP_S", 600.0)
    monkeypatch.setattr("tests.wings.clubs.test_club_tables.unix_time", loop_time)


def loop_time() -> float:
    return 1_000_000.0 + asyncio.get_running_loop().time()


async def moves(server: Server) -> int:
    """Return the number of answers at the only table, as the journal has them."""
    await settled(server)
    (entry,) = server.registry.entries
    assert server._journal is not None
    kept = await server._journal.load(entry.number)  # type: ignore[attr-defined]
    return len(kept.game.actions)


@in_no_time
async def test_a_sleeping_table_wakes_when_its_part_wants_and_sleeps_again(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as server:
        _secret, _key, _ = await deserted(server)
        (entry,) = server.registry.entries
        await asyncio.sleep(SLEEP_AFTER_S)
        assert are_asleep(server) == [True]
        assert entry.notes["waits"].value == "what the part knows"
        before = await moves(server)
        await asyncio.sleep(HOUR)
        assert await moves(server) > before
        await asyncio.sleep(5 * SLEEP_AGAIN_AFTER_S)
        assert are_asleep(server) == [True]
        assert wakes_at(entry) > loop_time()


@in_no_time
async def test_a_deadline_that_passed_while_the_club_was_closed_is_met_at_once(
    tmp_path: Path,
) -> None:
    path = tmp_path / "tables.db"
    async with opened(path) as server:
        await deserted(server)
        before = await moves(server)
    await asyncio.sleep(3 * HOUR)
    async with opened(path) as server:
        assert are_asleep(server) == [True]
        await asyncio.sleep(5)
        assert await moves(server) > before


@in_no_time
async def test_a_visitor_who_wakes_a_table_has_its_notes_removed(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as server:
        secret, key, _ = await deserted(server)
        (entry,) = server.registry.entries
        anna = Member(server)
        await anna.comes("anna", secret, key)
        await anna.until(State)
        assert (entry.notes, wakes_at(entry)) == ({}, float("inf"))


@in_no_time
async def test_a_damaged_table_does_not_keep_the_others_asleep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path / "tables.db") as server:
        await deserted(server)
        await deserted(server)
        first, second = server.registry.entries
        assert server._journal is not None
        load = server._journal.load  # type: ignore[attr-defined]

        async def odd(number: int) -> Snapshot:
            if number == first.number:
                raise StoreError("The journal is damaged.")
            kept: Snapshot = await load(number)
            return kept

        monkeypatch.setattr(server._journal, "load", odd)
        with caplog.at_level(logging.ERROR):
            await asyncio.sleep(HOUR + 1)
        assert first.table is None
        assert second.table is not None
        assert "The journal is damaged." in caplog.text


@in_no_time
async def test_a_table_that_could_not_be_restored_wakes_when_the_disk_works_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_number: int) -> Snapshot:
        raise UnavailableError("The disk is full.")

    async with opened(tmp_path / "tables.db") as server:
        await deserted(server)
        before = await moves(server)
        await put_to_sleep(server)
        (entry,) = server.registry.entries
        with monkeypatch.context() as patch:
            patch.setattr(server._journal, "load", fail)
            await asyncio.sleep(HOUR + 1)
            assert entry.table is None
        await asyncio.sleep(IDLE_AGAIN_AFTER_S)
        assert await moves(server) > before


@in_no_time
async def test_a_table_that_never_does_what_is_due_wakes_once_in_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = TablePartKind("waits", TablePart, note_of=lambda _kept: StoredNote(1.0, "due"))
    for module in (parts, kinds):
        substitute(monkeypatch, part_kinds, lambda: (idle,), module)
    async with opened(tmp_path / "tables.db") as server:
        await deserted(server)
        assert server._journal is not None
        load, woken = server._journal.load, list[int]()  # type: ignore[attr-defined]

        async def counted(number: int) -> Snapshot:
            woken.append(number)
            kept: Snapshot = await load(number)
            return kept

        monkeypatch.setattr(server._journal, "load", counted)
        await asyncio.sleep(SLEEP_AFTER_S + 5 * HOUR)
    assert 4 <= len(woken) <= 6


@in_no_time
async def test_outdated_times_do_not_pile_up(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as server:
        await deserted(server)
        (entry,) = server.registry.entries
        for _ in range(3 * SPARE):
            club_of(server)._wake_ups.add(entry, wakes_at(entry) - 1)
        await put_to_sleep(server)
        assert len(club_of(server)._wake_ups._times) <= SPARE + 3
