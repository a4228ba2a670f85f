"""Tests that every function defined inside a test is used there."""

import ast
from pathlib import Path

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


def test_what_is_defined_inside_a_test_is_run() -> None:
    assert unused("def test():\n    async def run():\n        assert False\n") == ["test: run"]
    found = {
        str(path.relative_to(HERE)): there
        for path in sorted(HERE.rglob("*.py"))
        if (there := unused(path.read_text(encoding="utf-8")))
    }
    assert found == {}
