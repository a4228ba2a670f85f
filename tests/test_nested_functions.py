"""Tests that every function defined inside a test is used there."""

import ast
import re
from pathlib import Path

import pytest

from tests.support.source_code import without_texts

HERE = Path(__file__).parent


def unused(source: str) -> list[str]:
    """Return the inner functions that no code of the outer function names."""
    found = []
    for outer in ast.walk(ast.parse(source)):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = [
                inner.name
                for inner in outer.body
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)
                and not inner.decorator_list
            ]
            if inside:
                named = {each.id for each in ast.walk(outer) if isinstance(each, ast.Name)}
                found += [f"{outer.name}: {inner}" for inner in inside if inner not in named]
    return found


def may_have_unused(source: str) -> bool:
    """Return False if every inner function of a module is named again in its outer function.

    Otherwise `unused` must parse the module, which takes much longer. The methods of a class look
    like inner functions, so a class with deeper functions has to be parsed too.
    """
    for part in re.split(r"\n(?=\w|@)", without_texts(source)):
        is_class = part.startswith("class ")
        deepest = 8 if is_class else 4
        inner = re.findall(rf"^ {{{deepest},}}(?:async )?def (\w+)", part, re.MULTILINE)
        if is_class and inner:
            return True
        if inner:
            named = re.findall(r"(?<![.\w])\w+\b(?! *=[^=])", part)
            if any(named.count(name) <= inner.count(name) for name in inner):
                return True
    return False


def test_what_is_defined_inside_a_test_is_run() -> None:
    found = {
        str(path.relative_to(HERE)): there
        for path in sorted(HERE.rglob("*.py"))
        if may_have_unused(source := path.read_text(encoding="utf-8")) and (there := unused(source))
    }
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "def test():\n    async def run():\n        assert False\n",
        "def test():\n    def run():\n        assert False\n    asyncio.run(other())  # run()\n",
        "def test():\n    def run():\n        'Call run().'\n    begin(run=True)\n",
        "class Each:\n    def test(self):\n        def run():\n            assert False\n",
    ],
)
def test_what_is_not_run_is_found(source: str) -> None:
    assert may_have_unused(source)
    assert unused(source) == ["test: run"]


def test_what_is_run_is_not_found() -> None:
    source = "def test():\n    def run():\n        assert False\n    asyncio.run(run())\n"
    assert not may_have_unused(source)
    assert unused(source) == []
