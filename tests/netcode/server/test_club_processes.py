"""The further processes of a club: that fail, that die, that answer."""

import asyncio

import pytest

from netcode.protocol.club_messages import TableInfo
from netcode.protocol.messages import TableSettings
from netcode.server import club_processes
from netcode.server.club_processes import ClubProcesses, DidOpen, ProcessError
from tests.netcode.odd_shard import TABLE
from tests.netcode.rooms import runs


class Watched(ClubProcesses):
    """Processes of which the test hears what they tell."""

    def __init__(self, *what: str) -> None:
        self.notes: asyncio.Queue[str] = asyncio.Queue()
        self.tables: asyncio.Queue[tuple[TableInfo, ...]] = asyncio.Queue()
        commands = [("tests.netcode.odd_shard", each) for each in what]
        super().__init__(commands, self.notes.put_nowait, self.tables.put_nowait)


@runs
async def test_one_that_cannot_listen_says_why() -> None:
    processes = Watched("fails")
    with pytest.raises(ProcessError, match=r"^The port is taken\.$"):
        await processes.start()
    await processes.close()


@runs
async def test_one_with_fewer_tables_opens_the_next() -> None:
    processes = Watched("answers")
    await processes.start()
    assert await processes.tables.get() == (TABLE,)
    assert processes.metrics == [{"moves": 1}]
    assert await processes.open(TableSettings(), here=1) is None
    assert await processes.open(TableSettings(), here=2) == DidOpen(bytes(12))
    # That one counts before it is told of.
    assert await processes.open(TableSettings(), here=2) is None
    await processes.close()


@runs
async def test_one_that_dies_is_started_again_and_whoever_waited_for_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(club_processes, "AGAIN_S", 0.0)
    processes = Watched("dies")
    await processes.start()
    await processes.notes.get()
    await processes.tables.get()
    assert await processes.open(TableSettings(), here=9) == DidOpen(None)
    assert await processes.notes.get() == "hello"
    await processes.close()


@runs
async def test_one_that_makes_no_sense_is_ended_and_started_again_however_often_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(club_processes, "AGAIN_S", 0.0)
    processes = Watched("babbles")
    await processes.start()
    (first,) = (each.running for each in processes._processes)
    start = asyncio.create_subprocess_exec

    async def fail(*_: object, **__: object) -> object:
        # Somebody had asked while it was starting.
        question = asyncio.get_running_loop().create_future()
        processes._processes[0].asked.append(question)
        monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
        raise OSError("no more files")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", fail)
    assert [await processes.notes.get() for _ in range(3)] == ["hello", "no more files", "hello"]
    assert first is not None
    assert first.returncode is not None
    assert not processes._processes[0].asked
    await processes.close()


@runs
async def test_one_that_is_being_ended_when_all_are_closed_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processes, begun, end = Watched("babbles"), asyncio.Event(), club_processes._end

    async def ending(process: club_processes._Process) -> None:
        begun.set()
        await end(process)

    monkeypatch.setattr(club_processes, "_end", ending)
    await processes.start()
    (first,) = (each.running for each in processes._processes)
    await begun.wait()
    await processes.close()
    assert first is not None
    assert first.returncode is not None
