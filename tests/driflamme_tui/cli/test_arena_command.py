"""Tests `driflamme arena`: with any options, its figures can be reproduced."""

import json
from pathlib import Path

import pytest

from engine.arena import pool
from engine.bots import BrokenBotError
from tests.driflamme_tui.cli.test_commands import driflamme, refused

SMALL = ("arena", "--bots", "random,steady", "--players", "mixed", "--alone", "--games")


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play all games in this process; tests of `engine/arena` use other processes."""
    monkeypatch.setattr(pool, "play_all", lambda tasks, *_how: (task() for task in tasks))


@pytest.mark.usefixtures("_here")
def test_the_figures_are_the_same_however_often_it_was_stopped(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.json" for number in range(2)]
    kept = str(tmp_path / "kept.jsonl")
    one = driflamme(*SMALL, "6", "--json", str(files[0]))
    assert (one.exit_code, one.stderr) == (0, "")
    assert driflamme(*SMALL, "3", "--resume", kept).exit_code == 0
    again = driflamme(*SMALL, "6", "--json", str(files[1]), "--resume", kept)
    assert again.stdout == one.stdout
    assert files[0].read_bytes() == files[1].read_bytes()
    figures = json.loads(files[0].read_text(encoding="utf-8"))
    assert [each["bot"] for each in figures["strength"]] == ["random", "steady"] * 3
    assert figures["strength"][0].keys() >= {"against", "players", "share", "low", "high"}
    assert figures["complete"]


@pytest.mark.usefixtures("_here")
def test_figures_as_json_on_the_output_leave_the_table_to_standard_error() -> None:
    result = driflamme("arena", "--bots", "random,steady", "--games", "4", "--json", "-")
    assert json.loads(result.stdout)["games"] == 4
    assert result.stderr.splitlines()[1].split()[:3] == ["bot", "against", "players"]
    never_again = "With --seconds, even the same seed gives different games."
    assert never_again not in result.stderr
    timed = ("--games", "4", "--seconds", "1")
    assert never_again in driflamme("arena", "--bots", "random,steady", *timed).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--bots", "steady"),
        ("--bots", "steady,steady"),
        ("--bots", "steady,steady", "--against", "random"),
        ("--bots", "steady", "--against", "steady"),
        ("--bots", "steady,stedy"),
        ("--bots", "random,steady", "--players", "2"),
        ("--bots", "random,steady", "--edition", "3"),
        ("--bots", "random,steady", "--games", "0"),
        ("--bots", "random,steady", "--workers", "0"),
        ("--bots", "random,steady", "--iterations", "1", "--seconds", "1"),
        ("--bots", "random,steady", "--json", "no/such/folder/file"),
        ("--bots", "random,steady", "--resume", "no/such/folder/file"),
        ("--bots", "random,steady", "--resume", "pyproject.toml"),
    ],
)
def test_what_cannot_be_measured_is_told_in_one_sentence(arguments: tuple[str, ...]) -> None:
    refused(driflamme("arena", *arguments))


@pytest.mark.usefixtures("_here")
def test_some_bots_can_be_measured_against_others_only() -> None:
    result = driflamme(
        *("arena", "--bots", "steady", "--against", "random,steady", "--games", "4", "--json", "-")
    )
    [strength] = json.loads(result.stdout)["strength"]
    assert (strength["bot"], strength["against"], strength["games"]) == ("steady", "random", 4)


@pytest.mark.usefixtures("_here")
def test_a_broken_bot_of_a_package_is_told_of_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.bots.broken_bots", lambda: (BrokenBotError("It is broken."),))
    result = driflamme("arena", "--bots", "engine.bots.steady_bot:Steady,random", "--games", "4")
    assert result.exit_code == 0
    assert result.stderr == "driflamme: It is broken.\n"
    sentences = driflamme("play", "--plain", "--bots", "nobody").stderr.splitlines()
    assert sentences[0] == "driflamme: It is broken."
    assert "no bot called 'nobody'" in sentences[1]


@pytest.mark.usefixtures("_here")
def test_results_of_other_arguments_are_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "kept.jsonl")
    first = ("arena", "--bots", "random,steady", "--games", "4", "--resume", file)
    assert driflamme(*first).exit_code == 0
    assert "other arguments" in refused(driflamme(*first, "--seed", "1"))
