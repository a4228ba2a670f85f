"""Tests that each benchmark of `scripts/bench` finishes, and prints finite, positive numbers."""

from math import isfinite

import pytest

from engine.bots.master_bot import Grandmaster
from engine.events import Event
from scripts.lib import bench, bench_bots
from scripts.lib.bench import run, summaries
from scripts.lib.figures import Figure, print_figures


@pytest.mark.parametrize("name", summaries())
def test_every_benchmark_runs_and_its_figures_can_be_true(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([name, "--short"]) == 0
    _head, *rows = capsys.readouterr().out.splitlines()
    assert rows
    for benchmark, figure, number, *_ in map(str.split, rows):
        value = float(number.replace(",", ""))
        assert benchmark == name
        assert isfinite(value)
        assert value > 0 or (value == 0 and figure.startswith("idle_")), figure


def test_all_of_them_print_a_table_each_and_fail_if_one_does(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "summaries", lambda: {"engine": "", "rotten": ""})
    assert run(["all", "--short"]) > 0
    header, *rows = capfd.readouterr().out.splitlines()
    assert header.split() == ["benchmark", "figure", "value", "unit", "goal"]
    assert {row.split()[0] for row in rows} == {"engine"}


def test_a_bot_that_is_timed_is_told_what_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Event] = []
    monkeypatch.setattr(Grandmaster, "observe", lambda self, events: heard.extend(events))
    assert list(bench_bots.time_level("grandmaster", *bench_bots.SHORT))
    assert heard


def test_a_goal_that_is_missed_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    figures = [Figure("ratio_at_100", 0.23), Figure("memory_at_100", 51, "MB")]
    print_figures("server", figures)
    assert [line.split()[1:] for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["ratio_at_100", "0.23", ">=", "0.3", "missed"],
        ["memory_at_100", "51", "MB", "<=", "51"],
    ]
