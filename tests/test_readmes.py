"""What the packages' README files say of their modules."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

FILE = r"`([\w/]+)\.py`"


@pytest.mark.parametrize(
    ("package", "name"), [("engine", FILE), ("netcode", FILE), ("driflamme_tui", r"`(\w+)/?`")]
)
def test_each_module_that_a_table_begins_with_is_there(package: str, name: str) -> None:
    readme = (ROOT / package / "README.md").read_text(encoding="utf-8")
    paths = list((ROOT / package).rglob("*"))
    there = {path.stem for path in paths if path.is_dir() or path.suffix == ".py"}
    rows = re.findall(r"^\| ([^|]+) \|", readme, re.M)
    named = [each.rpartition("/")[2] for row in rows for each in re.findall(name, row)]
    assert len(named) > 10
    assert {*named} <= there


@pytest.mark.parametrize("folder", ["engine", "netcode", "netcode/sealed"])
def test_each_module_is_named(folder: str) -> None:
    root = ROOT / folder
    named = re.findall(FILE, (root / "README.md").read_text(encoding="utf-8"))
    # The packages of the engine are rows, and `sealed/` has a README of its own.
    deep = root.glob("*/**/*.py") if folder == "netcode" else ()
    paths = [*root.glob("*.py"), *(path for path in deep if path.parent.name != "sealed")]
    there = {path.stem for path in paths} - {"__init__"}
    assert there <= {each.rpartition("/")[2] for each in named}
