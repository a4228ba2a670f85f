"""Tests the changes that `scripts/test --mutants` makes."""

import ast
import importlib.util
import sys
from pathlib import Path

from scripts.lib.mutant_runs import replace_function
from scripts.lib.mutants import Change, change

MODULE = """
class Point(Struct, frozen=True, gc=False):
    far: bool = False

    def at(self, places: list[int]) -> int:
        return places[0] + 1 if self.far and places else -1
"""

CHANGES = {
    "class Point(Struct, frozen=True, gc=True):": 2,
    "far: bool = True": 3,
    "return places[0] - 1 if self.far and places else -1": 6,
    "return places[1] + 1 if self.far and places else -1": 6,
    "return places[0] + 2 if self.far and places else -1": 6,
    "return places[0] + 1 if self.far or places else -1": 6,
    "return places[0] + 1 if self.far and places else -2": 6,
}
"""Each changed line of the module, and its number."""


def test_each_operator_and_number_is_changed_but_what_types_say() -> None:
    counting = Change()
    counting.visit(ast.parse(MODULE))
    made = [change(MODULE, which) for which in range(counting.count)]
    assert {said.partition("  ->  ")[2]: line for _, line, said in made} == CHANGES
    assert all(ast.dump(ast.parse(text)) != ast.dump(ast.parse(MODULE)) for text, _, _ in made)


LIVE = """
from functools import cache
MOST = 2

class Point:
    @cache
    def far(self) -> int:
        return MOST + 3

def near(step: int = 1) -> int:
    return step
"""


def test_a_changed_function_is_replaced_in_a_running_program(tmp_path: Path) -> None:
    results = {}
    for which in range(4):
        path = tmp_path / f"live_{which}.py"
        path.write_text(LIVE)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        text, _, said = change(LIVE, which)
        path.write_text(text)
        is_replaced = replace_function(path, LIVE)
        results[said.partition("  ->  ")[2]] = is_replaced, module.Point().far(), module.near()
        del sys.modules[path.stem]
    # A constant and a default exist since the import.
    assert results == {
        "MOST = 3": (False, 5, 1),
        "return MOST - 3": (True, -1, 1),
        "return MOST + 4": (True, 6, 1),
        "def near(step: int=2) -> int:": (False, 5, 1),
    }
