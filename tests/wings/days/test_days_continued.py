"""Tests that a restarted service continues a table with long games."""

from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.table_to_open import table_to_open
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.snapshot import Location
from tests.support.kept import OPENED
from tests.support.pretend import seated, snapshot_of
from tests.wings.days.calling_tables import Calling


def test_a_service_continues_a_lobby_whose_seats_are_kept_for_days() -> None:
    network = Calling()
    seated(network, "ab")
    kept = snapshot_of(network.table)
    store = Store.open()
    store.commit({7: Keep(replace(kept, table=replace(kept.table, opened=OPENED)))}, 0)
    store.close()
    found = table_to_open(Host(Location(port=4000), continues=True), "")
    assert found.store is not None
    found.store.close()
    assert found.number == 7
