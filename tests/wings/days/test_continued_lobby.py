"""Tests that a restarted host of long games continues its lobby, whose invitation stays valid."""

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.table_to_open import table_to_open
from netcode.protocol.table_settings import TableSettings
from netcode.storage.database import default_path
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.snapshot import Location
from netcode.wings.days.settings import HOURS, OFFSET
from tests.support.kept import OPENED, KeptNetwork
from tests.support.pretend import seated

LONG = TableSettings.of({HOURS: 24})


@pytest.mark.parametrize("names", ["", "a", "ab"])
@pytest.mark.parametrize(
    ("settings", "continues"),
    [
        (LONG, True),
        (TableSettings.of({HOURS: 12, OFFSET: "+02:00"}), True),
        (TableSettings(), False),
    ],
)
def test_a_lobby_with_long_games_continues_whoever_has_a_seat(
    names: str, settings: TableSettings, *, continues: bool
) -> None:
    network = KeptNetwork(default_path())
    if names:
        seated(network, names)
    network.store.close()
    store = Store.open()
    kept = store.load(network.number)
    store.commit({network.number: Keep(replace(kept, table=replace(kept.table, settings=LONG)))}, 0)
    store.close()
    plan = Host(Location(port=4000), settings=settings, continues=True)
    found = table_to_open(plan, "")
    assert found.store is not None
    found.store.close()
    assert (found.opened.code == OPENED.code) is continues
