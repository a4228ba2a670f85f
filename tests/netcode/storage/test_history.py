"""Tests the history of games: each game is stored once, complete, and the same on every machine."""

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from msgspec import structs

from engine.notation import format_position
from engine.record import MAXIMUM_LENGTH, Record, RecordedPlayer, RecordError, replay
from engine.views import view
from netcode.registry import wing_values
from netcode.storage import database
from netcode.storage.history import MAXIMUM_REASONS, Filter, History
from netcode.storage.store import Store
from netcode.table import finished_game
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.finished_game import Outcome, ProvenRecords
from tests.engine.random_games import Played, examples, moments, random_game, viewers
from tests.support.kept import change
from tests.support.planted import substitute


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def history(path: Path) -> Iterator[History]:
    with History.open(path) as opened:
        yield opened


def record_of(played: Played, actions: int | None = None, **fields: Any) -> Record:
    tokens = tuple(action.token for action in played.actions[:actions])
    players = tuple(
        RecordedPlayer(family, f"Player {family}", "steady" if family == "g" else None)
        for family in played.deal.families
    )
    return Record(played.deal, tokens, {"pace_ms": 0}, players, 1000, 2000)._replace(**fields)


def finished(seed: int, **fields: Any) -> Record:
    return record_of(random_game(seed), **fields)


def ids(history: History, **filter: Any) -> list[int]:
    found = [game.id for game in history.games(Filter(**filter))]
    assert history.count(Filter(**filter)) == len(found)
    return found


@given(moments())
@examples(20)
def test_any_game_comes_back_from_the_history_and_from_a_file_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, moment: tuple[Played, int]
) -> None:
    played, actions = moment
    folder = tmp_path_factory.mktemp("history")
    with History.open(folder / "one.db") as one, History.open(folder / "two.db") as two:
        whole, cut = record_of(played), record_of(played, actions)
        first, second = one.add(whole, [0], "finished", "own"), one.add(cut, [], "abandoned", "own")
        imported = two.import_lines(StringIO("\n".join(one.export_all())))
        assert (imported.new, imported.known, imported.refused) == (2, 0, 0)
        assert one.record(first) == two.record(first) == whole
        assert one.record(second) == two.record(second) == cut
        assert [structs.replace(game, origin="imported") for game in one.games()] == two.games()
        again = two.record(first)
    games_again, events_again = [], []
    for step in replay(again):
        games_again.append(step.before)
        events_again.append(list(step.events))
    games_again.append(step.after)
    assert events_again == played.events
    for before, after in zip(played.games, games_again, strict=True):
        for viewer in viewers(before):
            assert format_position(view(before, viewer)) == format_position(view(after, viewer))


def test_a_list_tells_who_played_and_what_came_of_it(history: History) -> None:
    played = random_game(1)
    history.add(record_of(played), [1], "finished", "joined")
    (game,) = history.games()
    last = played.games[-1]
    assert [player.score for player in game.players] == last.pools
    assert "".join(player.family for player in game.players) == played.deal.families
    assert max(last.pools) == next(each.score for each in game.players if each.place == 1)
    assert (game.began, game.ended, game.own, game.origin) == (1000, 2000, (1,), "joined")
    assert (game.decisions, game.rounds) == (len(played.actions), 6)
    assert game.edition == played.deal.edition.number


def test_one_game_is_one_row_whoever_wrote_it_down(history: History) -> None:
    record = finished(1, players=(), began=None)
    first = history.add(record, [], "finished", "imported")
    assert history.games()[0].players[0].name == ""
    again = history.add(finished(1, ended=7000), [2], "finished", "joined")
    once_more = history.add(finished(1, began=500), [0], "finished", "own")
    assert first == again == once_more
    (game,) = history.games()
    assert (game.began, game.ended, game.own, game.origin) == (1000, 2000, (0, 2), "own")
    assert history.record(first) == finished(1)
    assert history.add(finished(2), [], "finished", "own") != first


@pytest.mark.parametrize("is_open", [True, False], ids=["another has it open", "nobody has"])
def test_on_a_full_disk_the_history_is_still_read(
    path: Path, monkeypatch: pytest.MonkeyPatch, is_open: bool
) -> None:
    def full(_database: object, _path: Path) -> None:
        raise UnavailableError("Free some space: the disk has no room for the journal of tables.")

    other = History.open(path)
    number = other.add(finished(1), [0], "finished", "own")
    if not is_open:
        other.close()
    monkeypatch.setattr(database, "_prepare", full)
    with pytest.raises(StoreError, match="the disk has no room"):
        History.open(path)
    with History.open(path, reading=True) as history:
        assert history.record(number) == finished(1)
        with pytest.raises(StoreError, match="read-only"):
            history.remove(number)
    other.close()


def test_whose_a_known_game_is_no_file_changes(history: History) -> None:
    history.add(finished(1), [0], "finished", "own")
    (line,) = history.export_all()
    theirs = {**json.loads(line), "own": finished(1).deal.families[2]}
    assert history.import_lines(StringIO(json.dumps(theirs))).known == 1
    assert history.games()[0].own == (0,)


def test_games_are_found_by_what_is_known_of_them(history: History) -> None:
    seeds = range(1, 9)
    for seed in seeds:
        history.add(finished(seed, ended=seed * 100), [], "finished", "own")
    deals = {seed: finished(seed).deal for seed in seeds}
    assert ids(history) == list(reversed(seeds))
    assert [game.id for game in history.games(limit=3, offset=2)] == [6, 5, 4]
    assert ids(history, since=300, until=500) == [4, 3]
    assert ids(history, edition=1, players=5) == [
        seed
        for seed in reversed(seeds)
        if deals[seed].edition.number == 1 and len(deals[seed].families) == 5
    ]
    with_green = [seed for seed in reversed(seeds) if "g" in deals[seed].families]
    assert ids(history, player="PLAYER G") == ids(history, bots=True) == with_green
    assert ids(history, player="nobody") == []
    history.add(record_of(random_game(9), 2), [], "abandoned", "own")
    assert ids(history, outcome="abandoned") == [9]


def test_games_without_dates_come_last_and_are_never_before_or_after_anything(
    history: History,
) -> None:
    history.add(finished(1, began=None, ended=None), [], "finished", "own")
    history.add(finished(2, ended=None), [], "finished", "own")
    assert ids(history) == [2, 1]
    assert ids(history, since=0) == ids(history, until=2**40) == [2]
    assert history.prune(2**40) == 1
    assert ids(history) == [1]
    assert history.prune(None) == 1


def test_as_many_are_forgotten_as_was_said_damaged_ones_too(path: Path, history: History) -> None:
    for seed in (1, 2, 3):
        history.add(finished(seed, ended=seed * 100), [], "finished", "own")
    change(path, "UPDATE history SET listed = 'nonsense' WHERE id = 1")
    assert ids(history, until=300) == [2]
    assert history.prunable(300) == history.prune(300) == 2
    assert history.prunable(None) == history.prune(None) == 1


def test_one_game_is_forgotten_and_no_other(history: History) -> None:
    first, second = (history.add(finished(seed), [], "finished", "own") for seed in (1, 2))
    history.remove(first)
    assert ids(history) == [second]
    with pytest.raises(StoreError, match=f"no game {first} in the history"):
        history.remove(first)


def test_a_game_that_may_go_on_or_breaks_the_rules_is_not_taken(history: History) -> None:
    whole, cut = finished(1), record_of(random_game(1), 5)
    wrong = whole._replace(actions=(*whole.actions[:7], "30>1"))
    cases: list[tuple[Record, Outcome, list[int], str]] = [
        (cut, "finished", [], "The record ends before its game does: export the game again."),
        (whole, "abandoned", [], "calls its game unfinished"),
        (wrong, "finished", [], "Step 8 of the record, '30>1', breaks the rules"),
        (
            whole,
            "finished",
            [5],
            "The record does not contain the seat that it calls yours: export the game again.",
        ),
    ]
    for record, outcome, own, said in cases:
        with pytest.raises(RecordError, match=said):
            history.add(record, own, outcome, "own")
    assert history.count() == 0


def test_lines_that_are_no_games_are_refused_and_the_others_taken(history: History) -> None:
    good, other = finished(1).to_json(), json.loads(finished(2).to_json())
    lines = [
        good,
        "",
        "{}",
        good,
        json.dumps({**other, "outcome": "won"}),
        json.dumps({**other, "outcome": "abandoned"}),
        json.dumps({**other, "own": "zz"}),
        "x" * 200_000,
        json.dumps(other),
    ]
    imported = history.import_lines(StringIO("\n".join(lines)))
    assert (imported.new, imported.known, imported.refused) == (2, 1, 5)
    assert imported.whole
    assert [(number, error.sentence()) for number, error in imported.reasons] == [
        (3, "This is not a record of a game: export one with driflamme replay --export."),
        (5, "The record's outcome is not valid: export the game again."),
        (
            6,
            "The record calls its game unfinished, but it was played to its end: export the game "
            "again.",
        ),
        (7, "The record does not contain the seat that it calls yours: export the game again."),
        (
            8,
            "This is not a record of a game, since it is too long: export one with driflamme "
            "replay --export.",
        ),
    ]


@pytest.mark.parametrize(
    "damage",
    [
        "listed = json_set(listed, '$.players', json('[[1]]'))",
        "listed = json_set(listed, '$.own', json('[9]'))",
        "listed = json_set(listed, '$.ended', 'late')",
        "listed = json_set(listed, '$.outcome', 'won')",
        "listed = '[]'",
        "listed = cast(x'ff' AS TEXT)",
        "date = date + 1",
    ],
)
def test_a_damaged_game_is_no_damage_of_another(path: Path, history: History, damage: str) -> None:
    for seed in (1, 2):
        history.add(finished(seed), [], "finished", "own")
    change(path, f"UPDATE history SET {damage} WHERE id = 1")
    assert [game.id for game in history.games()] == [2]
    assert history.count() == 1
    assert len(list(history.export_all())) == 1
    with pytest.raises(StoreError, match="Game 1 in your history is damaged: import a copy"):
        history.game(1)
    # Add the same game as another machine stored it, which repairs the damage.
    history.add(finished(1), [], "finished", "own")
    assert {game.id for game in history.games()} == {1, 2}


def test_a_name_that_was_put_into_a_row_does_nothing_to_a_terminal(
    path: Path, history: History
) -> None:
    history.add(finished(1), [], "finished", "own")
    nasty = r"""json('[["r","\u001b[2J\u202e","\u001b",1,1]]')"""
    change(path, f"UPDATE history SET listed = json_set(listed, '$.players', {nasty})")
    [[player]] = [game.players for game in history.games()]
    assert (player.name, player.bot) == ("\ufffd[2J\ufffd", "\ufffd")


@pytest.mark.parametrize(
    "damage",
    [
        """record = replace(record, '"edition":' || (listed ->> 'edition'),
            '"edition":' || (3 - (listed ->> 'edition')))""",
        "identity = zeroblob(32)",
        "listed = json_set(listed, '$.outcome', 'abandoned')",
        "listed = json_set(listed, '$.edition', 3 - (listed ->> 'edition'))",
        "listed = json_set(listed, '$.two', json('true'))",
        "listed = json_set(listed, '$.rounds', 5)",
        "listed = json_set(listed, '$.decisions', 7)",
        "listed = json_set(listed, '$.ended', 2001), date = 2001",
        "listed = json_set(listed, '$.players[0][3]', 77)",
        "listed = replace(listed, 'Player', 'Slayer')",
        "record = replace(record, 'Player', 'Slayer')",
    ],
)
def test_a_game_of_which_a_byte_has_changed_is_nowhere_taken_for_whole(
    path: Path, history: History, damage: str
) -> None:
    """The damaged record can still be parsed, and may even obey the rules."""
    whole = history.record(history.add(finished(1), [0], "finished", "own"))
    change(path, f"UPDATE history SET {damage}")
    with pytest.raises(StoreError, match="Game 1 in your history is damaged"):
        history.record(1)
    errors: list[StoreError] = []
    assert list(history.export_all(errors.append)) == []
    assert [str(error) for error in errors] == [
        "Game 1 in your history is damaged: import a copy of it if you have one."
    ]
    # Add the same game undamaged, as another machine stored it, which repairs the damage.
    number = history.add(whole, [0], "finished", "own")
    assert history.record(number) == whole
    assert history.game(number).players[0].name == "Player " + whole.deal.families[0]


class Endless:
    """An endless text that counts the characters that were read."""

    def __init__(self, piece: str) -> None:
        self._piece = piece
        self.taken = 0

    def readline(self, size: int = -1, /) -> str:
        self.taken += len(self._piece)
        return self._piece


@pytest.mark.parametrize(
    "piece",
    [
        "{}\n",
        "[" * MAXIMUM_LENGTH + "\n",
        "x" * MAXIMUM_LENGTH,
        " " * MAXIMUM_LENGTH + "\n",
    ],
    ids=lambda piece: piece[:2],
)
def test_of_a_text_without_end_little_is_kept_and_not_all_is_read(
    history: History, piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most_read, most_refused = 1 << 26, 1000
    monkeypatch.setattr("netcode.storage.history.MAXIMUM_CHARACTERS", most_read)
    monkeypatch.setattr("netcode.storage.history.MAXIMUM_REFUSED", most_refused)
    text = Endless(piece)
    tracemalloc.start()
    imported = history.import_lines(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4_000_000
    assert text.taken <= most_read + MAXIMUM_LENGTH + 1
    assert (imported.new, imported.whole) == (0, False)
    assert imported.refused <= most_refused
    assert len(imported.reasons) == min(imported.refused, MAXIMUM_REASONS)


LEAVING_WAL = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], timeout=0)
try:
    print(other.execute("PRAGMA journal_mode = DELETE").fetchone())
except sqlite3.OperationalError as error:
    print(error)
"""


def test_looking_back_takes_no_lock_from_the_journal_of_the_same_program(path: Path) -> None:
    """POSIX releases all locks on a file when a process closes it anywhere."""
    store = Store.open(path)
    History.open(path).close()
    said = subprocess.run(
        [sys.executable, "-c", LEAVING_WAL, path], capture_output=True, text=True, check=True
    ).stdout
    assert said == "database is locked\n"
    store.close()


def test_a_record_with_a_proof_is_refused_by_a_program_that_cannot_read_it(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    substitute(monkeypatch, wing_values, lambda *_seam: (), finished_game)
    record = finished(1, seal="AAAA")
    with pytest.raises(RecordError, match="lacks the part"):
        history.add(record, [], "finished", "joined")
    imported = history.import_lines(StringIO(record.to_json()))
    ((_, reason),) = imported.reasons
    assert "lacks the part" in str(reason)
    assert history.games() == []


def test_two_records_with_a_proof_of_one_game_become_one_with_the_first_end(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    def merge(before: Record, after: Record) -> Record:
        return after._replace(players=before.players)

    proven = ProvenRecords(
        identity=lambda record: sha256(str(record.seal).encode()).digest(),
        is_forked=lambda _record: False,
        merge=merge,
        verify=lambda _line: None,
    )
    substitute(monkeypatch, wing_values, lambda *_seam: (proven,), finished_game)
    first = finished(1, seal="A" * 43)
    later = first._replace(players=(), ended=3000)
    history.add(first, [0], "finished", "own")
    history.add(later, [0], "finished", "own")
    ((number, ended),) = [(game.id, game.ended) for game in history.games()]
    assert history.record(number) == merge(first, later)
    assert ended == first.ended
