"""Tests the table of CONTRIBUTING.md with the seams of each wing."""

from pathlib import Path

import pytest

from scripts.lib.wing_table import PAGE, lists, renewed_page, seams

ROOT = Path(__file__).parents[2]

MOST_LINES = 110
"""Maximum lines of the registry; more would mean a problem with the seams."""


def test_the_table_of_seams_is_as_the_code_is() -> None:
    page = PAGE.read_text("utf-8")
    assert renewed_page(page) == page, "run .venv/bin/python -m scripts.lib.wing_table"


@pytest.mark.parametrize("package", ["netcode", "driflamme_tui"])
def test_the_core_asks_for_each_seam_that_a_wing_serves(package: str) -> None:
    names = {seam.name for seam in seams() if seam.package == package}
    assert {name for served in lists(package).values() for name in served} <= names


def test_every_seam_has_one_type() -> None:
    kinds = {(seam.package, seam.name): set[str]() for seam in seams()}
    for seam in seams():
        kinds[seam.package, seam.name].add(seam.kind)
    assert [name for name, found in kinds.items() if len(found) > 1] == []


def test_the_registry_is_short() -> None:
    lines = (ROOT / "netcode" / "registry.py").read_text("utf-8").splitlines()
    assert len(lines) <= MOST_LINES
