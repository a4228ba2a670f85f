"""Tests that no core module knows a wing, and that only the wing's own tests need the wing."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from scripts.lib.wing_coverage import CORE_TESTS, covered_by_one_wing
from scripts.lib.wing_removal import inventory, make_environment, remove, without_lines
from scripts.lib.wings import (
    WINGS,
    belong,
    broken_imports,
    core,
    files_of,
    imported_without,
    known,
    modules_of,
    names_wing,
    paths,
    unused_names,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", WINGS)
def test_no_module_of_the_core_knows_a_wing(name: str) -> None:
    assert known(name) == ([], 0)


@pytest.mark.parametrize("name", WINGS)
def test_the_code_of_a_wing_has_every_name_that_the_core_may_not_have(name: str) -> None:
    assert unused_names(name) == [], "a renamed thing has its new name in the wing's `wing.py`"


@pytest.mark.parametrize("name", WINGS)
def test_every_exception_is_a_module_of_the_core_that_still_names_the_wing(name: str) -> None:
    for path in WINGS[name].exceptions:
        assert path in core(), path
        assert names_wing(path, name), f"{path} is no exception any more"


@pytest.mark.parametrize("name", WINGS)
def test_every_module_that_a_wing_covers_is_one_of_the_core(name: str) -> None:
    assert {*WINGS[name].covers} <= {*core()}


@pytest.mark.no_cover
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_the_rest_imports_without_a_wing() -> None:
    groups = [*([name] for name in WINGS), [*WINGS]]
    assert broken_imports(groups) == [[] for _ in groups]


def test_a_file_is_imported_anew_unless_it_was_imported_without_more_wings() -> None:
    if len(WINGS) < 2:
        pytest.skip("needs two wings")
    one, other = [*WINGS][:2]
    wing_files = {name: f"netcode/wings/{name}/__init__.py" for name in (one, other)}
    files = ["netcode/limits.py", *wing_files.values()]
    assert imported_without([one], files, {}) == ["netcode/limits.py", wing_files[other]]
    assert imported_without([one, other], files, {}) == ["netcode/limits.py"]
    both = frozenset([one, other])
    assert imported_without([one], files, {both: []}) == [wing_files[other]]
    assert imported_without([one], files, {both: files[:1]}) == [files[0], wing_files[other]]
    assert imported_without([one], files, {frozenset([other]): []}) == [files[0], wing_files[other]]


@pytest.mark.parametrize("name", WINGS)
def test_every_file_of_a_wing_exists_and_is_no_other_wings(name: str) -> None:
    others = [pattern for other in WINGS if other != name for pattern in modules_of(other)]
    assert not [path for path in files_of([name]) if belong(path, others)]
    for pattern in WINGS[name].files:
        assert any(belong(path, [pattern]) for path in files_of([name])), pattern


def test_a_removed_wing_leaves_no_file_and_no_line(tmp_path: Path) -> None:
    name = next(iter(WINGS), "none")
    remove([name] if WINGS else [], tmp_path)
    for folder in ("netcode", "driflamme_tui", "tests"):
        assert not (tmp_path / folder / "wings" / name).exists()
    assert all((tmp_path / path).exists() for path in core())
    for document in tmp_path.rglob("*.md"):
        assert f"<!-- wing: {name} -->" not in document.read_text("utf-8"), document


def test_a_tree_finds_libraries_and_no_module_of_this_project(tmp_path: Path) -> None:
    python = make_environment(tmp_path) / "python"
    program = "import msgspec, typer; import tests, netcode"
    done = subprocess.run(
        [python, "-E", "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'tests'\n")


@pytest.mark.parametrize("package", ["netcode", "driflamme_tui"])
def test_the_list_without_a_wing_has_all_others(package: str) -> None:
    text = (ROOT / package / "wings/__init__.py").read_text("utf-8")
    listed = import_module(f"{package}.wings").WINGS
    for wing in listed:
        left: dict[str, object] = {}
        exec(without_lines([wing], text), left)
        assert left["WINGS"] == {name: each for name, each in listed.items() if name != wing}


def test_the_inventory_names_what_players_and_programs_meet() -> None:
    found = inventory(ROOT)
    assert {"command host", "option host --clock", "message Hello", "setting two"} <= found
    assert "key commands.open" in found


def test_a_line_of_the_core_that_only_a_wing_executes_is_found() -> None:
    path = "netcode/limits.py"
    inner = next(
        at
        for at, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1)
        if line.startswith("        self.")
    )
    one, other = [*WINGS, "one", "other"][:2]
    lines: dict[str, dict[str, set[int]]] = {CORE_TESTS: {path: {1}}, one: {path: {1, inner}}}
    assert covered_by_one_wing(lines) == {one: {path: {inner}}}, "no line of the module itself"
    assert covered_by_one_wing(lines | {other: {path: {inner}}}) == {}


def test_a_line_of_a_document_belongs_to_a_wing_that_exists() -> None:
    for path in paths():
        document = ROOT / path
        if document.suffix != ".md":
            continue
        marks = re.findall(r"<!-- wing: (.*?) -->", document.read_text("utf-8"))
        assert {*marks} <= {*WINGS, "NAME"}, document
