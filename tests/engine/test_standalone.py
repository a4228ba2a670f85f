"""Tests that the engine imports only the standard library and itself."""

import ast
import sys
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "engine"
NEVER = {"asyncio", "socket", "time", "datetime", "secrets", "threading", "subprocess"}
"""Modules of the standard library with clocks, networks, processes or randomness."""

MEASURING = {"time", "socket", "threading", "openskill", "ray", "pettingzoo", "gymnasium", "numpy"}
"""Further modules that code for measuring and training bots may import."""


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a module imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def test_the_modules_of_the_engine_need_nothing_but_python() -> None:
    allowed = (sys.stdlib_module_names - NEVER) | {"engine"}
    for path in ENGINE.rglob("*.py"):
        measures = path.parent.name in ("arena", "training")
        assert imported(path) <= (allowed | MEASURING if measures else allowed), path


def test_all_modules_are_looked_at() -> None:
    assert {"game", "abilities", "steady_bot"} <= {path.stem for path in ENGINE.rglob("*.py")}
    assert "random" in imported(ENGINE / "game.py")
