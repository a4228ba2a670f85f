"""Textual's private parts: that they are as we know them, and that the face does without them."""

import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest
from textual.app import App
from textual.command import CommandPalette

import driflamme_tui
from driflamme_tui.drawing import textual_internals
from tests.driflamme_tui.drawing.test_frame_diff import WiredApp, wired
from tests.driflamme_tui.tables import Hands, run_app

FACE = Path(driflamme_tui.__file__).parent
KEEPER = textual_internals.__name__


def test_textual_still_has_what_is_overridden() -> None:
    assert textual_internals.INTACT
    assert hasattr(App(), "_driver")
    told = inspect.signature(CommandPalette._start_no_matches_countdown).parameters
    assert list(told) == ["self", "search_value"]
    assert isinstance(CommandPalette._NO_MATCHES, str)
    assert "_list_visible" in vars(CommandPalette)


def test_no_other_module_touches_them() -> None:
    imports = re.compile(r"(from|import) textual(\.\w+)*(\.| import )_")
    for path in FACE.rglob("*.py"):
        if path.stem != KEEPER.rpartition(".")[2]:
            assert not imports.search(path.read_text(encoding="utf-8")), path


def names_of_textual(kind: type) -> set[str]:
    """Return the private names that Textual gives a class, in classes or by assignment."""
    bases = [base for base in kind.__mro__ if base.__module__.startswith("textual.")]
    found = {name for base in bases for name in vars(base)}
    found |= {n for base in bases for n in re.findall(r"self\.(_\w+)", inspect.getsource(base))}
    return {name for name in found if re.match("_[a-z]", name)}


def test_no_other_class_overrides_or_reads_them() -> None:
    for found in pkgutil.walk_packages([str(FACE)], "driflamme_tui."):
        if found.name == KEEPER or found.name.endswith("__main__"):
            continue
        for kind in vars(import_module(found.name)).values():
            if not inspect.isclass(kind) or kind.__module__ != found.name:
                continue
            source = inspect.getsource(kind)
            used = set(re.findall(r"(?:self|app|super\(\))\.(_[a-z]\w*)", source))
            used |= set(re.findall(r"def (_[a-z]\w*)", source))
            touched = used & names_of_textual(kind)
            assert not touched, f"{found.name}.{kind.__name__} touches {touched} of Textual"


def test_without_them_textual_draws_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textual_internals, "INTACT", False)

    async def steps(app: WiredApp, hands: Hands) -> None:
        assert app.shows_all()
        await hands.press("right")
        assert app.shows_all()

    run_app(wired(0), steps)
