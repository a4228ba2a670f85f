"""Tests the journal of a game against bots: its opening, and the effects that wait for it."""

import asyncio

import pytest

from driflamme_tui.hosting import solo_journal
from driflamme_tui.hosting.solo_journal import SoloJournal
from netcode.protocol.table_settings import TableSettings
from netcode.storage.database import default_path
from netcode.storage.solo_store import SoloStore, has_unfinished_game
from netcode.storage.store import Store
from netcode.table.effects import Effect, Keep
from netcode.table.errors import StoreError
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot

NUMBER = 7


def kept(revision: int, phase: str = "playing", *, moves: int = 1) -> list[Effect]:
    """Return effects that store a table after some answers."""
    game = KeptGame(1, revision, phase)  # type: ignore[arg-type]
    return [Keep(Snapshot(KeptTable(TableSettings()), game), moves=moves)]


def test_the_database_opens_with_the_first_answer_which_waits_for_it() -> None:
    async def steps() -> None:
        journal, done = SoloJournal(NUMBER, sentences.append), list[list[Effect]]()
        journal.submit(NUMBER, kept(0, moves=0), done.append)
        assert done == [kept(0, moves=0)]
        assert not default_path().exists()
        journal.submit(NUMBER, kept(1), done.append)
        journal.submit(NUMBER, [], done.append)
        assert len(done) == 1, "nobody hears of the answer before it is stored"
        assert not journal.keeps(NUMBER)
        await journal.settled()
        assert done[1:] == [kept(1), []]
        assert journal.keeps(NUMBER)
        assert not has_unfinished_game(), "this program has it open"
        await journal.close()

    sentences: list[str] = []
    asyncio.run(steps())
    assert (sentences, has_unfinished_game()) == ([], True)
    store = SoloStore.open()
    assert store.load(NUMBER).game.revision == 1
    store.close()
    host = Store.open()
    assert host.unfinished(empty=True) is None, "it is no table of a host"
    host.close()


async def test_a_game_without_an_answer_is_stored_once_the_table_is_drawn() -> None:
    journal, done = SoloJournal(NUMBER, print, wait_s=0), list[list[Effect]]()
    journal.submit(NUMBER, kept(0, moves=0), done.append)
    journal.open_soon()
    journal.submit(NUMBER, kept(1, moves=0), done.append)
    assert len(done) == 2, "the player need not wait"
    await journal.close()
    store = SoloStore.open()
    assert store.load(NUMBER).game.revision == 1
    store.close()


async def test_a_program_that_ends_at_once_stores_its_game_all_the_same() -> None:
    journal = SoloJournal(NUMBER, print, wait_s=1_000_000)
    journal.submit(NUMBER, kept(0, moves=0), print)
    journal.open_soon()
    await journal.close()
    assert journal.keeps(NUMBER)
    assert has_unfinished_game()


async def test_the_first_answer_waits_for_no_drawing() -> None:
    journal, done = SoloJournal(NUMBER, print, wait_s=1_000_000), list[list[Effect]]()
    journal.open_soon()
    journal.submit(NUMBER, kept(1), done.append)
    while not done:
        await asyncio.sleep(0)
    await journal.close()
    assert done == [kept(1)]


def test_a_game_goes_on_where_no_database_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_number: int) -> SoloStore:
        raise StoreError("The disk is full.")

    async def steps() -> None:
        journal, done = SoloJournal(NUMBER, sentences.append), list[list[Effect]]()
        for revision in (1, 2):
            journal.submit(NUMBER, kept(revision), done.append)
        await journal.settled()
        journal.submit(NUMBER, kept(3), done.append)
        assert done == [kept(1), kept(2), kept(3)]
        assert not journal.keeps(NUMBER)
        await journal.close()

    sentences: list[str] = []
    monkeypatch.setattr(solo_journal, "_open_store", fails)
    asyncio.run(steps())
    assert sentences == [
        "The disk is full. The game continues, but it could not be resumed after a crash."
    ]
