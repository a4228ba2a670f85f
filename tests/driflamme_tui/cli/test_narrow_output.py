"""Tests that commands break no word and no cell in a terminal of 60 columns."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from rich.cells import cell_len

from driflamme_tui.cli.output import columns, echo
from driflamme_tui.cli.program import app
from tests.driflamme_tui.past_games import keep_evenings

COLUMNS = 60
LINK = "driflamme://192.168.1.20:4711,[fd00::2]:4711/n9HqCy_wpHCB_gs2ScuaRVy__05Cr"

COMMANDS = (
    "history",
    "history --player nobody",
    "stats --evenings --ratings",
    "replay 7",
    "arena --bots random,cautious --games 2 --seed 3",
    "simulate --games 2 --seed 3",
    "help",
    "rules",
    "keys",
)
"""Commands that print sentences or tables."""


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let terminals have `COLUMNS` columns; return the patch for the streams."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return monkeypatch


def written(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], write: Callable[[], object]
) -> list[str]:
    """Return the lines that `write` writes to standard output and standard error."""
    for stream in (sys.stdout, sys.stderr):
        terminal.setattr(stream, "isatty", lambda: True, raising=False)
    capsys.readouterr()
    write()
    texts = capsys.readouterr()
    return [*texts.out.splitlines(), *texts.err.splitlines()]


def run(arguments: list[str]) -> None:
    """Run a command of the program to its end."""
    with pytest.raises(SystemExit):
        app(arguments)


def too_wide(lines: list[str]) -> Iterator[str]:
    """Yield the lines that a terminal would break, except positions, which are to be copied."""
    sentences = [line for line in lines if not re.match(r" *2 [1-6] (-|[rbg]\S{1,2}) ", line)]
    return (line for line in sentences if cell_len(line) > COLUMNS and " " in line.strip())


@pytest.mark.parametrize("language", ["en", "pl"])
def test_commands_fit_into_sixty_columns(
    language: str, terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_evenings()
    for command in COMMANDS:
        arguments = ["--lang", language, *command.split()]
        lines = written(terminal, capsys, partial(run, arguments))
        assert lines, command
        assert [*too_wide(lines)] == [], command


def test_a_wide_table_breaks_between_cells(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [("bot", *["some heading"] * 5), ("steady", *["1"] * 5)]

    def write() -> None:
        for line in columns(rows):
            echo(line)

    assert written(terminal, capsys, write) == [
        "bot     some heading  some heading  some heading",
        "  some heading  some heading",
        "steady             1             1             1",
        "             1             1",
    ]


def test_links_and_commands_stay_whole_to_be_copied(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f'driflamme join "{LINK}"'

    def write() -> None:
        echo(f"Others join with: {command}")
        echo(f"A guest who has this link may sit down here, today and tomorrow: {LINK}")

    assert written(terminal, capsys, write) == [
        "Others join with:",
        command,
        "A guest who has this link may sit down here, today and",
        "tomorrow:",
        LINK,
    ]
