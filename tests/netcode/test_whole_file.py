"""Tests that commands write a file completely or not at all, privately, and never replace one."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from netcode.whole_file import whole_file
from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.driflamme_tui.past_games import keep_evenings

WRITERS = (
    ("history", "--export-all"),
    ("replay", "--export"),
    ("simulate", "--games", "1", "--trace"),
    ("arena", "--bots", "random,steady", "--games", "4", "--workers", "1", "--json"),
)


@pytest.mark.parametrize("command", WRITERS, ids=lambda command: command[0])
def test_no_command_writes_over_a_file_unless_it_is_told_to(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    keep_evenings()
    folder = tmp_path / "files"
    folder.mkdir()
    file = folder / "file"
    file.write_text("mine")
    before = refused(driflamme(*command, str(file)))
    assert before == f"{str(file)!r} already exists; --force replaces it."
    assert file.read_text() == "mine"
    assert driflamme(*command, str(file), "--force").exit_code == 0
    replaced = file.read_text()
    assert replaced.startswith("{")
    file.unlink()
    assert driflamme(*command, str(file)).exit_code == 0
    assert file.read_text() == replaced
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.listdir(folder) == ["file"]


def write(file: Path, text: str, meanwhile: Callable[[], object], *, force: bool = False) -> None:
    with whole_file(file, force=force) as output:
        output.write(text)
        output.flush()
        meanwhile()


def interrupt() -> None:
    raise KeyboardInterrupt


def test_what_is_not_finished_leaves_everything_as_it_was(tmp_path: Path) -> None:
    kept, new = tmp_path / "kept", tmp_path / "new"
    kept.write_text("before")
    for file in (kept, new):
        with pytest.raises(KeyboardInterrupt):
            write(file, "half", interrupt, force=True)
    assert kept.read_text() == "before"
    assert os.listdir(tmp_path) == ["kept"]


def test_what_comes_to_be_there_meanwhile_is_not_replaced_either(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with pytest.raises(FileExistsError):
        write(file, "ours", lambda: file.write_text("theirs"))
    assert file.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["file"]
