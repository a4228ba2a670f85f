"""Tests that lists and decimals are joined in the player's language, by one function each."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from driflamme_tui.text.i18n import comma_list, set_language, with_decimal_sign

ROOT = Path(__file__).parents[3] / "driflamme_tui"
READ_BY_PLAYERS = ("app", "drawing", "replay", "screens", "seat", "study", "widgets", "wording")
TYPED = {("wording/program/table_setting.py", "written")}
"""Functions whose results players type, so that the results are the same in every language."""


POSSIBLE = re.compile(r"""["'][,;] ["']|:[^{}"'\n]*[fg]}""")
"""Matches in each module that may join a list or show a decimal."""


def untranslated_separators(source: str) -> Iterator[tuple[str, int]]:
    """Yield the function and line of each comma, semicolon or decimal that is not translated.

    The function is "" at the top level of a module.
    """
    if not POSSIBLE.search(source):
        # Parsing takes many times as long as searching.
        return
    tree = ast.parse(source)
    translated = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "with_decimal_sign"
        for inner in ast.walk(node)
    }
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=", " | "; "), attr="join")):
                pass
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=spec)])):
                if str(spec)[-1] not in "fg" or str(spec) == ".0f" or id(node) in translated:
                    continue
            case _:
                continue
        inside = [each for each in functions if any(node is one for one in ast.walk(each))]
        yield inside[-1].name if inside else "", node.lineno


def test_no_list_and_no_decimal_keeps_the_english_separator() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), function)
        for package in READ_BY_PLAYERS
        for path in (ROOT / package).rglob("*.py")
        for function, _line in untranslated_separators(path.read_text(encoding="utf-8"))
    }
    assert found <= TYPED


@pytest.mark.parametrize(
    "line", ['", ".join(names)', '"; ".join(names)', 'f"{seconds:g} s"', 'f"{share:.1f}"']
)
def test_an_english_separator_is_noticed(line: str) -> None:
    assert list(untranslated_separators(f"def f():\n    return {line}\n")) == [("f", 2)]
    assert not list(untranslated_separators('with_decimal_sign(f"{share:.1f}")'))


def test_french_has_a_decimal_comma() -> None:
    set_language("fr")
    assert with_decimal_sign("0.4") == "0,4"
    assert comma_list(["Archer", "Lord"]) == "Archer, Lord"
