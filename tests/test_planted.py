"""Tests that the list of planted bugs is complete, and that every listed bug is planted."""

from importlib import import_module

import pytest

from tests.support.planted import CORE, Planted, Wrong, names, plant
from tests.support.wings import brought

LISTS = [CORE, *brought("planted", Planted)]

PLANTED = {module: tests for each in LISTS for module, tests in each.by_test.items()}

ALONE = {module: test for each in LISTS for module, test in each.alone.items()}


@pytest.mark.parametrize("module", PLANTED)
def test_all_that_the_list_names_is_planted_and_nothing_else(module: str) -> None:
    for test, listed in PLANTED[module].items():
        planted = sorted(names(module, test))
        assert planted == sorted(listed.split()), test
        assert len(planted) == len(set(planted)), "each once"


@pytest.mark.parametrize("module", ALONE)
def test_what_is_planted_alone_has_its_test(module: str) -> None:
    assert callable(getattr(import_module(module), ALONE[module]))


def test_a_bug_of_a_function_that_a_module_no_longer_imports_is_not_planted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bug = Wrong(plant, lambda right: right, imported_by=pytest)
    with pytest.raises(pytest.fail.Exception, match="pytest, which does not import plant"):
        plant(bug, monkeypatch)
