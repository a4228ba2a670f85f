"""Finds the parts that wings bring for tests of the core: scenes, frames, tags and so on.

A part is `tests/wings/NAME/PART.py`, and defines a name that this module knows.
"""

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from driflamme_tui.wings import WINGS as WINGS_OF_FACE
from netcode.wings import WINGS as WINGS_OF_NET

FOLDER = Path(__file__).parents[1] / "wings"

_Kind = TypeVar("_Kind")


def is_of_missing_wing(path: str) -> bool:
    """Return True if a path leads into the folder of a wing that has been deleted."""
    folder = re.search(r"(?:^|/)wings/(\w+|\*)/", f"{path}/")
    wings = WINGS_OF_NET | WINGS_OF_FACE
    if path == "tests/wings":
        return not wings
    return folder is not None and folder[1] not in ("pairs", *wings, *["*"] * any(wings))


def modules(part: str) -> list[ModuleType]:
    """Return the modules of a part, sorted by wing."""
    found = []
    for path in sorted(FOLDER.glob(f"*/{part}.py")):
        name = f"tests.wings.{path.parent.name}.{part}"
        try:
            found.append(import_module(name))
        except ModuleNotFoundError as error:
            # Raise any other error: `scripts/wings --quick` blocks only the modules of a wing.
            if not f"{name}.".startswith(f"{error.name}."):
                raise
    return found


def brought(part: str, kind: type[_Kind]) -> list[_Kind]:
    """Return the values that the modules of a part define under the part's name in capitals."""
    found = [vars(module)[part.upper()] for module in modules(part)]
    assert all(isinstance(each, kind) for each in found)
    return found
