"""Tests that a host can show a running deal only at a sealed table."""

import pytest

from driflamme_tui.wings.sealed.sealed_words import dealing_sentence, is_dealing
from netcode.protocol.table_settings import TableSettings
from tests.support.tables import lobby


@pytest.mark.parametrize("missing", [(), ("Rosalind",)])
def test_no_deal_is_shown_at_a_table_that_is_not_sealed(missing: tuple[str, ...]) -> None:
    sealed, open_one = (
        lobby("bg", "b", settings=TableSettings(sealed=is_sealed), dealing=missing)
        for is_sealed in (True, False)
    )
    assert is_dealing(sealed)
    assert dealing_sentence(None, sealed)
    assert not is_dealing(open_one)
    assert dealing_sentence(None, open_one) == ""
