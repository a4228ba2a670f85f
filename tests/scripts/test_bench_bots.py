"""`scripts/bench bots`: that its table is what was measured."""

from pathlib import Path

import pytest

from engine.bots import BOTS
from scripts.lib import bench_bots
from scripts.lib.bench import parser


def test_the_full_table_has_a_row_for_each_pair_and_size_and_goes_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    levels = {name: BOTS[name] for name in ("random", "steady")}
    monkeypatch.setattr(bench_bots, "BOTS", levels)
    monkeypatch.setattr(bench_bots, "DEFAULT_BOT", "random")
    kept = tmp_path / "strength.jsonl"
    printed = []
    for _ in range(2):
        assert (
            bench_bots.main(json=False, short=False, full=True, games=5, workers=1, resume=kept)
            == 0
        )
        printed.append(capsys.readouterr().out.splitlines())
    assert printed[0] == printed[1]
    rows = [line.split(" | ") for line in printed[0][2:]]
    assert [row[:4] for row in rows] == [
        ["| `steady`", "`random`", "3", "33.3 %"],
        ["| `steady`", "`random`", "4", "25.0 %"],
        ["| `steady`", "`random`", "5", "20.0 %"],
    ]
    assert [row[-1] for row in rows] == ["6 |", "8 |", "5 |"]
    assert all("%" in cell for row in rows for cell in row[4:6])


def test_the_full_table_is_of_neighbours_and_of_the_best_among_the_usual_ones() -> None:
    assert bench_bots.full_contest(1).pairs == (
        ("steady", "random"),
        ("sharp", "steady"),
        ("master", "sharp"),
        ("master", "steady"),
    )


def test_only_this_benchmark_takes_its_options() -> None:
    assert parser("bots").parse_args(["bots", "--full", "--games", "3"]).games == 3
    with pytest.raises(SystemExit) as refused:
        parser("engine").parse_args(["engine", "--full"])
    assert refused.value.code == 2
