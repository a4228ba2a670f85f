"""Tests records of sealed games in the history: each is one game, with its proof."""

from io import StringIO
from pathlib import Path

from engine.statistics import Statistics
from netcode.storage.history import History
from netcode.wings.sealed.game.proven_record import read_seal, sealed_record, verify_record
from tests.wings.sealed.game.sealed_tables import hesitant


def test_a_sealed_game_keeps_what_proves_it(tmp_path: Path) -> None:
    with History.open(tmp_path / "tables.db") as history:
        keep_what_proves_it(history, tmp_path)


def keep_what_proves_it(history: History, tmp_path: Path) -> None:
    one, other = (sealed_record(hesitant(7, edition=1, ends=ends)) for ends in (1, 3))
    number = history.add(one, (1,), "finished", "joined")
    assert [player.place for player in history.game(number).players].count(1) == 1
    # A later end belongs to the same game.
    assert history.add(other, (1,), "finished", "joined") == number
    assert history.count() == 1
    kept = history.record(number)
    assert kept == other
    places = [player.place or 0 for player in history.game(number).players]
    assert max(places) == places[3] == 4
    (line,) = history.export_all()
    assert verify_record(line).height == read_seal(str(other.seal)).height
    with History.open(tmp_path / "other.db") as elsewhere:
        assert elsewhere.import_lines(StringIO(f"{line}\n")).new == 1
        assert list(elsewhere.export_all()) == [line]
        # A changed record is refused.
        result = elsewhere.import_lines(StringIO(line.replace('"Ada"', '"Eda"')))
        assert (result.new, result.known, result.refused) == (0, 0, 1)
        assert elsewhere.record(1) == kept
    statistics = Statistics()
    statistics.add(kept, (3,), number)
    assert (statistics.total.games, statistics.total.wins) == (1, 0)
