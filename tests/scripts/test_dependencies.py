"""Tests that every range of dependencies ends, and has each pinned version."""

import ast
import re
import tomllib
from collections.abc import Mapping, Set
from functools import cache
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from scripts.lib.distributions import PACKAGES

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

PRIVATE = {"textual"}
"""Packages whose private parts the program uses, which any minor version may change."""


def requirements(*texts: str) -> list[Requirement]:
    """Return the required packages, without the project itself, which its extras require."""
    found = map(Requirement, texts)
    return [each for each in found if each.name != PROJECT["project"]["name"]]


RUNS_ON = requirements(*PROJECT["project"]["dependencies"])
ALL = [
    *RUNS_ON,
    *requirements(*PROJECT["build-system"]["requires"]),
    *requirements(*chain(*PROJECT["project"]["optional-dependencies"].values())),
]


def pinned() -> dict[str, list[Version]]:
    """Return the pinned versions by the name of the package; a package may have several."""
    pins: dict[str, list[Version]] = {}
    for line in (ROOT / "scripts" / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            requirement = Requirement(line)
            (exact,) = requirement.specifier
            assert exact.operator == "=="
            pins.setdefault(canonicalize_name(requirement.name), []).append(Version(exact.version))
    return pins


def ids(requirement: Requirement) -> str:
    return requirement.name


@pytest.mark.parametrize("requirement", ALL, ids=ids)
def test_every_range_ends_and_holds_what_is_pinned(requirement: Requirement) -> None:
    assert any(each.operator in ("<", "<=", "==", "~=") for each in requirement.specifier)
    versions = pinned()[canonicalize_name(requirement.name)]
    assert versions
    assert all(requirement.specifier.contains(each) for each in versions)


@pytest.mark.parametrize("requirement", RUNS_ON, ids=ids)
def test_what_any_minor_version_may_break_ends_at_the_one_that_was_tested(
    requirement: Requirement,
) -> None:
    for version in pinned()[canonicalize_name(requirement.name)]:
        # Before 1.0, every minor version may break.
        if requirement.name in PRIVATE or version.major == 0:
            following = f"{version.major}.{version.minor + 1}"
            assert not requirement.specifier.contains(following)


FIXED = {"msgpack"}
"""Dependencies that no module imports: msgspec writes the frames, and only tests read them with
msgpack.
"""


def test_the_program_imports_all_that_it_depends_on() -> None:
    unused = {canonicalize_name(each.name) for each in RUNS_ON}
    for path in (path for each in PACKAGES for path in (ROOT / each).rglob("*.py")):
        unused -= owners_of_imports(path, unused)
    assert unused == FIXED


IN_AN_EXTRA = {
    "doors": ("driflamme_tui/wings/doors/",),
    "ray": ("engine/arena/",),
    "pettingzoo": ("engine/",),
    "training": ("engine/",),
}
"""For each extra, the paths of modules that may import its packages."""


@cache
def owners() -> Mapping[str, list[str]]:
    """Return the distributions that have modules of each name."""
    return packages_distributions()


@cache
def names_of(distribution: str) -> tuple[str, ...]:
    """Return the top-level names of the modules of a distribution."""
    return tuple(
        name
        for name, theirs in owners().items()
        if distribution in {*map(canonicalize_name, theirs)}
    )


def owners_of_imports(path: Path, wanted: Set[str]) -> set[str]:
    """Return those of the wanted distributions that a module imports."""
    text = path.read_text(encoding="utf-8")
    words = {*re.findall(r"\w+", text)}
    # Parsing takes many times as long as searching, so skip modules that name none.
    named = {each for each in wanted if not words.isdisjoint(names_of(each))}
    found = imported(text) if named else set()
    return {each for each in named if not found.isdisjoint(names_of(each))}


def imported(text: str) -> set[str]:
    """Return the top-level names of all imports of a module, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def test_what_is_always_there_imports_no_package_of_an_extra() -> None:
    always = {canonicalize_name(each.name) for each in RUNS_ON}
    extras = PROJECT["project"]["optional-dependencies"]
    theirs = {
        extra: {canonicalize_name(each.name) for each in requirements(*extras[extra])} - always
        for extra in IN_AN_EXTRA
    }
    wrong = []
    for path in (each for name in PACKAGES for each in (ROOT / name).rglob("*.py")):
        inside = path.relative_to(ROOT).as_posix()
        for extra, places in IN_AN_EXTRA.items():
            if not inside.startswith(places) and (
                lacking := owners_of_imports(path, theirs[extra])
            ):
                wrong.append(f"{inside}: {', '.join(lacking)} of the extra {extra}")
    assert wrong == []
