"""Tests that the examples in the engine's docstrings and README are true."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "engine"

PUBLIC = (
    "abilities",
    "actions",
    "arena.contest",
    "bots",
    "bots.base",
    "cards",
    "edition",
    "events",
    "game",
    "legal",
    "notation",
    "ranking",
    "position",
    "puzzles",
    "record",
    "replaying",
    "statistics",
    "views",
)
"""Modules that other programs import; each must have an example."""


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_of_a_module_run(name: str) -> None:
    failed, tried = doctest.testmod(import_module(f"engine.{name}"))
    assert tried
    assert not failed


def test_the_first_lines_of_the_readme_show_what_they_say() -> None:
    [block] = re.findall(r"```pycon\n(.*?)```", (ENGINE / "README.md").read_text("utf-8"), re.S)
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", None, None)
    assert len(test.examples) == 5
    assert not doctest.DocTestRunner().run(test).failed


def test_the_examples_of_the_readme_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ENGINE / "README.md").read_text("utf-8"), re.S)
    assert blocks
    for block in blocks:
        exec(block, {})
