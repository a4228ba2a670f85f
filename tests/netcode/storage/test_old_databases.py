"""Databases that the programs of earlier versions have written, taken over with all their games.

Each of `databases` has four tables: at the first there was a whole game, and another is under way;
at the second people look at a result; the third was left in the middle of a game; the fourth was
closed in the lobby after a game.
"""

import sqlite3
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.record import replay
from netcode.storage import history_rows
from netcode.storage.history import Filter, History
from netcode.storage.schema import MIGRATIONS
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from netcode.table.finished_game import PastGame, ending
from netcode.table.journal_entries import KeptAct
from netcode.table.table import Table
from tests.netcode.kept import ask, change, used_on

VERSIONS = range(1, len(MIGRATIONS))

WITHOUT_HISTORY = range(1, 4)
"""Versions whose ended games are still in the journal."""

PUBLISHED = [
    "181cccd0d6fc556d9b82e7ee557e026a7334b9df876cced9c2ffbae4308de099",
    "1e63e41d5fb3bdbbf6a9890b69441c919e7dbccebd11cee86510208daf6d5eaf",
    "bd8e6fecb3eb5a61cfd45f51435fbb5db3bc115453ab214d76470108e17a41ba",
    "4fb529870f922887b42bbce5f0dd161856fa18fb4a570b391c8fab927f6580bf",
    "e3b6091fd72c0d9d811b0d70ae12b79582458e72ef3598a43ab252778e24e937",
    "fd60c0cd250447a16a64f2db40704e0f0276d5494db9aca966598cdb37916f8e",
    "d6daec2c3b0351e365f5885994393703e4163d253a37c9f0222e65f0e1d97b98",
    "60bd289e8720e582071504d444c7a2f95d8c9c5693d78d730f2945209f7124d4",
]
"""What the statements of each version must always come to."""


def database(tmp_path: Path, version: int) -> Path:
    """Make the database of a version."""
    path = tmp_path / "tables.db"
    tmp_path.mkdir(exist_ok=True)
    made = sqlite3.connect(path)
    made.executescript(
        (Path(__file__).parents[1] / "databases" / f"version_{version}.sql").read_text()
    )
    made.close()
    return path


def games(path: Path) -> list[PastGame]:
    with History.open(path) as history:
        for game in history.games():
            record = history.record(game.id)
            assert ending(record, game.outcome).scores == tuple(each.score for each in game.players)
        return history.games()


@pytest.mark.parametrize("version", VERSIONS)
def test_every_game_that_will_not_go_on_is_in_the_history(tmp_path: Path, version: int) -> None:
    path = database(tmp_path, version)
    found = games(path)
    assert [game.outcome for game in found].count("finished") == 3
    assert [game.outcome for game in found].count("abandoned") == 1
    names = {tuple(player.name for player in game.players) for game in found}
    bots = {player.bot for game in found for player in game.players}
    if version == 1:
        # It said who sits there now, and nothing of when.
        assert names == {("", "", ""), ("Rosalind", "Blaise", "Steady")}
        assert {game.began for game in found} == {None}
    else:
        assert names == {("Rosalind", "Blaise", "Aubin")}
        assert bots == {None, "steady"}
        assert all(game.began and game.ended and game.began < game.ended for game in found)
        # The third table had no owner.
        assert sorted(game.own for game in found) == [(), (0,), (0,), (0,)]
    assert ask(path, "PRAGMA integrity_check") == [("ok",)]
    before = found
    assert games(path) == before


@pytest.mark.parametrize("version", VERSIONS)
def test_a_game_in_the_middle_goes_on_and_is_in_the_history_at_its_end(
    tmp_path: Path, version: int
) -> None:
    path = database(tmp_path, version)
    store = Store.open(path)
    playing = [
        table for table, phase in ask(path, "SELECT id, phase FROM tables") if phase == "playing"
    ]
    kept = store.load(playing[0])
    assert len(kept.acts) > 15
    table = Table.restore(kept, Random(1), lambda: bytes(32))
    record = table.record()
    assert record is not None
    assert [player.name for player in record.players][:2] == ["Rosalind", "Blaise"]
    assert record.actions == tuple(act.token for act in kept.acts)
    *_, last = replay(record)
    token = last.after.legal[0].token
    game = kept.table.games
    act = KeptAct(game, len(kept.acts) + 1, last.after.turn, None, token)
    store.commit([(playing[0], act)], 5_000_000_000)
    used_on(path, range(57_871, 57_881))
    assert store.abandon(5_000_000_001, club=False) == 0, "it is open here"
    store.close()
    assert Store.open(path).abandon(5_000_000_001, club=False) == 1
    with History.open(path) as history:
        assert history.count(Filter(outcome="abandoned")) == 2
        actions = [history.record(each.id).actions for each in history.games()]
    assert (*record.actions, token) in actions


@pytest.mark.parametrize("version", VERSIONS)
def test_a_result_can_still_be_looked_at(tmp_path: Path, version: int) -> None:
    path = database(tmp_path, version)
    store = Store.open(path)
    (number,) = (
        table for table, phase in ask(path, "SELECT id, phase FROM tables") if phase == "result"
    )
    table = Table.restore(store.load(number), Random(1), lambda: bytes(32))
    assert table.phase == "result"
    record = table.record()
    assert record is not None
    with History.open(path) as history:
        records = [history.record(game.id) for game in history.games()]
    assert [each.actions for each in records].count(record.actions) == 1


@pytest.mark.parametrize("version", WITHOUT_HISTORY)
@pytest.mark.parametrize(
    ("damage", "number"),
    [
        ("DELETE FROM actions WHERE table_id = {t} AND game = 1 AND step = 5", 4),
        ("UPDATE actions SET token = 'nonsense' WHERE table_id = {t} AND step = 9", 4),
        ("UPDATE actions SET token = x'ff' WHERE table_id = {t} AND step = 9", 4),
        ("UPDATE actions SET step = step + 1000 WHERE table_id = {t} AND step > 20", 4),
        ("UPDATE games SET record = '{{' WHERE table_id = {t}", 4),
        ("UPDATE games SET record = cast(x'ff' AS TEXT) WHERE table_id = {t}", 2),
        ("UPDATE games SET record = 7 WHERE table_id = {t}", 3),
    ],
)
def test_a_damaged_game_stays_where_it_is_and_keeps_no_other_out(
    tmp_path: Path, version: int, damage: str, number: int
) -> None:
    path = database(tmp_path, version)
    table = ask(path, "SELECT id FROM tables ORDER BY opened")[number - 1][0]
    change(path, damage.format(t=table))
    rows = f"SELECT table_id, game, step, token FROM actions WHERE table_id = {table}"
    before = ask(path, rows)
    found = games(path)
    assert len(found) == 3
    assert ask(path, rows) == before
    Store.open(path).prune(2**40)
    assert ask(path, rows) == before
    assert ask(path, f"SELECT past FROM games WHERE table_id = {table}") == [(0,)]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_damaged_game_in_the_middle_is_neither_lost_nor_told(
    tmp_path: Path, version: int
) -> None:
    path = database(tmp_path, version)
    (number,) = (
        table for table, phase in ask(path, "SELECT id, phase FROM tables") if phase == "playing"
    )
    change(path, f"DELETE FROM actions WHERE table_id = {number} AND game = 2 AND step = 3")
    assert len(games(path)) == 4
    used_on(path, range(57_871, 57_881))
    store = Store.open(path)
    assert store.abandon(5_000_000_000, club=False) == 0
    with pytest.raises(StoreError, match="step 3 of the game is missing"):
        Table.restore(store.load(number), Random(1), lambda: bytes(32))


@pytest.mark.parametrize("version", range(len(MIGRATIONS) + 1))
def test_a_version_on_top_that_gives_the_history_a_column_finds_it_whole(
    tmp_path: Path, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version in VERSIONS:
        path = database(tmp_path, version)
        whole = games(database(tmp_path / "today", version))
    else:
        # Of the present version, or of a new database.
        path = database(tmp_path, VERSIONS[-1]) if version else tmp_path / "tables.db"
        whole = games(path) if version else []
    row = history_rows._row

    def row_on_top(*arguments: Any) -> dict[str, Any]:
        return {**row(*arguments), "mood": "merry"}

    on_top = "ALTER TABLE history ADD COLUMN mood TEXT NOT NULL DEFAULT 'unknown'"
    monkeypatch.setattr("netcode.storage.schema.MIGRATIONS", (*MIGRATIONS, (on_top,)))
    monkeypatch.setattr(history_rows, "_row", row_on_top)
    assert games(path) == whole
    assert ask(path, "PRAGMA user_version") == [(len(MIGRATIONS) + 1,)]
    assert ask(path, "PRAGMA integrity_check") == [("ok",)]
    assert len(ask(path, "SELECT mood FROM history")) == len(whole)
    Store.open(path).close()


def test_games_of_version_6_tell_their_format_and_are_none_of_the_league(tmp_path: Path) -> None:
    path = database(tmp_path, 6)
    numbers = [number for (number,) in ask(path, "SELECT id FROM history ORDER BY id")]
    formats = ("3", "7", '"x"', "null")
    for number, best_of in zip(numbers, formats, strict=True):
        told = f"json_set(record, '$.settings.best_of', json('{best_of}'))"
        change(path, f"UPDATE history SET record = {told} WHERE id = {number}")
    change(path, f"UPDATE history SET record = '{{' WHERE id = {numbers[1]}")
    store = Store.open(path)
    assert store.club_games(0) == []
    store.close()
    with History.open(path) as history:
        assert [history.game(number).best_of for number in numbers] == [3, 0, 0, 0]
        assert history.record(numbers[0]).settings["best_of"] == 3


def test_what_was_published_never_changes() -> None:
    assert [sha256("\n".join(each).encode()).hexdigest() for each in MIGRATIONS] == PUBLISHED
