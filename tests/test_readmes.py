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
