"""The journal: what is told waits for what is kept, table by table, and troubles end no game."""

import asyncio
import sys
import threading
from collections.abc import Mapping
from random import Random
from typing import Literal

import pytest

from engine.game import Deal
from engine.record import Record
from netcode.protocol.messages import TableSettings, Welcome
from netcode.storage import journal as journal_module
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.effects import Close, Effect, Keep
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.finished_game import EndedGame, Ending
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot
from tests.support.kept import OPENED
from tests.support.pretend import hello
from tests.support.rooms import hear, listens, new_table, raw, runs, server_of, tell

A, B, C = 1, 2, 3
"""Tables."""

FULL = UnavailableError("The disk is full.")


class Ledger(Store):
    """A store that a test holds up, or breaks."""

    def __init__(self, *, held_up: bool = False) -> None:
        self.commits: list[dict[int, Keep]] = []
        self.times: list[int] = []
        self.loaded: list[tuple[int, int]] = []
        """Tables, and how many commits had been made."""
        self.may_go = threading.Event()
        self.broken: Exception | None = None
        self.spoilt: dict[int, Exception] = {}
        """Tables that cannot be kept, and why."""
        self.entered = 0
        self.attempts = 0
        self.closed = False
        if not held_up:
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
        """Return the revisions in which a table was kept, in order."""
        return [revision_of(commit[number]) for commit in self.commits if number in commit]

    def games(self, number: int) -> list[EndedGame]:
        """Return the games of a table that went into the history, in order."""
        kept = [commit[number] for commit in self.commits if number in commit]
        return [game for each in kept for game in each.ended]


class Bench:
    """A journal, and what it has let go."""

    def __init__(self, *, held_up: bool = False) -> None:
        self.ledger = Ledger(held_up=held_up)
        self.said: list[tuple[int | None, StoreError] | tuple[Literal["mended"]]] = []
        self.now = 1000.9
        self.journal = Journal(
            self.ledger,
            lambda table, error: self.said.append((table, error)),
            lambda: self.said.append(("mended",)),
            lambda: self.now,
        )
        self.done: list[Effect] = []

    def take(self, table: int, *effects: Effect) -> None:
        self.journal.submit(table, list(effects), self.done.extend)

    def let_go(self) -> list[Close]:
        """Return which effects have been carried out, besides those to keep something."""
        return [effect for effect in self.done if isinstance(effect, Close)]


def act(revision: int, *ended: EndedGame) -> Keep:
    return Keep(Snapshot(KeptTable(TableSettings()), KeptGame(revision=revision)), ended)


def revision_of(keep: Keep) -> int:
    assert keep.snapshot is not None
    return keep.snapshot.game.revision


def game(began: int) -> EndedGame:
    record = Record(Deal.shuffled(Random(1), "rbg"), began=began)
    return EndedGame(record, Ending("abandoned", (0, 0, 0), None, 1), ())


async def begun(bench: Bench) -> None:
    """Let a commit begin that the ledger holds up, so that all else comes during it."""
    bench.take(A, act(1), Close(1))
    await asyncio.sleep(0)
    assert Close(1) not in bench.done


def test_a_journal_leaves_to_the_process_how_its_threads_take_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: pytest.fail("a journal is but a part"))
    Bench()


@runs
async def test_effects_wait_for_the_commit_and_keep_their_order() -> None:
    bench = Bench(held_up=True)
    bench.take(A, Close(0))
    assert bench.let_go() == [Close(0)]
    await begun(bench)
    bench.take(A, Close(2))
    bench.take(A, act(2), Close(3))
    bench.take(A, Close(4))
    await asyncio.sleep(0)
    assert bench.let_go() == [Close(0)]
    bench.ledger.may_go.set()
    await bench.journal.settled()
    assert bench.let_go() == [Close(number) for number in range(5)]
    assert bench.ledger.kept(A) == [1, 2]
    await bench.journal.close()
    assert bench.ledger.closed


@runs
async def test_what_comes_from_all_tables_during_a_commit_is_the_next() -> None:
    bench = Bench(held_up=True)
    await begun(bench)
    bench.take(B, act(1, game(1)))
    bench.take(C, act(1))
    bench.take(B, act(2, game(2)))
    bench.ledger.may_go.set()
    await bench.journal.settled()
    first, second = bench.ledger.commits
    assert first == {A: act(1)}
    # Of each the newest, and every game that is over.
    assert second == {B: act(2, game(1), game(2)), C: act(1)}
    await bench.journal.close()


@runs
async def test_a_table_with_nothing_to_keep_does_not_wait_for_others() -> None:
    bench = Bench(held_up=True)
    await begun(bench)
    bench.take(B, Close(2))
    assert bench.let_go() == [Close(2)]
    await bench.journal.settled(B)
    bench.ledger.may_go.set()
    await bench.journal.close()
    assert bench.let_go() == [Close(2), Close(1)]


@runs
async def test_who_has_nothing_to_keep_waits_for_the_present_commit_and_not_for_the_next() -> None:
    bench = Bench(held_up=True)
    await begun(bench)
    bench.take(A, Close(2))
    bench.take(B, act(1), Close(3))
    one_commit = threading.Semaphore(1)
    bench.ledger.may_go.wait = one_commit.acquire  # type: ignore[method-assign,assignment]
    bench.ledger.may_go.set()
    await bench.journal.settled(A)
    assert bench.let_go() == [Close(1), Close(2)]
    one_commit.release()
    await bench.journal.settled(B)
    assert bench.let_go() == [Close(1), Close(2), Close(3)]
    one_commit.release()
    await bench.journal.close()


@runs
async def test_what_carrying_out_brings_comes_last() -> None:
    bench = Bench()
    journal, done = bench.journal, bench.done

    def carry_out(effects: list[Effect]) -> None:
        done.extend(effects)
        journal.submit(A, [Close(3)], done.extend)
        journal.submit(A, [act(2), Close(4)], done.extend)
        journal.submit(A, [Close(5)], done.extend)

    journal.submit(A, [act(1), Close(1)], carry_out)
    journal.submit(A, [Close(2)], done.extend)
    await journal.close()
    assert bench.let_go() == [Close(number) for number in range(1, 6)]
    assert bench.ledger.kept(A) == [1, 2]


def mistaken(effects: list[Effect]) -> None:
    raise KeyError("ASPHFLX")


@runs
async def test_a_mistake_in_carrying_out_holds_nobody_up(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    bench.journal.submit(A, [act(1)], mistaken)
    bench.take(A, Close(2))
    bench.take(B, act(1), Close(3))
    await bench.journal.close()
    assert bench.let_go() == [Close(2), Close(3)]
    assert "KeyError at netcode/storage/journal.py:" in caplog.text
    assert " mistaken" in caplog.text
    assert "ASPHFLX" not in caplog.text


@runs
async def test_commits_have_the_time_and_figures() -> None:
    bench = Bench()
    assert bench.journal.status().commits == 0
    for step in range(1, 4):
        bench.take(A, act(step))
        await bench.journal.settled()
        bench.now += 0.5
    figures = bench.journal.status()
    assert bench.ledger.times == [1000, 1001, 1001]
    assert (figures.works, figures.commits) == (True, 3)
    assert 0 < figures.p50_ms <= figures.p99_ms
    await bench.journal.close()


# Closing


@runs
async def test_closing_keeps_what_is_still_held_back() -> None:
    bench = Bench()
    bench.take(A, Keep(None), Close(1))
    await bench.journal.close()
    assert bench.ledger.commits == [{A: Keep(None)}]
    assert bench.let_go() == [Close(1)]


@runs
async def test_after_closing_effects_are_carried_out_and_nothing_is_kept() -> None:
    bench = Bench()
    await bench.journal.close()
    bench.take(A, act(1), Close(1))
    assert bench.let_go() == [Close(1)]
    assert bench.ledger.commits == []


# Troubles of the machine


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again without waiting."""
    monkeypatch.setattr(journal_module, "RETRY_S", 0.0)


@runs
async def test_a_full_disk_is_said_once_and_holds_nobody_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bench = Bench()
    bench.take(A, act(0))
    await bench.journal.settled()
    bench.ledger.broken = FULL
    for step in range(1, 6):
        bench.take(A, act(step), Close(step))
        bench.take(B, act(step))
        await bench.journal.settled()
    assert bench.let_go() == [Close(number) for number in range(1, 6)]
    assert bench.said == [(None, FULL)]
    assert bench.ledger.attempts == 2
    assert not bench.journal.keeps(A)
    assert not bench.journal.status().works
    await bench.journal.close()
    assert "Play goes on without a journal for now." in caplog.text
    assert "What was not kept until now is lost" in caplog.text


@pytest.mark.usefixtures("_at_once")
@runs
async def test_when_there_is_room_again_the_newest_is_kept_and_every_game() -> None:
    bench = Bench()
    ledger, journal = bench.ledger, bench.journal
    ledger.broken = FULL
    for step in range(1, 6):
        for table in A, B:
            bench.take(table, act(step, game(step)))
        await journal.settled()
    while ledger.attempts < 4:
        await asyncio.sleep(0)
    assert ledger.commits == []
    ledger.broken = None
    while bench.said[-1] != ("mended",):
        await asyncio.sleep(0)
    assert bench.said == [(None, FULL), ("mended",)]
    assert journal.keeps(A)
    bench.take(A, act(6))
    await journal.settled()
    assert ledger.kept(A) == [5, 6]
    assert ledger.kept(B) == [5]
    assert ledger.games(A) == ledger.games(B) == [game(step) for step in range(1, 6)]
    # What was told of without being kept is kept at once.
    assert ledger.commits[0].keys() == {A, B}
    await journal.close()


@pytest.mark.usefixtures("_at_once")
@runs
async def test_what_comes_during_the_try_that_succeeds_is_kept_after_it() -> None:
    bench = Bench()
    ledger, journal = bench.ledger, bench.journal
    ledger.broken = FULL
    bench.take(A, act(1, game(1)))
    await journal.settled()
    ledger.may_go.clear()
    ledger.broken = None
    while ledger.entered == ledger.attempts:
        await asyncio.sleep(0)
    for step in range(2, 5):
        # Nobody waits while it is not known whether the store works.
        bench.take(A, act(step, game(step)), Close(step))
        assert bench.let_go()[-1] == Close(step)
        assert not journal.keeps(A)
    ledger.may_go.set()
    while ("mended",) not in bench.said:
        await asyncio.sleep(0)
    bench.take(A, act(5))
    await journal.settled()
    assert ledger.kept(A) == [1, 4, 5]
    assert ledger.games(A) == [game(step) for step in range(1, 5)]
    await journal.close()


@runs
async def test_closing_tries_once_more() -> None:
    bench = Bench()
    bench.ledger.broken = FULL
    bench.take(A, act(1))
    bench.take(A, act(2))
    await bench.journal.settled()
    bench.ledger.broken = None
    await bench.journal.close()
    assert bench.ledger.kept(A) == [2]
    assert bench.said == [(None, FULL), ("mended",)]


@runs
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
    assert bench.ledger.kept(A) == [5]
    assert bench.ledger.games(A) == [game(step) for step in (3, 4, 5)]
    assert "a game that is over is lost" in caplog.text


# Troubles of one table


@pytest.mark.parametrize("fault", [StoreError("It is damaged."), RuntimeError("a bug")])
@runs
async def test_a_table_that_cannot_be_kept_is_no_trouble_of_others(
    fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(held_up=True)
    ledger, journal = bench.ledger, bench.journal
    await begun(bench)
    ledger.spoilt = {B: fault}
    for step in 1, 2:
        for table in A, B, C:
            bench.take(table, act(step + 10), Close(step))
    ledger.may_go.set()
    await journal.settled()
    attempts = ledger.attempts
    bench.take(B, act(13), Close(9))
    assert bench.let_go()[-1] == Close(9)
    bench.take(C, act(13))
    await journal.settled()
    assert ledger.attempts == attempts + 1
    assert ledger.kept(A) == [1, 12]
    assert ledger.kept(B) == []
    assert ledger.kept(C) == [12, 13]
    (said,) = bench.said
    assert said[0] == B
    assert journal.status().works
    assert [journal.keeps(table) for table in (A, B, C)] == [True, False, True]
    await journal.close()
    assert "A table goes on without a journal." in caplog.text


@runs
async def test_a_full_disk_found_while_looking_for_the_fault_of_one_gives_no_table_up() -> None:
    bench = Bench(held_up=True)
    ledger = bench.ledger
    await begun(bench)
    ledger.spoilt = {C: StoreError("It is damaged."), B: FULL}
    for table in C, B, A:
        bench.take(table, act(2))
    ledger.may_go.set()
    await bench.journal.settled()
    assert [table for table, *_ in bench.said] == [C, None]
    # The first, all three, A, C, and B.
    assert ledger.attempts == 5
    ledger.spoilt.pop(B)
    await bench.journal.close()
    assert ledger.kept(A) == [1, 2, 2]
    assert ledger.kept(B) == [2]
    assert ledger.kept(C) == []


# Waking and putting to sleep


@runs
async def test_a_table_is_loaded_after_what_it_gave_has_been_kept() -> None:
    bench = Bench(held_up=True)
    await begun(bench)
    bench.take(B, act(1))
    loading = asyncio.ensure_future(bench.journal.load(B))
    await asyncio.sleep(0)
    assert not loading.done()
    bench.ledger.may_go.set()
    assert (await loading).table.opened == OPENED
    assert bench.ledger.loaded == [(B, 2)]
    await bench.journal.close()


@runs
async def test_a_table_of_which_not_all_is_kept_is_neither_loaded_nor_let_go() -> None:
    bench = Bench()
    journal, ledger = bench.journal, bench.ledger
    ledger.spoilt = {B: StoreError("It is damaged.")}
    bench.take(B, act(1))
    await journal.settled()
    ledger.broken = FULL
    bench.take(A, act(1))
    await journal.settled()
    with pytest.raises(StoreError, match="The disk is full"):
        await journal.load(A)
    with pytest.raises(StoreError, match="It is damaged"):
        await journal.load(B)
    await journal.load(C)
    await journal.close()


@runs
async def test_what_is_run_in_the_journals_thread_holds_nothing_up() -> None:
    bench = Bench()
    main = threading.current_thread()
    assert await bench.journal.run(threading.current_thread) is not main
    with pytest.raises(StoreError, match="no such thing"):
        await bench.journal.run(lambda: complain("no such thing"))
    await bench.journal.close()


def complain(why: str) -> None:
    raise StoreError(why)


# The journal of a server


@runs
async def test_a_client_hears_of_nothing_before_it_is_kept() -> None:
    ledger = Ledger(held_up=True)
    table = new_table()
    async with server_of(table, journal=Journal(ledger)) as server:
        await listens(server)
        async with raw(server) as peer:
            await tell(peer, hello("a"))
            while not table.participants.seats:
                await asyncio.sleep(0.01)
            first = asyncio.ensure_future(hear(peer))
            # What had been sent before would have come before the answer to a ping.
            await (await peer.ping())
            assert not first.done()
            ledger.may_go.set()
            assert isinstance(await first, Welcome)
