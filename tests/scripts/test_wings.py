"""The wings: no module of the core knows one, and nothing but their own tests needs one."""

import runpy
import sys
from importlib import import_module
from pathlib import Path

import pytest

from scripts.lib.wings import (
    CORE_TESTS,
    EXCEPTIONS,
    WINGS,
    belong,
    broken_imports,
    core,
    covered_by_one_wing,
    files_of,
    inventory,
    known,
    names_wing,
    remove,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", WINGS)
def test_no_module_of_the_core_knows_a_wing(name: str) -> None:
    assert known(name) == ([], 0)


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_every_exception_is_a_module_of_the_core_that_still_names_the_wing(name: str) -> None:
    for path in EXCEPTIONS[name]:
        assert path in core(), path
        assert names_wing(path, name), f"{path} is no exception any more"


@pytest.mark.no_cover
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_the_rest_imports_without_a_wing() -> None:
    groups = [*([name] for name in WINGS), [*WINGS]]
    assert broken_imports(groups) == [[] for _ in groups]


def test_every_pattern_of_a_wing_has_a_file_and_no_file_has_two_wings() -> None:
    for name, wing in WINGS.items():
        own = files_of([name])
        of_others = [each for other, one in WINGS.items() if other != name for each in one.modules]
        assert not [path for path in own if belong(path, of_others)], name
        for pattern in (*wing.modules, *wing.tests):
            is_new = "/wings/" in pattern
            assert is_new or any(belong(path, [pattern]) for path in own), pattern


def test_a_removed_wing_leaves_no_file_and_no_line_of_the_lists(tmp_path: Path) -> None:
    remove(["clubs"], tmp_path)
    assert not (tmp_path / "netcode/wings/clubs/club_tables.py").exists()
    assert (tmp_path / "netcode/server/server.py").exists()
    assert all((tmp_path / path).exists() for path in core())


@pytest.mark.parametrize("package", ["netcode", "driflamme_tui"])
def test_the_list_without_a_wing_has_all_others(package: str, tmp_path: Path) -> None:
    remove(["sealed"], tmp_path)
    listed = import_module(f"{package}.wings").WINGS
    left = runpy.run_path(str(tmp_path / package / "wings/__init__.py"))["WINGS"]
    assert left == {name: seams for name, seams in listed.items() if name != "sealed"}


def test_the_inventory_names_what_players_and_programs_meet() -> None:
    found = inventory(ROOT)
    assert {"command host", "option host --sealed", "message Hello", "setting two"} <= found
    assert "key commands.open" in found


def test_a_line_of_the_core_that_only_a_wing_executes_is_found() -> None:
    path = "netcode/limits.py"
    inner = next(
        at
        for at, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1)
        if line.startswith("        self.")
    )
    lines: dict[str, dict[str, set[int]]] = {
        CORE_TESTS: {path: {1}},
        "clubs": {path: {1, inner}},
        "relay": {},
    }
    assert covered_by_one_wing(lines) == {"clubs": {path: 1}}, "no line of the module itself"
    lines["relay"] = {path: {inner}}
    assert covered_by_one_wing(lines) == {}, "two wings execute it"
