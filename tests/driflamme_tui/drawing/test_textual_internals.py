"""Tests that Textual's private parts exist, and that only one module uses them."""

import ast
import inspect
import pkgutil
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
import rich._wrap
from rich.console import Console
from rich.text import Text
from textual.app import App
from textual.command import CommandPalette

import driflamme_tui
from driflamme_tui.drawing import textual_internals
from tests.driflamme_tui.drawing.test_frame_diff import WiredApp, wired
from tests.support.tables import Hands, run_app

FACE = Path(driflamme_tui.__file__).parent
KEEPER = textual_internals.__name__

SELF = ("self", "super()", "app", "self.app")
"""Names of Textual's objects, on which code may read private parts."""


def test_textual_still_has_what_is_overridden() -> None:
    assert textual_internals.INTACT
    assert hasattr(App(), "_driver")
    assert "_fatal_error" in vars(App)
    assert hasattr(App(), "_exception")
    parameters = inspect.signature(CommandPalette._start_no_matches_countdown).parameters
    assert list(parameters) == ["self", "search_value"]
    assert isinstance(CommandPalette._NO_MATCHES, str)
    assert "_list_visible" in vars(CommandPalette)
    assert hasattr(App(), "_notifications")
    assert list(inspect.signature(App._unnotify).parameters) == ["self", "notification", "refresh"]


def test_no_other_module_touches_them() -> None:
    imports = re.compile(r"(from|import) textual(\.\w+)*(\.| import )_")
    for path in FACE.rglob("*.py"):
        if path.stem != KEEPER.rpartition(".")[2]:
            assert not imports.search(path.read_text(encoding="utf-8")), path


private = re.compile("_[a-z]").match


@cache
def private_names(module: str) -> dict[str, set[str]]:
    """Return the private names that each class of a module defines or reads."""
    found: dict[str, set[str]] = {}
    for kind in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(kind, ast.ClassDef):
            parts = list(ast.walk(kind))
            names = {n.name for n in parts if isinstance(n, ast.FunctionDef) and private(n.name)}
            names |= {
                n.attr
                for n in parts
                if isinstance(n, ast.Attribute) and private(n.attr) and ast.unparse(n.value) in SELF
            }
            found[kind.name] = names
    return found


@cache
def private_words(module: str) -> frozenset[str]:
    """Return all private names in a module's text. Searching it takes less time than parsing it."""
    return frozenset(re.findall(r"\b_[a-z]\w*", inspect.getsource(sys.modules[module])))


def textuals(kind: type[object]) -> list[type[object]]:
    return [base for base in kind.__mro__ if base.__module__.startswith("textual.")]


def test_no_other_class_overrides_or_reads_them() -> None:
    derived = 0
    for found in pkgutil.walk_packages([str(FACE)], "driflamme_tui."):
        if found.name == KEEPER or found.name.endswith("__main__"):
            continue
        module = import_module(found.name)
        kinds = [each for each in vars(module).values() if isinstance(each, type)]
        for kind in kinds:
            if kind.__module__ != found.name or not textuals(kind):
                continue
            derived += 1
            used = private_names(found.name).get(kind.__name__, set())
            for base in textuals(kind):
                if used & private_words(base.__module__):
                    touched = used & private_names(base.__module__).get(base.__name__, set())
                    assert not touched, f"{found.name}.{kind} touches {touched} of {base}"
    assert derived > 50


def test_without_them_textual_draws_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textual_internals, "INTACT", False)

    async def steps(app: WiredApp, hands: Hands) -> None:
        assert app.shows_all()
        await hands.press("right")
        assert app.shows_all()

    run_app(wired(0), steps)


@pytest.mark.parametrize("space", ["\u00a0", "\u202f"])
def test_no_line_breaks_at_a_no_break_space(space: str) -> None:
    sentence = f"à un vrai bot{space}?"
    rows = Text(sentence).wrap(Console(width=80), 14)
    assert [row.plain.rstrip(" ") for row in rows] == ["à un vrai", f"bot{space}?"]
    assert rich._wrap.divide_line(sentence, 14) == [len("à un vrai ")]
    assert [word for _start, _end, word in rich._wrap.words("one  two")] == ["one  ", "two"]


def test_only_an_empty_read_means_that_the_terminal_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone: list[str] = []
    waits: list[float] = []
    monkeypatch.setattr(textual_internals, "time", SimpleNamespace(sleep=waits.append))
    decoder = textual_internals._InputDecoder("utf-8", lambda: gone.append("gone"))
    # A sign may come in pieces, and a late answer of the terminal is no input.
    read = (b"a", b"\xc3", b"\xa9", b"\x1b[12;40R")
    assert "".join(map(decoder.decode, read)) == "aé"
    assert decoder.decode(b"b", True) + decoder.decode(b"", True) == "b"
    assert gone == []
    assert decoder.decode(b"") == ""
    assert (gone, len(waits)) == (["gone"], 1)
