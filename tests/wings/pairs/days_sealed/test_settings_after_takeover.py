"""Tests that a sealed table which another player takes over never becomes a table for days."""

import pytest

from netcode.protocol.evening import Evening
from netcode.protocol.table_settings import SettingValue
from netcode.table.errors import refuse_misfit
from netcode.table.snapshot import NO_ACCESS
from netcode.wings.days.settings import BANK, HOURS
from netcode.wings.sealed.takeover.takeover_server import takeover_snapshot
from tests.wings.sealed.game.sealed_tables import SealedTable


@pytest.mark.parametrize(
    "added", [{HOURS: 24}, {BANK: 2**31 - 1}, {HOURS: "abc"}, {HOURS: 24, "unknown.setting": 1}]
)
def test_a_taken_over_table_has_only_settings_that_fit_to_sealed_games(
    added: dict[str, SettingValue],
) -> None:
    sealing = SealedTable(1).sealing
    snapshot = takeover_snapshot(NO_ACCESS, sealing, 0, (), Evening(), added)
    assert snapshot.table.settings.sealed
    assert snapshot.table.settings.added == {}
    refuse_misfit(snapshot.table.settings)
