"""Tests that modules are found quickly, and never with other code than Python would load."""

import os
import py_compile
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import cache_from_source, module_from_spec
from pathlib import Path

import pytest

from driflamme_tui.cli.quick_start import QuickFinder, find_modules_quickly

NAME = "driflamme_tui.made_up"


def compiled(folder: Path, source: str = "VALUE = 1\n") -> Path:
    """Write and compile a module in a folder; return the path of its source."""
    path = folder / "made_up.py"
    path.write_text(source, encoding="utf-8")
    py_compile.compile(str(path), doraise=True)
    return path


def found(folder: Path, name: str = NAME) -> ModuleSpec | None:
    return QuickFinder(os.path.dirname(os.__file__)).find_spec(name, [str(folder)])


def value(spec: ModuleSpec) -> int:
    """Return the value in a module that is loaded with a spec."""
    module = module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return int(module.VALUE)


def test_a_compiled_module_is_found_as_python_finds_it(tmp_path: Path) -> None:
    path = compiled(tmp_path)
    spec, usual = found(tmp_path), PathFinder.find_spec(NAME, [str(tmp_path)])
    assert spec is not None
    assert usual is not None
    for part in ("name", "origin", "cached", "has_location", "parent"):
        assert getattr(spec, part) == getattr(usual, part)
    assert spec.submodule_search_locations is None
    assert spec.origin == str(path)
    assert value(spec) == 1


def test_a_package_is_found_with_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "made_up"
    folder.mkdir()
    path = folder / "__init__.py"
    path.write_text("VALUE = 2\n", encoding="utf-8")
    py_compile.compile(str(path), doraise=True)
    spec = found(tmp_path)
    assert spec is not None
    assert spec.submodule_search_locations == [str(folder)]
    assert value(spec) == 2


def test_a_module_that_is_loaded_again_has_its_newest_code(tmp_path: Path) -> None:
    path = compiled(tmp_path)
    spec = found(tmp_path)
    assert spec is not None
    assert value(spec) == 1
    path.write_text("VALUE = 30\n", encoding="utf-8")
    assert value(spec) == 30


def change_source(path: Path) -> None:
    path.write_text("VALUE = 30\n", encoding="utf-8")


def change_time(path: Path) -> None:
    os.utime(path, (1, 1))


def remove_source(path: Path) -> None:
    path.unlink()


def remove_compiled(path: Path) -> None:
    Path(cache_from_source(str(path))).unlink()


def cut_compiled(path: Path) -> None:
    cut = Path(cache_from_source(str(path)))
    cut.write_bytes(cut.read_bytes()[:-5])


def compile_with_hash(path: Path) -> None:
    py_compile.compile(
        str(path), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH
    )


def compile_as_another(path: Path) -> None:
    py_compile.compile(str(path), dfile="elsewhere.py", doraise=True)


@pytest.mark.parametrize(
    "change",
    [
        change_source,
        change_time,
        remove_source,
        remove_compiled,
        cut_compiled,
        compile_with_hash,
        compile_as_another,
    ],
)
def test_python_itself_finds_a_module_whose_compiled_file_does_not_fit(
    change: Callable[[Path], object], tmp_path: Path
) -> None:
    path = compiled(tmp_path)
    assert found(tmp_path) is not None
    change(path)
    assert found(tmp_path) is None


def test_long_files_are_read_whole(tmp_path: Path) -> None:
    compiled(tmp_path, f"TEXT = {'long ' * 100_000!r}\nVALUE = len(TEXT)\n")
    spec = found(tmp_path)
    assert spec is not None
    assert value(spec) == 500_000


def test_only_known_packages_are_found_quickly(tmp_path: Path) -> None:
    compiled(tmp_path)
    assert found(tmp_path, "json.made_up") is not None
    assert found(tmp_path, "other.made_up") is None
    finder = QuickFinder(str(tmp_path))
    # The place of a package is in `sys.path`.
    assert finder.find_spec("driflamme_tui") is None
    assert finder.find_spec("made_up") is None


def test_the_standard_library_comes_before_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "colorsys.py").write_text("VALUE = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    import colorsys

    spec = QuickFinder(os.path.dirname(os.__file__)).find_spec("colorsys")
    assert spec is None or spec.origin == colorsys.__file__


def test_python_itself_finds_the_engine_which_may_be_compiled() -> None:
    import engine.game

    usual = PathFinder.find_spec("engine.game", engine.__path__)
    assert usual is not None
    assert usual.origin == engine.game.__file__
    assert (
        QuickFinder(os.path.dirname(os.__file__)).find_spec("engine.game", engine.__path__) is None
    )


@pytest.mark.parametrize("unusual", [False, True])
def test_the_finder_comes_just_before_the_usual_one(
    unusual: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.name != "posix":
        pytest.skip("this system has other paths")
    finders = [*sys.meta_path]
    monkeypatch.setattr(sys, "meta_path", finders)
    monkeypatch.setattr(sys, "pycache_prefix", "/nowhere" if unusual else None)
    before = [*finders]
    find_modules_quickly()
    place = before.index(PathFinder)
    added = [] if unusual else [finders[place]]
    assert finders == [*before[:place], *added, *before[place:]]
    assert all(isinstance(each, QuickFinder) for each in added)


def test_a_python_without_the_usual_finder_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [])
    find_modules_quickly()
    assert sys.meta_path == []
