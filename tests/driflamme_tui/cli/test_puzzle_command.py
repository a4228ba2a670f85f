"""Tests `driflamme puzzle` for programs: a puzzle as JSON, and puzzles found in games."""

import json
from pathlib import Path

import pytest

from engine.arena.contest import Series, simulate
from engine.puzzles import parse_puzzle, stock
from engine.record import Record
from tests.driflamme_tui.cli.test_commands import driflamme, refused


def test_a_puzzle_is_printed_for_programs() -> None:
    data = json.loads(driflamme("puzzle", "12", "--json").stdout)
    puzzle = stock()[11]
    assert data == {"number": 12, "view": puzzle.line, "you": "b", "legal": ["+", "!"]}
    data = json.loads(driflamme("puzzle", "12", "--json", "--solution").stdout)
    assert data["answers"][0] == {"action": "!", "share": 0.48}
    today = json.loads(driflamme("puzzle", "--json").stdout)
    assert 1 <= today["number"] <= len(stock())


@pytest.mark.parametrize("number", ["0", "201", "x", "9" * 30])
def test_there_are_only_those_of_the_stock(number: str) -> None:
    assert "Choose a puzzle from 1 to 200." in refused(driflamme("puzzle", number, "--json"))


def test_puzzles_are_found_in_all_games_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.puzzles.JUDGEMENTS", 1)
    monkeypatch.setattr("engine.puzzles.EFFORT", 50)
    monkeypatch.setattr("engine.puzzles.Master.iterations", 50)
    file = tmp_path / "games.jsonl"
    games = simulate(Series(games=2, players=3, edition=2, seed=2, bots=("steady",)))
    records = [Record(each.deal, tuple(map(str, each.actions))) for each in games]
    file.write_text("".join(f"{record.to_json()}\n" for record in records))
    result = driflamme("puzzle", "--make", str(file))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines
    assert all(parse_puzzle(line).line for line in lines)
    assert [line.split(", ")[1].split(":")[0] for line in result.stderr.splitlines()] == [
        "game 1",
        "game 2",
    ]
    assert "Name the files" in refused(driflamme("puzzle", "--make"))
