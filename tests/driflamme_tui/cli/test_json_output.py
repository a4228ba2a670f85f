"""Tests that JSON output has exactly the fields that the documentation names."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.main import get_command

from driflamme_tui.cli import machine_checks
from driflamme_tui.cli.command_list import all_commands
from driflamme_tui.cli.findings import Finding, Level
from driflamme_tui.cli.program import app
from engine.bots.master_bot import Grandmaster
from engine.cards import CARDS
from netcode.joining import discovery
from netcode.joining.discovery import FoundTable
from netcode.protocol.messages import PROTOCOL
from netcode.table.finished_game import ORIGINS, PAST_OUTCOMES
from netcode.transport.address import Address
from tests.driflamme_tui.cli.test_commands import START, driflamme
from tests.driflamme_tui.past_games import keep_evenings
from tests.support.command_lines import OF_WINGS

ROOT = Path(__file__).parents[3]

PROTOCOL_ITSELF = {"host", "join", "learn", "play", "watch"}
"""Commands that print messages of the protocol."""

VALUES = {*PAST_OUTCOMES, *ORIGINS, *get_args(Level)}
"""Words in the documentation that are values of fields, not names of fields."""

COMMANDS: dict[str, Sequence[Sequence[str]]] = {
    "history": [["history", "--json"]],
    "stats": [["stats", "--json"], ["stats", "--json", "--evenings", "--ratings"]],
    "board": [["board", "--json", START]],
    "puzzle": [["puzzle", "--json", "--solution"]],
    "doctor": [["doctor", "--json"]],
    "replay": [["replay", "--json", "--mistakes", "--from", "r"]],
    "join --list": [["join", "--list", "--json"]],
    **{name: lines for wing in OF_WINGS for name, lines in wing.as_json.items()},
}


def documented(command: str) -> set[str]:
    """Return the fields that the documentation of a command names."""
    pages = (ROOT / "engine", ROOT / "netcode", *(ROOT / "netcode" / "wings").iterdir())
    readmes = (page / "README.md" for page in pages)
    texts = [readme.read_text("utf-8") for readme in readmes if readme.exists()]
    (paragraph,) = [
        each
        for text in texts
        for each in text.split("\n\n")
        if re.search(rf"`driflamme {command}(?: POSITION)? --json`", each)
    ]
    return set(re.findall(r"`([a-z_]+)`", paragraph)) - {"fields"}


def names(value: Any) -> Iterator[str]:
    """Yield the names of all fields in a value, except letters of cards."""
    if isinstance(value, dict):
        yield from (name for name in value if name not in CARDS)
    inner = value.values() if isinstance(value, dict) else value
    for each in inner if isinstance(value, dict | list) else ():
        yield from names(each)


async def one_table(*_arguments: object) -> list[FoundTable]:
    return [FoundTable("Rosalind", Address("192.0.2.1", 11214), "7", PROTOCOL, 1, 5)]


def test_every_command_that_prints_json_is_looked_at() -> None:
    group: Any = get_command(app)
    with group.make_context("driflamme", ["rules"], resilient_parsing=True) as context:
        printing = {
            name
            for name in all_commands()
            if any("--json" in each.opts for each in group.get_command(context, name).params)
        }
    printing -= PROTOCOL_ITSELF
    assert printing == {"arena", *COMMANDS} - {"join --list"}


@pytest.mark.parametrize("command", COMMANDS)
def test_json_has_the_fields_of_its_documentation(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = [Finding("python", "Python", "It is new enough.")]
    monkeypatch.setattr(machine_checks, "examine", lambda _added: checks)
    monkeypatch.setattr(discovery, "find_tables", one_table)
    monkeypatch.setattr(Grandmaster, "iterations", 2)
    keep_evenings()
    for wing in OF_WINGS:
        wing.prepare(monkeypatch)
    printed = set[str]()
    for arguments in COMMANDS[command]:
        result = driflamme(*arguments)
        assert result.stdout, result.stderr
        printed |= {name for line in result.stdout.splitlines() for name in names(json.loads(line))}
    assert printed - documented(command) == set(), "not documented"
    assert documented(command) - printed - VALUES == set(), "documented, but not there"
