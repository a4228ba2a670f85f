"""Tests commands and settings with a new name: the old name works, and no list shows it."""

import json
from pathlib import Path

import pytest

from driflamme_tui.cli.command_list import all_commands
from driflamme_tui.preferences.settings import change, config_file, load
from tests.driflamme_tui.cli.test_commands import driflamme, refused


def test_old_names_of_commands_work_and_are_not_listed() -> None:
    for old, new in (("simulate", "arena"), ("tables", "join")):
        assert old not in all_commands()
        assert new in all_commands()
        help_text = " ".join(driflamme(old, "--help").stdout.split())
        assert f"The old name of driflamme {new}" in help_text


def test_arena_with_a_trace_plays_the_games_of_simulate(tmp_path: Path) -> None:
    deals = ("--games", "2", "--players", "3", "--seed", "5", "--bots", "random")
    old, new = (driflamme(name, *deals, "--trace", "-") for name in ("simulate", "arena"))
    assert old.stdout == new.stdout
    assert {json.loads(line)["type"] for line in new.stdout.splitlines()} >= {"deal", "result"}
    said = refused(driflamme("arena", *deals, "--trace", "-", "--ladder"))
    assert said == "Use either --trace or --ladder, not both."


def test_the_help_has_a_page_for_the_keys() -> None:
    assert driflamme("help", "keys").stdout == driflamme("keys").stdout


def test_a_list_of_tables_has_no_table_of_its_own() -> None:
    assert refused(driflamme("join", "--list", "--plain")) == (
        "Use either --list or --plain, not both."
    )


@pytest.mark.parametrize("name", ["pace", "reading"])
def test_the_former_name_of_the_reading_time_is_read_and_replaced(name: str) -> None:
    file = config_file()
    file.parent.mkdir(parents=True, mode=0o700)
    file.write_text(f"{name} = 0.4\n")
    assert load().reading == 0.4
    change("reading", 1)
    assert load().reading == 1
    assert "pace" not in file.read_text()
