"""Tests bots of other packages: installed as in the README's example, and broken ones."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from engine import bots
from engine.arena.contest import Series, simulate
from engine.bots import BrokenBotError, UnknownBotError, bot_class, bot_names, broken_bots, is_bot
from engine.bots.installed import NAME, installed_bots

README = Path(bots.__file__).with_name("README.md")

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Yield a function that installs a package with one module, `mybots`, and entry points."""

    def install_one(module: str, entry_points: str) -> None:
        (tmp_path / "mybots.py").write_text(module, encoding="utf-8")
        about = tmp_path / "mybots-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mybots\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[driflamme.bots]\n{entry_points}\n")
        monkeypatch.syspath_prepend(tmp_path)
        installed_bots.cache_clear()

    yield install_one
    sys.modules.pop("mybots", None)
    installed_bots.cache_clear()


def example() -> tuple[str, str]:
    """Return the module and the line of `pyproject.toml` from the README's example."""
    text = README.read_text(encoding="utf-8")
    [module] = re.findall(r"```python\n(from engine.actions .*?)```", text, re.DOTALL)
    [toml] = re.findall(r"```toml\n\[.*?\]\n(.*?)```", text, re.DOTALL)
    return module, toml.replace('"', "")


def test_the_example_of_the_readme_is_a_bot_like_any_other(install: Install) -> None:
    install(*example())
    assert bot_names()[-1] == "hasty"
    assert [is_bot(name) for name in ("hasty", "steady", "hastey")] == [True, True, False]
    assert broken_bots() == ()
    played = list(simulate(Series(6, None, None, bots=("hasty", "steady"))))
    assert [game.bots.count("hasty") for game in played] == [1] * 6
    assert bot_class("mybots:Hasty") is bot_class("hasty")


def test_the_example_plays_in_the_processes_of_an_arena(install: Install, tmp_path: Path) -> None:
    install(*example())
    arguments = ["arena", "--bots", "hasty,mybots:Hasty,random", "--games", "4", "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "driflamme_tui", *arguments],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], str(tmp_path)]),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert "mybots:Hasty" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("module", "entry_points", "why"),
    [
        ("import nowhere", "hasty = mybots:Hasty", "cannot be loaded (ModuleNotFoundError"),
        ("raise SystemExit(3)", "hasty = mybots:Hasty", "cannot be loaded (SystemExit: 3"),
        ("", "hasty = mybots:Hasty", "cannot be loaded (AttributeError"),
        ("Hasty = 3", "hasty = mybots:Hasty", "not a subclass of Bot"),
        ("from engine.bots import Bot as Hasty", "hasty = mybots:Hasty", "not a subclass of Bot"),
        (example()[0], "steady = mybots:Hasty", "another bot has that name"),
        (example()[0], "quick = mybots:Hasty", "its class is called 'hasty'"),
        (example()[0], "Hasty = mybots:Hasty", "needs a name of 1 to 20"),
        (example()[0], f"{'h' * 21} = mybots:Hasty", "needs a name of 1 to 20"),
    ],
)
def test_a_broken_bot_says_so_and_is_left_out(
    module: str, entry_points: str, why: str, install: Install
) -> None:
    before = bot_names()
    install(module, entry_points)
    assert bot_names() == before
    [problem] = broken_bots()
    assert why in str(problem)
    assert str(problem).count(".\n") == 0
    assert bot_class("steady").name == "steady"


def test_one_broken_bot_does_not_keep_away_the_others(install: Install) -> None:
    module, entry_point = example()
    install(module, f"{entry_point}\nanother = mybots:Another")
    assert bot_names()[-1] == "hasty"
    assert len(broken_bots()) == 1


@pytest.mark.parametrize(
    "spec",
    [
        *("nowhere:Hasty", "mybots:Nobody", ":", "a:b:c", "engine.bots:Bot"),
        *("grandmaster@nowhere.json", "steady@nowhere.json", "master@mybots.py", "master@"),
    ],
)
def test_a_class_that_is_not_there_is_told_in_one_sentence(spec: str, install: Install) -> None:
    install(*example())
    with pytest.raises(BrokenBotError, match=r"^The bot .*\.$"):
        bot_class(spec)


@pytest.mark.parametrize(
    "change",
    [
        {"win_expectation": [{}]},
        {"win_expectation": [{"pool": 1e308}] * 7},
        {"beliefs": {"alone": {"H": float("nan")}}},
        {"beliefs": {"alone": {"H": "much"}}},
        {"history": {"alone": 3}},
        {"history": []},
    ],
)
def test_weights_that_cannot_be_used_are_told_in_one_sentence(
    change: dict[str, object], tmp_path: Path
) -> None:
    usable = {"win_expectation": [{}] * 7, "beliefs": {}, "history": {"alone": {"H": 1.0}}}
    for number, weights in enumerate((usable, usable | change)):
        (tmp_path / f"{number}.json").write_text(json.dumps(weights))
    (tmp_path / "deep.json").write_text("[" * 100_000)
    bot_class(f"master@{tmp_path}/0.json")
    for name in ("1", "deep"):
        with pytest.raises(BrokenBotError, match=r"^The bot .* has no training data"):
            bot_class(f"master@{tmp_path}/{name}.json")


def test_an_unknown_name_is_told_with_the_installed_bots(install: Install) -> None:
    install(*example())
    # A name that cannot be a module is a typing mistake.
    for name in ("hastey", "3:hasty"):
        with pytest.raises(UnknownBotError, match=r"steady, .*, hasty\.$"):
            bots.make_bot(name, Random(0))


def test_names_are_what_a_table_may_be_told() -> None:
    from netcode.protocol.fields import BotName

    [field] = BotName.__metadata__  # type: ignore[attr-defined]
    assert field.pattern == rf"^{NAME.pattern}\Z"
