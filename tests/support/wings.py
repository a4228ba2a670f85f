"""What the wings bring to tests of the core: simulation, frames to attack with, strategies.

A wing brings something in a module of its tests, `tests/wings/NAME/PART.py`, of a name known here.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parents[1] / "wings"


def brought(part: str) -> list[ModuleType]:
    """Return the modules of a part, in the order of the names of their wings."""
    found = sorted(FOLDER.glob(f"*/{part}.py"))
    return [import_module(f"tests.wings.{path.parent.name}.{part}") for path in found]
