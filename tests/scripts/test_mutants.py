"""Tests the changes that `scripts/test --mutants` makes."""

import ast

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
