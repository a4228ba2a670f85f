"""Tests that all paths that scripts name exist, and all modules that strings in code name."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from scripts.lib.distributions import PACKAGES, ROOT
from scripts.lib.wings import paths
from tests.support.wings import is_of_missing_wing

FOLDERS = (*PACKAGES, "tests", "scripts", ".github", ".ci")

BINARY = {".svg"}

SCRIPTS = sorted(
    path
    for folder in ("scripts", ".github", ".ci")
    for path in (ROOT / folder).rglob("*")
    # While another process compiles a module, `__pycache__` has a file with a random name.
    if path.is_file() and path.suffix not in BINARY and path.parent.name != "__pycache__"
)

_FOLDER = "|".join(map(re.escape, FOLDERS))
# A path with a name in braces is created where the script runs.
_PATH = re.compile(rf"(?<![\w.-])(?:{_FOLDER})(?:[/\\][\w*][\w.*-]*)+(?![\w.*/\\-]*\{{)")
_MODULE = re.compile(rf"-m\W{{1,4}}((?:{_FOLDER})(?:\.\w+)+)")

_DOTTED = re.compile(rf"(?:{'|'.join((*PACKAGES, 'tests', 'scripts'))})(?:[.:]\w+)+")

_IMPORT = re.compile(
    rf"^(?:.*; ?)?from ((?:{'|'.join((*PACKAGES, 'tests', 'scripts'))})\b[\w.]*) import ([\w, ]+)",
    re.MULTILINE,
)

_MAY_NAME = re.compile(
    rf"""["'](?:{"|".join((*PACKAGES, "tests", "scripts"))})[.:]\w"""
    rf"""|["'][^"'\n]*\bfrom (?:{"|".join((*PACKAGES, "tests", "scripts"))})\b"""
)
"""Matches a string of one line that may name a module; `unresolved` need not parse others."""

_LONG_STRING = re.compile(r"""(\"{3}|'{3})(.*?)\1""", re.DOTALL)

NO_MODULES = {
    "driflamme_tui.made_up": "a module that a test writes into a folder of its own",
    "engine.arena.failing": "a module of a copy of the engine, which a test writes",
    "netcode.transport.websockets": "a log of the library, under the package that uses it",
    "tests.xml": "a report of pytest",
    "scripts.lib.gone": "named by the test of this check",
}
"""Strings that look like a module's name but name no module, each with the reason."""

QUICK = re.compile(r'if \[ "\$quick" \]; then\n(.*?)\nfi', re.DOTALL)


def missing(text: str) -> list[str]:
    """Return the missing paths and modules that a text names."""
    paths = {each.replace("\\", "/").rstrip(".") for each in _PATH.findall(text)}
    absent = [path for path in paths if not (list(ROOT.glob(path)) or is_of_missing_wing(path))]
    for module in _MODULE.findall(text):
        path = ROOT / module.replace(".", "/")
        if not path.with_suffix(".py").is_file() and not (path / "__main__.py").is_file():
            absent.append(module)
    return sorted(absent)


def exists(dotted: str) -> bool:
    """Return True if a dotted name leads to a package, to a module, or to a name in a module."""
    *parents, last = re.split("[.:]", dotted)
    if ROOT.joinpath(*parents, last).is_dir() or ROOT.joinpath(*parents, f"{last}.py").is_file():
        return True
    for length in range(len(parents), 0, -1):
        folder = ROOT.joinpath(*parents[:length])
        for module in folder.with_suffix(".py"), folder / "__init__.py":
            if module.is_file():
                name = (*parents, last)[length]
                return re.search(rf"\b{name}\b", module.read_text(encoding="utf-8")) is not None
    return False


def unresolved(source: str) -> list[str]:
    """Return the missing modules, and the missing names in modules, that strings in code name.

    A string names a module if it is nothing else, or if it is a program that imports from there.
    """
    long = (text for _, text in _LONG_STRING.findall(source))
    if not (_MAY_NAME.search(source) or any(map(_IMPORT.search, long))):
        return []
    named = list[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            named += [node.value] if _DOTTED.fullmatch(node.value) else []
            for module, names in _IMPORT.findall(node.value):
                named += [
                    f"{module}.{each.split()[0]}" for each in names.split(",") if each.strip()
                ]
    return [
        each
        for each in named
        if not exists(each) and not is_of_missing_wing(each.replace(".", "/"))
    ]


def advice(file: str, names: Iterable[str]) -> str:
    """Return a line for each missing path or module that a file names.

    After a move, a module of the same name in another folder is probably the missing one.
    """
    lines = []
    for name in names:
        folder, parts = ROOT, re.findall(r"\w+", name.removesuffix(".py"))
        while parts and (folder / parts[0]).is_dir():
            folder /= parts.pop(0)
        if folder.joinpath(*parts[:1]).with_suffix(".py").is_file():
            parts = []  # The module exists, and only the name in it is missing.
        moved = [each for each in paths() if each.endswith(".py") and Path(each).stem in parts]
        hint = f"; has it moved to {' or '.join(moved)}?" if moved else ""
        lines.append(f"{file} names {name}, which does not exist{hint}")
    return "\n".join(lines)


ELSEWHERE = {"driflamme_tui/study": "driflamme_tui/alone"}
"""Packages whose tests are in a folder of another name, and that folder."""


def quick_paths() -> list[str]:
    """Return the files and folders whose tests `scripts/test --quick` runs."""
    (arguments,) = QUICK.findall((ROOT / "scripts" / "test").read_text(encoding="utf-8"))
    return _PATH.findall(arguments)


def packages() -> set[str]:
    """Return the packages directly in engine, netcode and driflamme_tui, and their wings."""
    folders = (
        path.parent.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for pattern in ("__init__.py", "*/__init__.py", "wings/*/__init__.py")
        for path in (ROOT / package).glob(pattern)
    )
    # A package's list of wings is tested with the registry.
    return {folder for folder in folders if not folder.endswith("/wings")}


def folder_of_tests(package: str) -> str:
    _, is_wing, name = package.partition("/wings/")
    return f"tests/wings/{name}" if is_wing else f"tests/{ELSEWHERE.get(package, package)}"


def test_a_file_or_a_module_that_is_gone_is_found() -> None:
    gone = (
        "$root/tests/e2e/test_gone.py scripts\\gone.cmd tests/*/test_gone*.py -m scripts.lib.gone"
    )
    text = "engine/cards.py tests/engine/test_c*.py -m scripts.lib.bench tests/made/{name}/*"
    assert missing(f"{gone} {text}") == [
        "scripts.lib.gone",
        "scripts/gone.cmd",
        "tests/*/test_gone*.py",
        "tests/e2e/test_gone.py",
    ]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_that_a_script_names_exists(script: Path) -> None:
    gone = missing(script.read_text(encoding="utf-8"))
    assert not gone, advice(script.relative_to(ROOT).as_posix(), gone)


def test_a_string_that_names_a_missing_module_is_found() -> None:
    here, gone = "netcode.table netcode.table.table:Table", "netcode.tables netcode.table:Gone"
    assert unresolved(f"print({f'{here} {gone}'.split()})") == gone.split()


def test_a_program_in_a_string_that_imports_a_missing_name_is_found() -> None:
    program = "import sys; from netcode.table.table import Table, {} as Left\nfrom tests import e2e"
    assert unresolved(repr(program.format("Gone"))) == ["netcode.table.table" + ".Gone"]


def test_every_module_that_a_string_names_exists() -> None:
    found = []
    for path in (each for each in paths() if each.endswith(".py")):
        gone = set(unresolved((ROOT / path).read_text(encoding="utf-8")))
        if left := sorted(gone - NO_MODULES.keys()):
            found.append(advice(path, left))
    assert not found, "\n".join(found)


def test_the_advice_names_the_place_to_which_a_module_has_moved() -> None:
    gone = (
        "engine.bots" + ".abilities.GAINS",
        "tests/engine/test_named_paths.py",
        "engine:" + "Gone",
    )
    moved, moved_test, missing_name = advice("scripts/test", gone).splitlines()
    assert moved == (
        f"scripts/test names {gone[0]}, which does not exist; has it moved to engine/abilities.py?"
    )
    assert moved_test.endswith("; has it moved to tests/scripts/test_named_paths.py?")
    assert missing_name == f"scripts/test names {gone[2]}, which does not exist"


def test_the_quick_check_has_tests_of_every_package_and_of_all_together() -> None:
    named = quick_paths()
    for name in named:
        found = [file for path in ROOT.glob(name) for file in (path, *path.rglob("*.py"))]
        is_gone = not found and is_of_missing_wing(name)
        assert is_gone or any(path.name.startswith("test_") for path in found), name
    for folder in (*map(folder_of_tests, packages()), "tests/e2e", "tests/scripts"):
        assert any(name == folder or name.startswith(f"{folder}/") for name in named), folder


def test_continuous_integration_runs_the_whole_check_and_once_the_quick_one() -> None:
    assert '/../scripts/test"\n' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert len(re.findall(r"run: scripts/test --quick$", workflow, re.MULTILINE)) == 1
