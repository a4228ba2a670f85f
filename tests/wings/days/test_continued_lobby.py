"""Tests that a restarted host of long games continues its lobby, whose invitation stays valid."""

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.table_to_open import TableToOpen, table_to_open
from netcode.protocol.table_settings import TableSettings
from netcode.storage.database import default_path
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.snapshot import Location
from netcode.wings.days.settings import HOURS, OFFSET
from tests.support.kept import OPENED, KeptNetwork
from tests.support.pretend import seated

LONG = TableSettings.of({HOURS: 24})


def opened_by(plan: Host) -> TableToOpen:
    """Return the table that a plan opens, and close its store."""
    found = table_to_open(plan, "")
    assert found.store is not None
    found.store.close()
    return found


@pytest.mark.parametrize("names", ["", "a", "ab"])
@pytest.mark.parametrize(
    "chosen", [LONG, TableSettings.of({HOURS: 12, OFFSET: "+02:00"}), TableSettings()]
)
def test_a_lobby_with_long_games_continues_for_its_people_and_for_hosts_of_long_games(
    names: str, chosen: TableSettings
) -> None:
    network = KeptNetwork(default_path())
    if names:
        seated(network, names)
    network.store.close()
    store = Store.open()
    kept = store.load(network.number)
    store.commit({network.number: Keep(replace(kept, table=replace(kept.table, settings=LONG)))}, 0)
    store.close()
    found = opened_by(Host(Location(port=4000), settings=chosen, continues=True))
    continues = bool(names) or chosen != TableSettings()
    assert (found.opened.code == OPENED.code) is continues
    assert ("with its own settings" in found.sentence) is (continues and chosen != LONG)


def test_an_ordinary_lobby_does_not_continue_where_long_games_are_wanted_now() -> None:
    seated(KeptNetwork(default_path()), "ab")
    plan = Host(Location(port=4000), settings=LONG, continues=True)
    assert opened_by(plan).kept is None
