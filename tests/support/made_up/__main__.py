"""The program with a made-up wing, `laughs`: a folder in each package, and a line in each list.

Everybody at a table can laugh, and the lobby says how often they did. The wing has no kind of game.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import driflamme_tui.wings
import netcode.wings

HERE = Path(__file__).parent


def add(package: ModuleType, *seams: str) -> None:
    """Add the wing's folder, and its line in the list."""
    package.__path__.append(str(HERE / package.__name__.partition(".")[0]))
    package.WINGS["laughs"] = seams


add(netcode.wings, "messages", "settings", "table_parts")
add(driflamme_tui.wings, "options", "plain", "sections", "settings")
import_module("tests.support.offline")

if __name__ == "__main__":
    from driflamme_tui.cli.main import run

    run()
