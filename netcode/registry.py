"""Finds the values that wings, the optional parts of the program, bring to seams of the core.

A seam is a type that the core defines. A wing serves a seam with a module of that name, whose
`SEAM` is a value of the type. The wings are listed in `netcode.wings.WINGS` and
`driflamme_tui.wings.WINGS`. No module of the core imports a wing in another way.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Final, TypeVar

from netcode.tracebacks import error_line, import_failure

FAILURES: Final[dict[str, str]] = {}
"""The wings that cannot be imported, each with the reason. The program runs without them."""

_Seam = TypeVar("_Seam")

_WATCHERS: Final[list[Callable[[str, str], object]]] = []
"""Functions that are called with each wing that cannot be imported, and the reason."""


@cache
def wing_values(package: str, seam: str, kind: type[_Seam]) -> tuple[_Seam, ...]:
    """Return the values of a package's wings for a seam, except failed wings', in their order."""
    found = []
    for wing, seams in seams_of_wings(package).items():
        value = _load(package, wing, seam, kind) if seam in seams else None
        if value is not None:
            found.append(value)
    return tuple(found)


def watch_failures(watcher: Callable[[str, str], object]) -> Callable[[], None]:
    """Call `watcher` with the name and reason of each wing that has failed or fails later.

    A call of the returned function ends this.
    """
    _WATCHERS.append(watcher)
    for wing, why in tuple(FAILURES.items()):
        watcher(wing, why)
    return lambda: _WATCHERS.remove(watcher) if watcher in _WATCHERS else None


def failure_of(package: str, seam: str, name: str) -> str:
    """Return the reason why the wing `name` failed.

    If no failed wing has this name, return the reasons of all failed wings that serve the seam.
    """
    if name in FAILURES:
        return FAILURES[name]
    wings = seams_of_wings(package)
    return ", ".join(
        f"{wing}: {why}" for wing, why in FAILURES.items() if seam in wings.get(wing, ())
    )


def seams_of_wings(package: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the seams that each wing of a package serves, by name of the wing."""
    wings: Mapping[str, tuple[str, ...]] = import_module(f"{package}.wings").WINGS
    return wings


def load_all(*packages: str) -> Mapping[str, str]:
    """Import the modules of all seams; return the wings that cannot be imported, with reasons."""
    for package in packages:
        for wing, seams in seams_of_wings(package).items():
            for seam in seams:
                _load(package, wing, seam, kind_of_seam(package, seam))
    return FAILURES


def kind_of_seam(package: str, seam: str) -> type[object]:
    """Return the type of a seam, which the package's module `seams` names."""
    kinds: Mapping[str, type[object]] = import_module(f"{package}.seams").seam_types()
    return kinds[seam]


def _load(package: str, wing: str, seam: str, kind: type[_Seam]) -> _Seam | None:
    """Return a wing's value for a seam; None if the wing has failed, now or earlier.

    The wing fails if the import raises an error, or if the value has another type than `kind`. A
    new failure is recorded and reported to the watchers.
    """
    if wing in FAILURES:
        return None
    name = f"{package}.wings.{wing}.{seam}"
    try:
        value: object = import_module(name).SEAM
    except Exception as error:
        _fail(wing, import_failure(error), error_line(error))
        return None
    if not isinstance(value, kind):
        why = f"SEAM in {name} is no {kind.__name__}"
        _fail(wing, why, why)
        return None
    return value


def _fail(wing: str, why: str, details: str) -> None:
    """Record that a wing cannot be imported, and call all watchers."""
    import logging

    FAILURES[wing] = why
    logging.getLogger(__name__).info("the optional part %r cannot be loaded: %s", wing, details)
    for watcher in tuple(_WATCHERS):
        watcher(wing, why)
