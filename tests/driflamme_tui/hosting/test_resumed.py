"""Tests the properties of a resumed table: the stored ones, and those of new options."""

import asyncio
from collections.abc import Callable
from typing import cast

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting import core_parts, parts
from driflamme_tui.hosting.core_parts import ANNOUNCEMENT, LINKS, STATUS
from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.hosted_table import HostedTable
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.hosting.parts import SEAM, HostParts, OpenPlace
from driflamme_tui.hosting.table_to_open import TableToOpen, table_to_open
from driflamme_tui.preferences.matched_bots import EVEN_BOT
from driflamme_tui.seat.seat_session import sit_down
from engine.texts import ExplainedError
from netcode.protocol.table_settings import TableSettings
from netcode.registry import FAILURES, wing_values
from netcode.storage.database import default_path
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.errors import NotThereError, StoreError
from netcode.table.snapshot import MOST_RECORD, Location, TableAccess
from tests.driflamme_tui.hosting.pretended import Laughs, pretend
from tests.support.kept import OPENED, KeptNetwork, change_kept, stopped
from tests.support.pretend import seated, snapshot_of

HERE = Location("127.0.0.1", 0, announced=False)
FIRST = Host(HERE, resume=True)
AGAIN = Host(resume=True)


@pytest.fixture(autouse=True)
def announced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record announcements on the local network, and send none; return the hosts' names."""
    sentences: list[str] = []

    async def announce_table(name: str, *_: object) -> None:
        sentences.append(name)

    monkeypatch.setattr(core_parts, "announce_table", announce_table)
    return sentences


async def seen(plan: Host, sentences: list[str] | None = None) -> HostedTable:
    """Open a table as planned and close it again; return it."""
    notify = (lambda _sentence: None) if sentences is None else sentences.append
    table = await open_table(plan, owned=True, name="a", notify=notify)
    await asyncio.sleep(0)
    await table.close()
    return table


async def twice(plan: Host = FIRST) -> tuple[HostedTable, HostedTable]:
    """Resume a stored table with options, then again without options; return both tables."""
    stopped(default_path(), 5)
    return await seen(plan), await seen(AGAIN)


@pytest.mark.parametrize("is_announced", [True, False])
async def test_a_table_is_announced_again_if_it_was(
    announced: list[str], is_announced: bool
) -> None:
    await twice(replace(FIRST, location=replace(HERE, announced=is_announced)))
    assert announced == ["a", "a"] * is_announced
    announced.clear()
    await seen(replace(AGAIN, location=Location(announced=True)))
    assert announced == ["a"], "what is asked for now comes first"


async def test_the_parts_of_a_table_are_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = pretend(monkeypatch, "laughs", "coughs")
    first, again = await twice(replace(FIRST, parts={"laughs": "loud"}))
    assert opened == ["loud", "loud"]
    part = cast(Laughs, again.parts["laughs"])
    assert part.seen == ["start", "table", "open", "stop", "close"]
    await seen(replace(AGAIN, parts={"laughs": "low", "coughs": "dry"}))
    opened.clear()
    await seen(AGAIN)
    assert opened == ["low", "dry"], "what is asked for is added to what there was"
    assert "coughs" not in first.parts


async def test_a_part_that_changes_is_kept_as_it_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = pretend(monkeypatch, "laughs", "coughs")
    stopped(default_path(), 5)
    options = {"laughs": "loud", "coughs": "dry"}
    table = await open_table(replace(FIRST, parts=options), owned=True, name="a")
    cast(Laughs, table.parts["laughs"]).record = "low"
    cast(Laughs, table.parts["coughs"]).record = ""
    table.save_records()
    await table.close()
    opened.clear()
    await seen(AGAIN)
    assert opened == ["low"]


async def test_a_part_that_cannot_be_opened_again_keeps_no_table_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        pretend(patch, "laughs")
        await twice(replace(FIRST, parts={"laughs": "loud"}))
    sentences: list[str] = []
    with monkeypatch.context() as patch:
        pretend(patch, stuck=["laughs"])
        assert "laughs" not in (await seen(AGAIN, sentences)).parts
        assert sentences == ["The laughs are stuck. The table is open without it."]
        with pytest.raises(ExplainedError):
            await seen(replace(AGAIN, parts={"laughs": "loud"}))
    opened = pretend(monkeypatch, "laughs")
    await seen(AGAIN)
    assert opened == ["loud"], "its record stays"


async def test_a_table_with_a_part_that_is_missing_is_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        pretend(patch, "laughs")
        await twice(replace(FIRST, parts={"laughs": "loud"}))
    before = default_path().read_bytes()
    for _ in range(2):
        with pytest.raises(StoreError, match="the optional part laughs, which is missing here"):
            await seen(AGAIN)
    store = Store.open()
    found = store.unfinished()
    assert found is not None
    assert store.load(found.table).table.opened.parts == {"laughs": "loud"}
    store.close()
    assert default_path().read_bytes() == before


async def test_tables_of_a_missing_keeper_are_named_and_left_as_they_are() -> None:
    class OtherStore(Store):
        keeper = "no_such"

    network = stopped(default_path(), 5)
    store = OtherStore.open()
    store.commit({1: Keep(snapshot_of(network.table))}, 0)
    store.close()
    before = default_path().read_bytes()
    with pytest.raises(StoreError, match="the optional part no_such, which is missing here"):
        await seen(FIRST)
    assert default_path().read_bytes() == before


async def test_a_table_with_a_missing_kind_of_game_is_named_and_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopped(default_path(), 5)
    before = default_path().read_bytes()
    monkeypatch.setattr(TableSettings, "kind", "laughs")
    for _ in range(2):
        with pytest.raises(StoreError, match="the optional part laughs, which is missing here"):
            await seen(FIRST)
    monkeypatch.setitem(FAILURES, "laughs", "OSError")
    with pytest.raises(StoreError, match="laughs, which cannot be loaded: OSError"):
        await seen(FIRST)
    assert default_path().read_bytes() == before


async def test_a_new_table_opens_without_a_part_that_is_missing() -> None:
    sentences: list[str] = []
    await seen(Host(HERE, {"laughs": "loud"}), sentences)
    assert sentences == [
        "The optional part laughs is missing: everything opens without it until you reinstall the"
        " program."
    ]


async def test_a_table_of_another_form_is_named_and_hides_no_other() -> None:
    stopped(default_path(), 5)
    stopped(default_path(), 5, number=2)
    change_kept(default_path(), 2, table={"opened": {"secret": bytes(12), "bind": None}})
    assert (await seen(FIRST)).entry.number == 1
    change_kept(default_path(), 1, table={"opened": {"secret": bytes(12), "bind": None}})
    with pytest.raises(StoreError, match="saved by another version of this program"):
        await seen(AGAIN)


KEPT: dict[str, Callable[[HostedTable], object]] = {
    "link": lambda table: table.invitations,
    "code": lambda table: table.entry.code,
    "location": lambda table: table.listening and table.listening.location,
    "settings": lambda table: table.entry.table and table.entry.table.games.settings,
    "evening": lambda table: table.entry.table and table.entry.table.games.evening,
}


@pytest.mark.parametrize("what", KEPT)
async def test_what_a_table_is_it_is_again(what: str) -> None:
    first, again = await twice(replace(FIRST, location=replace(HERE, public="table.example")))
    assert KEPT[what](again) == KEPT[what](first)


async def test_a_table_without_encryption_is_so_again() -> None:
    first, again = await twice(replace(FIRST, location=replace(HERE, plain=True)))
    assert first.secure is again.secure is False


async def test_a_table_that_was_closed_in_the_lobby_is_opened_again() -> None:
    """A table is resumable after `kill -9` and after Ctrl-C, also in the lobby."""
    closed = await seen(replace(FIRST, resume=False))
    again = await seen(FIRST)
    assert again.entry.code == closed.entry.code


SERVICE = Host(Location(port=4000), continues=True)
"""The plan of a service that hosts without a seat, at the port of stored tables."""


def opened_by(plan: Host) -> TableToOpen:
    """Return the table that a plan opens, and close its store."""
    found = table_to_open(plan, "")
    assert found.store is not None
    found.store.close()
    return found


def test_a_service_that_is_started_again_continues_its_game() -> None:
    network = stopped(default_path(), 5)
    found = opened_by(SERVICE)
    assert found.number == network.number
    assert found.kept is not None
    assert found.opened.code == OPENED.code
    assert "--restart" in found.sentence
    again = replace(SERVICE, bots=("steady",))
    assert "with its own settings and bots" in opened_by(again).sentence


def keep_opened(opened: TableAccess) -> None:
    """Store an interrupted table with this location and these parts."""
    stopped(default_path(), 5)
    store = Store.open()
    kept = store.load(1)
    store.commit({1: Keep(replace(kept, table=replace(kept.table, opened=opened)))}, 0)
    store.close()


async def test_a_service_opens_only_the_parts_that_its_command_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = pretend(monkeypatch, "laughs", "coughs")
    keep_opened(replace(OPENED, location=HERE, parts={"laughs": "loud"}))
    again = Host(HERE, resume=True, parts={"coughs": "dry"})
    resumed = await open_table(again, owned=False)
    await resumed.close()
    assert opened == ["loud", "dry"], "an explicit --resume opens the stored parts too"
    opened.clear()
    here = replace(HERE, port=resumed.port)
    table = await open_table(
        replace(again, resume=False, continues=True, location=here), owned=False
    )
    await table.close()
    assert (table.entry.number, table.is_resumed) == (1, True)
    assert opened == ["dry"]
    opened.clear()
    await (await open_table(Host(here, resume=True), owned=False)).close()
    assert opened == ["dry"], "a part that was left out comes back with no later start"


@pytest.mark.parametrize(
    "plan",
    [
        replace(SERVICE, continues=False),
        replace(SERVICE, location=Location(port=4001)),
        replace(SERVICE, location=Location(port=4000, plain=True)),
        replace(SERVICE, location=Location(unix="/no")),
    ],
    ids=["restart", "other port", "plain", "unix"],
)
def test_a_service_at_another_place_opens_a_new_table(plan: Host) -> None:
    stopped(default_path(), 5)
    assert opened_by(plan).kept is None


def test_a_service_finds_its_game_among_those_of_other_ports() -> None:
    stopped(default_path(), 5)
    stopped(default_path(), 5, number=2)
    access = TableAccess(bytes(12), "J7KDPX2A", Location(port=4001))
    store = Store.open()
    kept = store.load(2)
    moved = replace(kept, table=replace(kept.table, opened=access))
    store.commit({2: Keep(moved)}, 0)
    store.close()
    assert opened_by(SERVICE).number == 1
    assert opened_by(replace(SERVICE, location=Location(port=4001))).number == 2


def test_a_lobby_continues_only_if_it_has_long_games() -> None:
    network = KeptNetwork(default_path())
    seated(network, "ab")
    assert opened_by(SERVICE).kept is None


def stopped_with_bot() -> None:
    """Store an interrupted table at which the third player is a steady bot."""
    stopped(default_path(), 5)
    store = Store.open()
    kept = store.load(1)
    seats = (*kept.table.seats[:2], replace(kept.table.seats[2], bot="steady", keys=None))
    store.commit({1: Keep(replace(kept, table=replace(kept.table, seats=seats)))}, 0)
    store.close()


async def test_a_host_who_resumes_a_table_with_the_same_bots_adds_none() -> None:
    stopped_with_bot()
    seat = await sit_down(replace(FIRST, bots=("steady",)), "a")
    assert seat._opening == []
    await seat.close()


def test_resuming_allows_the_bots_that_the_table_has_and_no_others() -> None:
    stopped(default_path(), 5)
    resumed = replace(SERVICE, continues=False, resume=True)
    with pytest.raises(StoreError, match="has other bots"):
        opened_by(replace(resumed, bots=("steady",)))
    stopped_with_bot()
    for bots in (("steady",), (EVEN_BOT,)):
        assert opened_by(replace(resumed, bots=bots)).kept is not None


async def test_a_table_that_its_host_closed_for_good_is_gone() -> None:
    table = await open_table(Host(HERE), owned=True)
    await table.close(for_good=True)
    with pytest.raises(NotThereError):
        await seen(FIRST)


def test_a_place_that_is_no_server_has_no_port_of_its_own() -> None:
    with pytest.raises(NotImplementedError):
        _ = OpenPlace().port


async def test_a_record_that_is_too_long_is_refused_before_anything_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend(monkeypatch, "laughs")
    with pytest.raises(ExplainedError, match="optional part laughs have more than 2000 characters"):
        await seen(Host(HERE, {"laughs": "l" * (MOST_RECORD + 1)}))
    with pytest.raises(NotThereError):
        await seen(AGAIN)


async def test_a_record_that_grows_too_long_leaves_the_former_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend(monkeypatch, "laughs")
    stopped(default_path(), 5)
    sentences: list[str] = []
    plan = replace(FIRST, parts={"laughs": "low"})
    table = await open_table(plan, owned=True, name="a", notify=sentences.append)
    cast(Laughs, table.parts["laughs"]).record = "l" * (MOST_RECORD + 1)
    table.save_records()
    table.save_records()
    assert table.entry.opened.parts == {"laughs": "low"}
    assert len([each for each in sentences if "laughs have more than" in each]) == 1
    await table.close()
    assert (await seen(AGAIN)).entry.opened.parts == {"laughs": "low"}


async def test_a_part_that_cannot_be_opened_is_stopped_and_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend(monkeypatch, stuck=["laughs"])
    place = OpenPlace(parts={"laughs": parts.part_kinds()["laughs"].build("loud")})
    (part,) = place.parts.values()
    await place.open_parts(())
    assert cast(Laughs, part).seen == ["open", "stop", "close"]
    assert not place.parts
    await place.close_parts()


def test_no_part_of_a_wing_has_the_name_of_another_part() -> None:
    names = [
        kind.name for seam in wing_values("driflamme_tui", SEAM, HostParts) for kind in seam.kinds
    ]
    assert len({*names, LINKS, ANNOUNCEMENT, STATUS}) == len(names) + 3
