"""What the wings bring to tests of the core: simulation, frames, tags, scenes and so on.

A wing brings something in a module of its tests, `tests/wings/NAME/PART.py`, of a name known here.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

FOLDER = Path(__file__).parents[1] / "wings"

_Kind = TypeVar("_Kind")


def modules(part: str) -> list[ModuleType]:
    """Return the modules of a part, in the order of the names of their wings."""
    found = []
    for path in sorted(FOLDER.glob(f"*/{part}.py")):
        name = f"tests.wings.{path.parent.name}.{part}"
        try:
            found.append(import_module(name))
        except ModuleNotFoundError as error:
            # `scripts/wings --quick` keeps the modules of a wing from being found.
            if not f"{name}.".startswith(f"{error.name}."):
                raise
    return found


def brought(part: str, kind: type[_Kind]) -> list[_Kind]:
    """Return the value that each module of a part has under the name of the part."""
    found = [vars(module)[part.upper()] for module in modules(part)]
    assert all(isinstance(each, kind) for each in found)
    return found
