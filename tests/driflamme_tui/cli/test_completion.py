"""Tests shell completion: the suggestions for each value, also in a clone."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer import _completion_shared
from typer._click import types as click_types
from typer.main import get_command
from typer.testing import CliRunner

from driflamme_tui.cli import completion
from driflamme_tui.cli.command_group import COMPLETION
from driflamme_tui.cli.command_list import all_commands
from driflamme_tui.cli.commands.rules_command import find_card
from driflamme_tui.cli.program import app
from driflamme_tui.preferences.matched_bots import EVEN_BOT
from driflamme_tui.text import i18n
from driflamme_tui.text.i18n import available_languages
from driflamme_tui.wording.game.help_pages import guide_pages
from engine.bots import BOTS, is_bot
from engine.cards import CARDS, FAMILIES
from netcode.storage.database import default_path
from netcode.storage.history import History
from scripts.lib.distributions import ROOT
from tests.driflamme_tui.cli.test_same_trouble import READ_A_GAME
from tests.driflamme_tui.past_games import keep_evenings

FREE = {
    "actions": "actions of the notation",
    "before": "a day",
    "bind": "an address",
    "call": "a command",
    "code": "words that friends say",
    "export": "a file",
    "export_all": "a file",
    "import_file": "a file",
    "json_file": "a file",
    "name": "the player's own name",
    "output": "a file",
    "public": "an address",
    "ray": "an address",
    "relay": "an address",
    "resume": "a file",
    "since": "a day",
    "step": "a number",
    "trace": "a file",
    "unix": "a file",
    "until": "a day",
    "web_proxy": "an address",
    "what": "a number or a file",
    "where": "an address",
    "words": "words that friends say",
}
"""Values for which the shell suggests nothing, and their meanings."""


def parameters() -> Iterator[tuple[str, Any]]:
    """Yield the name of each command with each of its parameters that takes a text."""
    group: Any = get_command(app)
    with group.make_context("driflamme", ["rules"], resilient_parsing=True) as context:
        commands = [("driflamme", group)]
        commands += [(name, group.get_command(context, name)) for name in all_commands()]
    for name, command in commands:
        for each in command.params:
            is_number = isinstance(each.type, click_types.IntParamType | click_types.FloatParamType)
            if not getattr(each, "is_flag", False) and not is_number:
                yield name, each


def test_every_value_is_completed_or_is_one_of_which_there_is_no_list() -> None:
    without = set()
    for command, each in parameters():
        is_completed = hasattr(each.type, "choices") or each._custom_shell_complete is not None
        if not is_completed:
            without.add((command, each.name))
    assert {name for _command, name in without} - FREE.keys() == set(), without


def offered(line: str, **environment: str) -> list[str]:
    """Return the suggestions for a line in fish."""
    options = {
        "LANGUAGE": "en",
        "COLUMNS": "80",
        COMPLETION: "complete_fish",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    result = CliRunner().invoke(app, [], env=options | environment)
    assert (result.exit_code, result.stderr) == (0, "")
    return [each.partition("\t")[0] for each in result.stdout.split("\n") if each]


@pytest.mark.parametrize("language", available_languages())
def test_each_card_is_offered_as_one_word_that_names_it(language: str) -> None:
    cards = offered("driflamme rules ", LANGUAGE=language)
    assert [find_card(each) for each in cards] == [*CARDS]
    assert not [each for each in cards if " " in each or not each.isascii()]


def test_what_is_offered_is_never_a_part_of_its_explanation() -> None:
    assert offered("driflamme ") == [*all_commands()]
    for command in all_commands():
        assert all(each.startswith("--") for each in offered(f"driflamme {command} --")), command


def test_candidates_begin_with_what_was_typed() -> None:
    assert offered("driflamme rules am") == ["ambush"]
    assert offered("driflamme rules em --lang=fr") == []
    assert offered("driflamme rules --lang fr em") == ["embuscade"]
    assert offered("driflamme help ") == [*guide_pages(), "keys"]
    assert offered("driflamme help h") == [each for each in guide_pages() if each.startswith("h")]
    assert offered("driflamme --lang ") == available_languages()
    assert offered("driflamme rules --lang ") == available_languages()
    assert offered("driflamme play --theme l") == ["light"]
    assert offered("driflamme board 1 --seat ") == [*FAMILIES]
    assert offered("driflamme replay 1 --from p") == ["public"]


def test_bots_are_offered_one_after_the_other() -> None:
    assert offered("driflamme arena --bots ") == [*BOTS]
    assert offered("driflamme play --bots sharp,st") == ["sharp,steady"]
    for each in offered("driflamme play --bots 3:"):
        assert each.startswith("3:")
        assert is_bot(each.removeprefix("3:")) or each == f"3:{EVEN_BOT}"


def test_past_games_and_their_players_are_offered() -> None:
    assert offered("driflamme replay ") == []
    assert not default_path().exists(), "completion keeps nothing"
    keep_evenings()
    with History.open() as history:
        games = history.games()
    numbers = [str(game.id) for game in games][: completion.MAXIMUM_GAMES]
    for command in READ_A_GAME:
        assert offered(f"driflamme {command} ") == numbers
    assert offered("driflamme replay 1") == [each for each in numbers if each.startswith("1")]
    assert offered("driflamme replay e") == [], "then it is a file"
    names = offered("driflamme history --player ")
    assert set(names) <= {
        word for game in games for each in game.players for word in each.name.split()
    }
    assert names


def test_a_history_that_cannot_be_read_offers_nothing_and_says_nothing() -> None:
    default_path().parent.mkdir(parents=True)
    default_path().write_bytes(b"no database" * 100)
    assert offered("driflamme replay ") == []


@pytest.mark.parametrize("shell", ["complete_bash", "complete_zsh", "complete_fish"])
def test_no_name_of_a_player_reaches_a_shell_as_more_than_words(
    shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_evenings()
    with History.open() as history:
        (game, *_rest) = history.games()
    evil = "a';touch${IFS}x;#`id`$(id)\"<&|*\\"
    (first, *others) = game.players
    from msgspec.structs import replace

    hostile = replace(game, players=(replace(first, name=evil), *others))
    monkeypatch.setattr(History, "games", lambda *_arguments: [hostile])
    assert not re.search(r"[^\w .,+-]", "".join(sum(completion.games(""), ())))
    assert not [each for each in completion.players("") if not re.fullmatch(r"[\w.-]+", each)]


@pytest.mark.parametrize("started_as", ["scripts/driflamme", r"scripts\driflamme"])
def test_the_script_of_every_shell_starts_a_clone_by_its_path(
    started_as: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(i18n, "_started_as", started_as)
    monkeypatch.setenv("COLUMNS", "80")
    scripts = dict(_completion_shared._completion_scripts)
    monkeypatch.setattr(_completion_shared, "_completion_scripts", scripts)
    completion.prepare()
    for shell in scripts:
        script = _completion_shared.get_completion_script(
            prog_name=i18n.PROGRAM, complete_var=COMPLETION, shell=shell
        )
        assert str(ROOT / started_as) in script, shell
        # Name the command without its folder: shells look up the part after the last slash.
        assert not re.search(r"driflamme(\)| \||\")", script.replace(str(ROOT / started_as), ""))


SCRIPT = ROOT / "scripts" / "driflamme"
is_clone = pytest.mark.skipif(
    sys.platform == "win32" or not (ROOT / ".venv" / "bin" / "driflamme").exists(),
    reason="the clone is not set up",
)

ASK = {
    "bash": 'source "$1"; COMP_WORDS=(scripts/driflamme help h); COMP_CWORD=2;'
    ' complete -p driflamme >/dev/null && _driflamme_completion "~/scripts/driflamme";'
    ' printf "%s\\n" "${COMPREPLY[@]}"',
    "fish": 'source $argv[1]; complete --do-complete "scripts/driflamme help h"',
    "zsh": 'compdef() { :; }; _arguments() { print -r -- "$@" }; source "$1";'
    " words=(scripts/driflamme help h); CURRENT=3; _driflamme_completion",
}
"""For each shell, a script that prints its completions of `scripts/driflamme help h`.

Only a terminal has the real completion of zsh, so that script replaces two of its functions.
"""


@is_clone
@pytest.mark.parametrize("shell", ASK)
def test_a_clone_is_completed_in_each_shell(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "LANGUAGE": "en",
        "DRIFLAMME_STARTED_AS": "scripts/driflamme",
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    shown = subprocess.run(
        [sys.executable, "-m", "driflamme_tui", "--show-completion", shell],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    (tmp_path / "script").write_text(shown.stdout)
    command = [program, "-c", ASK[shell]]
    command += [str(tmp_path / "script")] if shell == "fish" else [shell, str(tmp_path / "script")]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    words = set(re.findall(r"[\w-]+", done.stdout)) - {"_arguments"}
    assert words == {each for each in guide_pages() if each.startswith("h")}
