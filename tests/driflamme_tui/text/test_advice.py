"""Tests that the sentence of each error gives advice, besides naming the fault."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]

CLASS: Final = re.compile(r"^ *class (\w+)\(([^)]*)\)", re.MULTILINE)


def modules() -> list[str]:
    return [
        path.read_text(encoding="utf-8")
        for package in ("engine", "netcode", "driflamme_tui")
        for path in (ROOT / package).rglob("*.py")
    ]


def explained_errors(texts: Iterable[str]) -> frozenset[str]:
    """Return the names of ExplainedError and all its subclasses, whose sentences a player reads."""
    bases = {
        name: {*re.findall(r"\w+", above)} for text in texts for name, above in CLASS.findall(text)
    }
    found, before = {"ExplainedError"}, 0
    while len(found) > before:
        before = len(found)
        found |= {name for name, above in bases.items() if above & found}
    return frozenset(found)


VERBS: Final = (
    "add ask begin change check choose close connect copy correct delete end export free give"
    " host import install join leave mark move name omit open put reinstall remove restart"
    " restore resume run shorten start switch try type upgrade use wait write"
)

ADVICE: Final = re.compile(
    rf"(?:^|[:;.,}}] |\b(?:and|or|so|then|first,?) )(?:do not )?(?:{VERBS.replace(' ', '|')})\b",
    re.IGNORECASE,
)
"""Matches an imperative at the beginning of a sentence or of a part of a sentence."""

NESTED: Final = re.compile(r"\{why\}$|begins with |doctor lists |lists all|did you mean ")
"""Matches sentences that end with another error's advice, or that name the valid values."""


def texts_of(text: str, errors: frozenset[str]) -> Iterator[str]:
    """Yield the constant texts with which a module creates one of the errors."""
    if not re.search(rf"\b(?:{'|'.join(errors)})\([\s(]*[a-zA-Z]?[\"']", text):
        # Parsing takes many times as long as searching, so skip modules without such a text.
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(text)), *_]) if (
                name in errors
            ):
                yield text


def advises(text: str) -> bool:
    return bool(ADVICE.search(text) or NESTED.search(text))


def test_an_error_says_what_to_do() -> None:
    texts = modules()
    errors = explained_errors(texts)
    sentences = {each for text in texts for each in texts_of(text, errors) if " " in each}
    assert len(sentences) > 60
    assert [each for each in sorted(sentences) if not advises(each)] == []


@pytest.mark.parametrize(
    "text", ["This is not a record of a game.", "The game is over.", "The record has no seal."]
)
def test_a_fault_alone_is_no_advice(text: str) -> None:
    assert not advises(text)
