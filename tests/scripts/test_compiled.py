"""Tests that the compiled engine plays the same games as Python, also with added bots."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from scripts.lib import distributions
from scripts.lib.compiled import FOLDER, ROOT, RULES, SUFFIX, compile_into, is_current

GAMES = """
from random import Random
from engine import actions, game
from engine.arena.results import engine_digest
from engine.bots import BOTS, Bot, make_bot
from engine.arena.contest import Series, play_game

class Hasty(Bot):
    name = "hasty"

    def choose(self, view):
        self.seen = getattr(self, "seen", 0) + view.round
        return actions.REVEAL if actions.REVEAL in view.legal else self.rng.choice(view.legal)

def make(name, rng):
    return Hasty(rng) if name == "random" else make_bot(name, rng, (24).__gt__)

print(game.__file__)
print(engine_digest())
for players in 3, 4, 5:
    for edition in 1, 2:
        series = Series(1, players, edition, 7, (*BOTS, *BOTS)[2 * players : 3 * players])
        played = play_game(series, 0, make=make)
        print(*played.bots, *played.actions, played.winners, repr(played.deal))
try:
    actions.LEAVE.token = "!"
except AttributeError as error:
    print(error)
print(hash(actions.REVEAL) == hash("!"), repr(actions.ACTIONS["3>1"]), actions.Place("S", "^", 3))
"""
"""A program that prints the engine's path, and then games of bots, also of another package."""


def test_every_compiled_module_exists() -> None:
    assert [name for name in RULES if not (ROOT / "engine" / f"{name}.py").is_file()] == []


def play(*path: Path) -> tuple[str, str]:
    """Return the path of the engine that Python finds in these folders, and its games."""
    done = subprocess.run(
        [sys.executable, "-c", GAMES],
        cwd=path[0],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    found, _newline, played = done.stdout.partition("\n")
    return found, played


def test_the_compiled_engine_plays_the_same_games() -> None:
    if not is_current():
        pytest.skip("scripts/compile has compiled nothing, or another version of the engine")
    check(FOLDER)


@pytest.mark.long
def test_an_engine_compiled_now_plays_the_same_games(tmp_path: Path) -> None:
    try:
        compile_into(tmp_path, level=0)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"nothing can be compiled here: {error.stdout[-200:]}")
    check(tmp_path)


@pytest.mark.long
def test_a_compiled_wheel_says_for_which_machine_it_is_and_has_the_sources_too(
    tmp_path: Path,
) -> None:
    try:
        wheel = distributions.build_compiled(tmp_path)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"nothing can be compiled here: {error.stderr[-200:]!r}")
    assert not wheel.name.endswith("-none-any.whl")
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {"engine/game.py", f"engine/game{SUFFIX}", f"engine/bots/master_bot{SUFFIX}"} <= names
    assert f"engine/bots/base{SUFFIX}" not in names
    assert any(name.endswith(f"__mypyc{SUFFIX}") and "/" not in name for name in names)


def check(folder: Path) -> None:
    source, plain = play(ROOT)
    binary, compiled = play(folder, ROOT)
    assert source == str(ROOT / "engine" / "game.py")
    assert Path(binary).parent == folder / "engine"
    assert not binary.endswith(".py")
    assert compiled == plain
