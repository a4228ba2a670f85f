"""Tests that a tree without a wing keeps its types and import contracts, and passes its tests."""

import sys

import pytest

from scripts.lib.wing_removal import without
from scripts.lib.wings import WINGS


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.skipif(sys.platform == "win32", reason="the proof makes links, as on other systems")
@pytest.mark.parametrize("names", [[*WINGS], *([name] for name in WINGS)], ids="-".join)
def test_all_that_is_left_without_wings_holds(names: list[str]) -> None:
    result = without(names)
    assert result.wrong == []
    assert result.ran > 0
