"""Tests that messages wait until the journal has stored their state; errors end no game."""

import asyncio
import threading
from collections.abc import Mapping
from random import Random

import pytest

from engine.game import Deal
from engine.record import Record
from netcode.protocol.messages import Welcome
from netcode.protocol.table_settings import TableSettings
from netcode.storage import journal as journal_module
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.effects import Close, Effect, Keep
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.finished_game import EndedGame, Ending
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot
from tests.support.kept import OPENED
from tests.support.pretend import hello
from tests.support.servers import (
    listens,
    new_table,
    raw,
    receive_message,
    send_to_socket,
    server_of,
)

A, B, C = 1, 2, 3
"""Numbers of three tables."""

FULL = UnavailableError("The disk is full.")


class Ledger(Store):
    """A store that a test can delay or break."""

    def __init__(self) -> None:
        self.commits: list[dict[int, Keep]] = []
        self.times: list[int] = []
        self.loaded: list[tuple[int, int]] = []
        """The numbers of loaded tables, each with the number of commits before its loading."""
        self.may_go = threading.Event()
        self.broken: Exception | None = None
        self.spoilt: dict[int, Exception] = {}
        """Tables that cannot be stored, with their errors."""
        self.entered = 0
        self.attempts = 0
        self.closed = False
        self.may_go.set()

    def commit(self, newest: Mapping[int, Keep], at: int) -> None:
        self.entered += 1
        self.may_go.wait()
        self.attempts += 1
        if self.broken is not None:
            raise self.broken
        for number in newest:
            if number in self.spoilt:
                raise self.spoilt[number]
        self.commits.append(dict(newest))
        self.times.append(at)

    def load(self, number: int) -> Snapshot:
        self.loaded.append((number, len(self.commits)))
        return Snapshot(KeptTable(TableSettings(), opened=OPENED))

    def close(self) -> None:
        self.closed = True

    def kept(self, number: int) -> list[int]:
        """Return the stored revisions of a table, in order."""
        return [revision_of(commit[number]) for commit in self.commits if number in commit]

    def games(self, number: int) -> list[EndedGame]:
        """Return the games of a table in the history, in order."""
        kept = [commit[number] for commit in self.commits if number in commit]
        return [game for each in kept for game in each.ended]


class Bench:
    """Plays scenes on a journal, and records its effects."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.said: list[str] = []
        self.now = 1000.9
        self.journal = Journal(
            self.ledger,
            lambda table, error: self.said.append("all" if table is None else TABLES[table]),
            lambda: self.said.append("mended"),
            lambda: self.now,
        )
        self.done: list[Effect] = []

    def take(self, table: int, *effects: Effect) -> None:
        self.journal.submit(table, list(effects), self.done.extend)

    async def happens(self, what: str) -> None:
        ledger, journal = self.ledger, self.journal
        match what.split():
            case ["held", "up"]:
                ledger.may_go.clear()
            case ["goes", "on"]:
                ledger.may_go.set()
            case ["settled", *table]:
                await journal.settled(*map(TABLES.index, table))
            case ["a", "moment"]:
                await asyncio.sleep(0)
            case ["closed"]:
                await journal.close()
            case ["full"]:
                ledger.broken = FULL
            case ["room"]:
                ledger.broken = None
            case ["spoilt", table, how]:
                ledger.spoilt[TABLES.index(table)] = FAULTS[how]
            case ["right", table]:
                ledger.spoilt.pop(TABLES.index(table))
            case ["a", "try", "begins"]:
                while ledger.entered == ledger.attempts:
                    await asyncio.sleep(0)
            case [number, "attempts"]:
                while ledger.attempts < int(number):
                    await asyncio.sleep(0)
            case ["mended"]:
                while self.said[-1:] != ["mended"]:
                    await asyncio.sleep(0)
            case [table, *words]:
                effects: list[Effect] = []
                for verb, number in zip(words[::2], words[1::2], strict=True):
                    match verb:
                        case "keeps":
                            effects.append(act(int(number)))
                        case "ends":
                            effects.append(act(int(number), game(int(number))))
                        case "is":
                            effects.append(Keep(None))
                        case "lets":
                            effects.append(Close(int(number)))
                self.take(TABLES.index(table), *effects)

    def is_so(self, what: str) -> None:
        ledger, journal = self.ledger, self.journal
        match what.split():
            case ["let", *numbers]:
                let_go = [each for each in self.done if isinstance(each, Close)]
                assert let_go == [Close(int(each)) for each in numbers]
            case ["just", "let", number]:
                assert self.done[-1] == Close(int(number))
            case ["kept", table, *numbers]:
                assert ledger.kept(TABLES.index(table)) == [*map(int, numbers)]
            case ["games", table, *numbers]:
                games = [game(int(each)) for each in numbers]
                assert ledger.games(TABLES.index(table)) == games
            case ["together", *tables]:
                together = [TABLES[number] for number in sorted(ledger.commits[-1])]
                assert together == tables
            case ["said", *said]:
                assert self.said == said
            case [number, "tries"]:
                assert ledger.attempts == int(number)
            case ["journals", *tables]:
                assert [each for each in "ABC" if journal.keeps(TABLES.index(each))] == tables
            case ["works" | "works-not"]:
                assert journal.status()["works"] == (what == "works")
            case ["over"]:
                assert ledger.closed
            case ["gone"]:
                assert ledger.commits == [{A: Keep(None)}]
            case ["nothing", "kept"]:
                assert ledger.commits == []
            case _:
                raise ValueError(what)


TABLES = "-ABC"

FAULTS = {"damaged": StoreError("It is damaged."), "bug": RuntimeError("a bug"), "full": FULL}


def act(revision: int, *ended: EndedGame) -> Keep:
    return Keep(Snapshot(KeptTable(TableSettings()), KeptGame(revision=revision)), ended)


def revision_of(keep: Keep) -> int:
    assert keep.snapshot is not None
    return keep.snapshot.game.revision


def game(began: int) -> EndedGame:
    record = Record(Deal.shuffled(Random(1), "rbg"), began=began)
    return EndedGame(record, Ending("abandoned", (0, 0, 0), None, 1), ())


SPOILT_ONE = """
        held up, A keeps 1, a moment, spoilt B {fault}
        A keeps 11 lets 1, B keeps 11 lets 1, C keeps 11 lets 1, A keeps 12 lets 2
        B keeps 12 lets 2, C keeps 12 lets 2, goes on
        settled | kept A 1 12; kept B; kept C 12; said B; works
        B keeps 13 lets 9 | just let 9; journals A C
        C keeps 13, settled, closed | kept C 12 13
"""

SCENES = {
    "effects wait for the commit and keep their order": """
        A lets 0 | let 0
        held up, A keeps 1 lets 1, a moment, A lets 2, A keeps 2 lets 3, A lets 4, a moment | let 0
        goes on, settled | let 0 1 2 3 4; kept A 1 2
        closed | over
    """,
    "what comes from all tables during a commit is the next": """
        held up, A keeps 1, a moment, B ends 1, C keeps 1, B ends 2, goes on, settled
        closed | kept A 1; kept B 2; games B 1 2; kept C 1; together B C; 2 tries
    """,
    "a table with nothing to keep does not wait for others": """
        held up, A keeps 1 lets 1, a moment, B lets 2, settled B | let 2
        goes on, closed | let 2 1
    """,
    "closing keeps what is still held back": """
        A is gone lets 1, closed | gone; let 1
    """,
    "after closing effects are executed and nothing is kept": """
        closed, A keeps 1 lets 1 | let 1; nothing kept
    """,
    # Troubles of the machine
    "a full disk is said once and holds nobody up": """
        A keeps 9, settled, full, A keeps 1 lets 1, settled, A keeps 2 lets 2, B keeps 2, settled
        A keeps 3 lets 3, settled | let 1 2 3; said all; 2 tries; journals C; works-not
        closed | kept A 9
    """,
    "when there is room again the newest is kept and every game": """
        full, A ends 1, B ends 1, settled, A ends 2, B ends 2, settled, 4 attempts | nothing kept
        room, mended | said all mended; journals A B C; together A B
        A keeps 6, settled | kept A 2 6; kept B 2; games A 1 2; games B 1 2
    """,
    "what comes during the try that succeeds is kept after it": """
        full, A ends 1, settled, held up, room, a try begins, A ends 2 lets 2, A ends 3 lets 3
        a moment | let 2 3; journals B C
        goes on, mended, A keeps 5, settled | kept A 1 3 5; games A 1 2 3
    """,
    "closing tries once more": """
        full, A keeps 1, A keeps 2, settled, room, closed | kept A 2; said all mended
    """,
    # Troubles of one table
    "a table that is damaged is no trouble of others": SPOILT_ONE.format(fault="damaged"),
    "a table that fails is no trouble of others": SPOILT_ONE.format(fault="bug"),
    "a disk that is full while the fault of one is looked for gives no table up": """
        held up, A keeps 1, a moment, spoilt C damaged, spoilt B full, C keeps 2, B keeps 2
        A keeps 2, goes on, settled | said C all; 5 tries
        right B, closed | kept A 1 2 2; kept B 2; kept C
    """,
}


@pytest.mark.parametrize("name", SCENES)
async def test_a_scene_goes_as_it_is_written(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Retry immediately in scenes that wait for a retry.
    if "mended, A" in SCENES[name] or "room, mended" in SCENES[name]:
        monkeypatch.setattr(journal_module, "RETRY_S", 0.0)
    bench = Bench()
    for line in SCENES[name].strip().splitlines():
        happens, _, so = line.strip().partition(" | ")
        for each in happens.split(", "):
            await bench.happens(each)
        for each in filter(None, so.split("; ")):
            try:
                bench.is_so(each)
            except AssertionError as error:
                error.add_note(f"{each!r} at {line.strip()}")
                raise
    if not bench.ledger.closed:
        await bench.journal.close()


async def test_what_carrying_out_brings_comes_last() -> None:
    bench = Bench()
    journal, done = bench.journal, bench.done

    def execute(effects: list[Effect]) -> None:
        done.extend(effects)
        journal.submit(A, [Close(3)], done.extend)
        journal.submit(A, [act(2), Close(4)], done.extend)
        journal.submit(A, [Close(5)], done.extend)

    journal.submit(A, [act(1), Close(1)], execute)
    journal.submit(A, [Close(2)], done.extend)
    await journal.close()
    bench.is_so("let 1 2 3 4 5")
    bench.is_so("kept A 1 2")


def mistaken(effects: list[Effect]) -> None:
    raise KeyError("ASPHFLX")


async def test_a_mistake_in_carrying_out_holds_nobody_up(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    bench.journal.submit(A, [act(1)], mistaken)
    bench.take(A, Close(2))
    bench.take(B, act(1), Close(3))
    await bench.journal.close()
    bench.is_so("let 2 3")
    assert "KeyError at netcode/storage/journal.py:" in caplog.text
    assert " mistaken" in caplog.text
    assert "ASPHFLX" not in caplog.text


async def test_commits_have_the_time_and_figures() -> None:
    bench = Bench()
    assert bench.journal.status()["commits"] == 0
    for step in range(1, 4):
        bench.take(A, act(step))
        await bench.journal.settled()
        bench.now += 0.5
    figures = bench.journal.status()
    assert bench.ledger.times == [1000, 1001, 1001]
    assert (figures["works"], figures["commits"]) == (True, 3)
    assert 0 < figures["p50_ms"] <= figures["p99_ms"]
    await bench.journal.close()


async def test_of_the_games_that_wait_for_too_long_the_last_are_kept(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(journal_module, "MAXIMUM_ENDED", 3)
    bench = Bench()
    bench.ledger.broken = FULL
    for step in range(1, 6):
        bench.take(A, act(step, game(step)))
        await bench.journal.settled()
    bench.ledger.broken = None
    await bench.journal.close()
    bench.is_so("kept A 5")
    bench.is_so("games A 3 4 5")
    assert "Play goes on without a journal for now." in caplog.text
    assert "a game that is over is lost" in caplog.text


async def test_a_table_is_loaded_after_what_it_gave_has_been_kept() -> None:
    bench = Bench()
    for each in ("held up", "A keeps 1", "a moment", "B keeps 1"):
        await bench.happens(each)
    loading = asyncio.ensure_future(bench.journal.load(B))
    await asyncio.sleep(0)
    assert not loading.done()
    bench.ledger.may_go.set()
    assert (await loading).table.opened == OPENED
    assert bench.ledger.loaded == [(B, 2)]
    await bench.journal.close()


async def test_a_table_of_which_not_all_is_kept_is_neither_loaded_nor_let_go() -> None:
    bench = Bench()
    for each in ("spoilt B damaged", "B keeps 1", "settled", "full", "A keeps 1", "settled"):
        await bench.happens(each)
    with pytest.raises(StoreError, match="The disk is full"):
        await bench.journal.load(A)
    with pytest.raises(StoreError, match="It is damaged"):
        await bench.journal.load(B)
    await bench.journal.load(C)
    await bench.journal.close()


async def test_what_is_run_in_the_journals_thread_holds_nothing_up() -> None:
    bench = Bench()
    main = threading.current_thread()
    assert await bench.journal.run(threading.current_thread) is not main
    with pytest.raises(StoreError, match="no such thing"):
        await bench.journal.run(lambda: complain("no such thing"))
    await bench.journal.close()


def complain(why: str) -> None:
    raise StoreError(why)


async def test_a_client_hears_of_nothing_before_it_is_kept() -> None:
    ledger = Ledger()
    ledger.may_go.clear()
    table = new_table()
    async with server_of(table, journal=Journal(ledger)) as server:
        await listens(server)
        async with raw(server) as peer:
            await send_to_socket(peer, hello("a"))
            while not table.participants.seats:
                await asyncio.sleep(0.01)
            first = asyncio.ensure_future(receive_message(peer))
            # Wait for the answer to a ping: messages that were sent before it would arrive first.
            await (await peer.ping())
            assert not first.done()
            ledger.may_go.set()
            assert isinstance(await first, Welcome)
