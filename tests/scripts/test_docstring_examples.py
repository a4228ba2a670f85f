"""Tests that the examples in docstrings are true, in every package."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PACKAGES = ("engine", "netcode", "driflamme_tui", "scripts")


def modules_with_examples() -> list[str]:
    """Return the names of the modules in `PACKAGES` that have a line with an example."""
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    return [
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for file in files
        if re.search(r"^ *>>> ", file.read_text("utf-8"), re.M)
    ]


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_run(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried
    assert not failed


def test_an_example_is_found_in_each_program_package() -> None:
    packages = {name.partition(".")[0] for name in modules_with_examples()}
    assert packages == {*PACKAGES}
