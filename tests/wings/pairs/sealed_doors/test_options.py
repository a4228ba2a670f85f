"""Tests the options of doors together with the option for sealed play."""

import pytest

from tests.driflamme_tui.cli.test_commands import driflamme, refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("host", "--sealed", "--ssh", "0"), "open a table without SSH and web doors"),
    ],
)
def test_a_table_with_doors_is_not_sealed(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(driflamme(*arguments))
