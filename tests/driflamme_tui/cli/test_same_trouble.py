"""Tests that an error has the same exit status and sentence in every command; none is ignored."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from driflamme_tui.cli.output import complain
from driflamme_tui.keymap.key_bindings import use_keys
from driflamme_tui.preferences.settings import config_file
from engine.replaying import Replay
from netcode.storage.database import default_path
from netcode.storage.history import History
from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.driflamme_tui.past_games import keep_evenings
from tests.support.command_lines import OF_WINGS

READ_A_FILE: dict[str, list[str]] = {
    "replay": ["replay", "FILE"],
    "position": ["position", "FILE"],
    "board": ["board", "FILE", "--json"],
    "puzzle": ["puzzle", "--make", "FILE"],
    "history": ["history", "--import", "FILE"],
}

for _wing in OF_WINGS:
    READ_A_FILE |= _wing.read_a_file

READ_A_GAME: dict[str, list[str]] = {
    "replay": ["replay", "99"],
    "position": ["position", "99"],
    "board": ["board", "99", "--json"],
}

for _wing in OF_WINGS:
    READ_A_GAME |= _wing.read_a_game

READ_THE_HISTORY = READ_A_GAME | {
    "latest": ["replay"],
    "list": ["history"],
    "list as JSON": ["history", "--json"],
    "export": ["history", "--export-all", "-"],
    "prune": ["history", "--prune", "--yes"],
    "stats": ["stats"],
}

WRITE_A_FILE = {
    "export": ["history", "--export-all", "FILE"],
    "record": ["replay", "1", "--export", "FILE"],
    "share": ["replay", "1", "--share", "text", "--output", "FILE"],
    "trace": ["simulate", "--games", "1", "--trace", "FILE"],
    "arena": ["arena", "--bots", "random,novice", "--games", "1", "--json", "FILE"],
}


def typed(arguments: list[str], file: object) -> list[str]:
    return [each.replace("FILE", str(file)) for each in arguments]


@pytest.mark.parametrize("command", READ_A_FILE)
def test_a_file_that_cannot_be_read_is_refused_in_one_sentence(
    command: str, tmp_path: Path
) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)) * 40)
    words = tmp_path / "words"
    words.write_text("Not a game.\n" * 500)
    for file in (binary, words, tmp_path / "none", tmp_path):
        result = driflamme(*typed(READ_A_FILE[command], file))
        assert (result.exit_code, result.stdout) == (2, "")
        *reasons, last = result.stderr.splitlines()
        assert last.startswith("driflamme: ")
        # An import also gives the reason why its first line is invalid, before this sentence.
        assert command == "history" or not reasons
    assert "a directory" in refused(driflamme(*typed(READ_A_FILE[command], tmp_path)))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
@pytest.mark.parametrize("command", ["replay", "position", "board", "history"])
def test_a_pipe_is_read_as_a_file_is(command: str, tmp_path: Path) -> None:
    result = read_from_a_pipe(command, tmp_path)
    assert (result.exit_code, result.stderr) == (0, "")


def read_from_a_pipe(command: str, tmp_path: Path) -> Result:
    """Run a command that reads a game from a pipe; return its result."""
    keep_evenings()
    with History.open() as history:
        line = history.record(1).to_json()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writing = threading.Thread(target=lambda: pipe.write_text(f"{line}\n"), daemon=True)
    writing.start()
    result = driflamme(*typed(READ_A_FILE[command], pipe))
    writing.join(10)
    return result


@pytest.mark.parametrize("command", READ_A_GAME)
def test_a_game_that_is_not_there_is_bad_input(command: str) -> None:
    keep_evenings()
    assert refused(driflamme(*READ_A_GAME[command])) == (
        "There is no game 99 in the history: driflamme history lists all."
    )


@pytest.mark.parametrize("command", READ_THE_HISTORY)
def test_a_history_that_cannot_be_opened_is_the_machine_s_trouble(command: str) -> None:
    default_path().parent.mkdir(parents=True)
    default_path().write_bytes(b"no database " * 1000)
    result = driflamme(*READ_THE_HISTORY[command])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "is damaged" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", WRITE_A_FILE)
def test_a_file_that_cannot_be_written_is_refused_in_one_sentence(
    command: str, tmp_path: Path
) -> None:
    keep_evenings()
    there = tmp_path / "there"
    there.touch()
    arguments = WRITE_A_FILE[command]
    sentence = refused(driflamme(*typed(arguments, there)))
    assert sentence == f"{str(there)!r} already exists; --force replaces it."
    for file in (tmp_path, tmp_path / "none" / "file"):
        sentence = refused(driflamme(*typed(arguments, file)))
        assert sentence.startswith(f"{str(file)!r} cannot be written: "), sentence


IGNORED = [
    "replay 1 --output FILE",
    "replay 1 --force",
    "replay 1 --share text --force",
    "replay 1 --share text --text",
    "replay 1 --export FILE --text",
    "replay 1 --export FILE --share text",
    "replay 1 --export FILE --teach",
    "replay 1 --share svg --teach",
    "replay 1 --export FILE --from r",
    "replay 1 --share text --from r",
    "replay 1 --export FILE --step 0",
    "replay 1 --share text --step 0",
    "replay 1 --share cast --step 3",
    "history --force",
    "history --import FILE --force",
    "history --yes",
    "history --before 2026-01-01",
    "history --prune --export-all FILE",
    "simulate --games 1 --force",
    "arena --bots random,novice --games 1 --force",
    "arena --bots random,novice --games 1 --ladder --alone",
    "arena --bots random,novice --games 1 --alone --against steady",
    "arena --bots random,novice --games 1 --iterations 1 --seconds 1",
    "puzzle --solution",
    "puzzle --make FILE --plain",
    "puzzle --make FILE --json",
    "puzzle --make FILE --solution",
    "puzzle --plain --json",
    "play --plain --json",
    "host --plain --json",
    "host --headless --plain",
    "join --plain --json --insecure localhost",
]


@pytest.mark.parametrize("line", IGNORED)
def test_no_option_is_ignored(line: str, tmp_path: Path) -> None:
    keep_evenings()
    file = tmp_path / "file"
    refused(driflamme(*typed(line.split(), file)))
    assert not file.exists()


def test_options_that_mean_something_together_are_taken(tmp_path: Path) -> None:
    keep_evenings()
    with History.open() as history:
        last = Replay.of(history.record(1)).last
    for line in (
        "replay 1 --share svg --step 0 --from r --output FILE",
        "replay 1 --share svg --output FILE --force",
        "replay 1 --export FILE --force",
        f"replay 1 --text --teach --step {last}",
        "puzzle --json --solution",
    ):
        result = driflamme(*typed(line.split(), tmp_path / "file"))
        assert (result.exit_code, result.stderr) == (0, ""), line


@pytest.fixture
def player_keys() -> Iterator[Path]:
    config_file().parent.mkdir(parents=True, exist_ok=True)
    yield config_file()
    use_keys({})


def test_keys_are_printed_as_the_player_has_them(player_keys: Path) -> None:
    player_keys.write_text('[keys]\n"table.known" = "f8, comma"\n')
    printed = driflamme("keys").stdout
    assert '"table.known" = "f8,comma"' in printed
    player_keys.write_text("\n".join(line.partition(" #")[0] for line in printed.splitlines()))
    assert driflamme("keys").stdout == printed, "what it prints can be put into the file"


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ('"table.known" = "ctrl+c"', "There is no key ctrl+c"),
        ('"table.known" = "nosuchkey"', "There is no key nosuchkey"),
        ('"table.known" = ""', "There is no key"),
        ('"table.nothing" = "x"', "There is no command table.nothing"),
        ('"table.known" = "A"', "letter of a card or a family"),
        ('"table.known" = "f8"\n"table.leave" = "f8"', "would do two things on one screen"),
        ('"table.known" = 7', "write the keys of table.known as text"),
    ],
)
def test_keys_that_cannot_be_are_refused_with_their_line(
    player_keys: Path, keys: str, why: str
) -> None:
    player_keys.write_text(f"[keys]\n{keys}\n")
    sentence = refused(driflamme("keys"))
    assert sentence.startswith(f"{player_keys}, line ")
    assert why in sentence


def test_a_terminal_shows_each_word_of_an_error_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "An error says what to do even where the terminal is narrow"
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    complain(sentence)
    lines = capsys.readouterr().err.splitlines()
    assert max(map(len, lines)) <= 20
    assert " ".join(lines) == f"driflamme: {sentence}"


@pytest.mark.parametrize("command", READ_A_GAME)
def test_a_game_that_is_not_there_is_named_as_it_was_typed(command: str) -> None:
    keep_evenings()
    number = 20 * "9"
    arguments = [number if each == "99" else each for each in READ_A_GAME[command]]
    assert f"There is no game {number} in the history: " in refused(driflamme(*arguments))
