"""Tests that no test imports `time`, reads the date, or presses keys by the real clock.

Nor does the app read the date behind a test's back.
"""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CLOCKS = {"now", "today", "utcnow"}
MAY_BE_CLOCK = re.compile(r"import.*\btime\b|from time\b|\.(?:now|today|utcnow)\b")
"""Matches any module that may read a clock; other modules need not be parsed."""


def clocks(source: str) -> list[str]:
    """Return the imports of `time` and the reads of the date in a module, with their lines."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names) if any(name.name == "time" for name in names):
                found.append(f"line {node.lineno}: import time")
            case ast.ImportFrom(module="time"):
                found.append(f"line {node.lineno}: from time import")
            case ast.Attribute(attr=name, value=ast.Name(id="date" | "datetime")) if name in CLOCKS:
                found.append(f"line {node.lineno}: {name}")
    return found


def test_no_test_reads_a_clock() -> None:
    found = {
        str(path.relative_to(HERE)): there
        for path in sorted(HERE.rglob("*.py"))
        if MAY_BE_CLOCK.search(source := path.read_text(encoding="utf-8"))
        and (there := clocks(source))
    }
    assert found == {}


@pytest.mark.parametrize(
    "source", ["import time", "from time import sleep", "def f(): return datetime.now()"]
)
def test_a_clock_is_found(source: str) -> None:
    assert clocks(source)


def test_the_app_reads_the_date_in_one_module_which_tests_replace() -> None:
    app = HERE.parent / "driflamme_tui"
    found = [
        path.name
        for path in sorted(app.rglob("*.py"))
        if re.search(r"\bdate[.]today[(]", path.read_text(encoding="utf-8"))
    ]
    assert found == ["local_date.py"]


KEYS_BY_THE_CLOCK = re.compile(r"\bpilot[.](?:press|click)[(]")
"""Matches key presses by Textual's pilot.

The pilot uses the real time, so a key pressed twice would count as held.
"""


def test_keys_are_pressed_at_times_that_a_test_sets() -> None:
    found = [
        str(path.relative_to(HERE))
        for path in sorted(HERE.rglob("*.py"))
        if KEYS_BY_THE_CLOCK.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []
