"""Tests that the core imports leaf packages only on use, so that they can be deleted."""

import ast
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

LEAVES = "driflamme_tui.plain", "driflamme_tui.study"

PARTS_OF_A_LEAF = {
    "driflamme_tui.app.replay_pictures": "driflamme_tui.study",
    "driflamme_tui.study.plain_players": "driflamme_tui.plain",
    "driflamme_tui.wings.*.plain": "driflamme_tui.plain",
}
"""Modules that belong to a leaf package and may import it directly."""


def contracts() -> list[dict[str, Any]]:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    found: list[dict[str, Any]] = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    return found


def imported_at_once(tree: ast.AST) -> set[str]:
    """Return the modules whose import runs with the module itself, not in a function."""
    found = set[str]()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{each.name}" for each in node.names}
        elif not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            found |= imported_at_once(node)
    return found


def is_in(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


@pytest.mark.parametrize("leaf", LEAVES)
def test_no_other_module_imports_a_leaf_package_with_itself(leaf: str) -> None:
    wrong = []
    for path in sorted((ROOT / "driflamme_tui").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        goes_with_it = any(
            package == leaf and fnmatch(module, name) for name, package in PARTS_OF_A_LEAF.items()
        )
        if not (is_in(module, leaf) or goes_with_it):
            text = path.read_text("utf-8")
            # Parsing takes many times as long as searching.
            is_named = re.search(rf"\b{leaf.rpartition('.')[2]}\b", text)
            imported = imported_at_once(ast.parse(text)) if is_named else set()
            wrong += [module] if any(is_in(each, leaf) for each in imported) else []
    assert wrong == []


@pytest.mark.parametrize("leaf", LEAVES)
def test_a_contract_lists_the_modules_that_may_import_a_leaf_package(leaf: str) -> None:
    assert [each for each in contracts() if each.get("protected_modules") == [leaf]]
