"""Finds what the wings, the optional parts of the program, bring to a seam of the core.

A seam is a type that the core defines. A wing that serves it has a module, called like the seam,
with one value of that type under the name `SEAM`. The lists of wings are `netcode.wings.WINGS` and
`driflamme_tui.wings.WINGS`: no module of the core imports them otherwise.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final, TypeVar

from netcode.tracebacks import described, import_failure

FAILED: Final[dict[str, str]] = {}
"""The wings that cannot be imported, and why; the program goes on without them."""

_Seam = TypeVar("_Seam")


@cache
def brought(package: str, seam: str, kind: type[_Seam]) -> tuple[_Seam, ...]:
    """Return what the wings of a package bring to a seam, in the order of its list."""
    found = []
    for wing, seams in listed(package).items():
        value = _load(package, wing, seam) if seam in seams else None
        if value is not None:
            assert isinstance(value, kind)
            found.append(value)
    return tuple(found)


def listed(package: str) -> Mapping[str, tuple[str, ...]]:
    """Return the wings of a package, and the seams that each of them serves."""
    wings: Mapping[str, tuple[str, ...]] = import_module(f"{package}.wings").WINGS
    return wings


def load_all(*packages: str) -> Mapping[str, str]:
    """Import the modules of all seams; return the wings that cannot be imported, and why."""
    for package in packages:
        for wing, seams in listed(package).items():
            for seam in seams:
                _load(package, wing, seam)
    return FAILED


def _load(package: str, wing: str, seam: str) -> object | None:
    """Return what a wing brings to a seam; None if the wing cannot be imported."""
    if wing in FAILED:
        return None
    try:
        value: object = import_module(f"{package}.wings.{wing}.{seam}").SEAM
    except Exception as error:
        import logging

        FAILED[wing] = import_failure(error)
        log = logging.getLogger(__name__)
        # The host and doctor read a sentence; all frames are for whoever looks for the mistake.
        log.info("the optional part %r cannot be loaded: %s", wing, described(error))
        return None
    return value
