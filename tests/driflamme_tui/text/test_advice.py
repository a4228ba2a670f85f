"""Tests that the sentence of each error gives advice, besides naming the fault."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]

TREES: Final = tuple(
    ast.parse(path.read_text(encoding="utf-8"))
    for package in ("engine", "netcode", "driflamme_tui")
    for path in (ROOT / package).rglob("*.py")
)
"""The modules of the program."""


def explained_errors() -> frozenset[str]:
    """Return the names of ExplainedError and all its subclasses, whose sentences a player reads."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for tree in TREES
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found, before = {"ExplainedError"}, 0
    while len(found) > before:
        before = len(found)
        found |= {name for name, above in bases.items() if above & found}
    return frozenset(found)


ERRORS: Final = explained_errors()

VERBS: Final = (
    "add ask begin change check choose close connect copy correct delete end export free give"
    " host import install join leave mark move name omit open put reinstall remove restart"
    " restore resume run shorten start switch try type upgrade use wait write"
)

ADVICE: Final = re.compile(
    rf"(?:^|[:;.,}}] |\b(?:and|or|so|then|first,?) )(?:{VERBS.replace(' ', '|')})\b", re.IGNORECASE
)
"""Matches an imperative at the beginning of a sentence or of a part of a sentence."""

NESTED: Final = re.compile(r"\{why\}$|begins with |doctor lists |lists all|did you mean ")
"""Matches sentences that end with another error's advice, or that name the valid values."""


def texts_of(tree: ast.AST) -> Iterator[str]:
    """Yield the constant texts with which a module creates errors of `ERRORS`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(text)), *_]) if (
                name in ERRORS
            ):
                yield text


ALL: Final = sorted({text for tree in TREES for text in texts_of(tree) if " " in text})


def advises(text: str) -> bool:
    """Return True if a sentence gives advice."""
    return bool(ADVICE.search(text) or NESTED.search(text))


@pytest.mark.parametrize("text", ALL)
def test_an_error_says_what_to_do(text: str) -> None:
    assert advises(text)


def test_many_errors_are_found() -> None:
    assert len(ALL) > 60


@pytest.mark.parametrize(
    "text", ["This is not a record of a game.", "The game is over.", "The record has no seal."]
)
def test_a_fault_alone_is_no_advice(text: str) -> None:
    assert not advises(text)
