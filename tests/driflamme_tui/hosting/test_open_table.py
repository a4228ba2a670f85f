import asyncio
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting import open_server
from driflamme_tui.hosting.host_plans import Host, OpenPlan
from driflamme_tui.hosting.hosted_table import OpenServer
from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.hosting.parts import Part
from engine.texts import ExplainedError
from netcode.joining.discovery import Announcement
from netcode.joining.invitation import parse_invitation
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES
from netcode.storage.database import default_path
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from netcode.table.snapshot import Location, TableAccess
from netcode.transport.address import DEFAULT_PORT, Address
from tests.driflamme_tui.hosting.pretended import pretend
from tests.support.kept import change_kept, stopped
from tests.support.servers import identity

HERE = Location("127.0.0.1", 0, plain=True, announced=False)


@pytest.mark.parametrize(("resume", "continues"), [(False, False), (False, True), (True, False)])
def test_no_screen_waits_for_the_database(
    monkeypatch: pytest.MonkeyPatch, resume: bool, continues: bool
) -> None:
    threads: list[threading.Thread] = []
    sentences: list[str] = []

    def opened() -> Store:
        threads.append(threading.current_thread())
        raise StoreError("Another program is writing.")

    async def host() -> None:
        plan = Host(HERE, resume=resume, continues=continues)
        table = await open_table(plan, owned=False, notify=sentences.append)
        await table.close()

    monkeypatch.setattr(Store, "open", opened)
    if resume:
        with pytest.raises(StoreError):
            asyncio.run(host())
    else:
        asyncio.run(host())
        assert sentences == [
            "Another program is writing. The game continues, but it could not be resumed"
            " after a crash."
        ]
    assert threads
    assert threading.main_thread() not in threads


async def test_whose_game_was_interrupted_reads_how_it_is_brought_back() -> None:
    stopped(default_path())
    sentences: list[str] = []
    plan = Host(HERE)
    await (await open_table(plan, owned=False, notify=sentences.append)).close()
    assert sentences == ["A game was interrupted here: driflamme host --resume resumes it."]
    offered = replace(plan, reminds=False)
    await (await open_table(offered, owned=False, notify=sentences.append)).close()
    assert len(sentences) == 1, "the start screen has a button for it"


async def test_the_host_of_a_table_that_is_brought_back_sits_there_as_before() -> None:
    stopped(default_path(), 5)
    change_kept(default_path(), table={"owner": bytes(32)})
    sentences: list[str] = []
    plan = Host(HERE, resume=True)
    table = await open_table(plan, owned=True, name="Zoe", notify=sentences.append)
    assert sentences == ["Your seat at this table has the name a, so you play as a."]
    with pytest.raises(StoreError, match="already open in another program of yours"):
        await open_table(plan, owned=True, name="Zoe")
    await table.close()


def test_a_table_that_cannot_be_brought_back_is_said_to_be_damaged_each_time() -> None:
    """The refused table's server must be closed: else the next try would find an older table."""
    stopped(default_path(), 5)
    stopped(default_path(), number=2)
    change_kept(default_path(), 2, game={"actions": ["nonsense"]})
    for _ in range(2):
        with pytest.raises(StoreError, match="step 1 of the game, 'nonsense', breaks the rules"):
            asyncio.run(open_table(Host(Location("127.0.0.1", 0), resume=True), owned=True))


def test_where_a_resumed_table_is_opened_is_as_before_unless_it_is_said() -> None:
    stopped(default_path(), 5)
    store = Store.open()
    found = store.unfinished()
    assert found is not None
    kept = store.load(found.table)
    store.close()
    opened = kept.table.opened
    assert Host(resume=True).reopened(opened) == opened
    moved = Location("::1", 4000, "table.example")
    plan = Host(moved, {"relay": "link"}, resume=True)
    assert plan.reopened(opened) == replace(opened, location=moved, parts={"relay": "link"})
    usual = OpenPlan().opened(b"s" * 12).location
    assert usual == Location(port=DEFAULT_PORT, plain=False, announced=True)


@pytest.mark.parametrize(
    ("public", "port", "reached"),
    [
        ("table.example", 4000, ["table.example:4000"]),
        ("table.example,fd00::7", 4000, ["table.example:4000", "[fd00::7]:4000"]),
        # A router may forward the usual port to another one.
        ("table.example:11214", 4000, ["table.example"]),
        ("table.example:5000,10.0.0.1", 4000, ["table.example:5000", "10.0.0.1:4000"]),
        ("table.example", 11214, ["table.example"]),
    ],
)
@pytest.mark.parametrize("bind", [None, "127.0.0.1"])
def test_a_public_address_without_a_port_has_that_of_the_table(
    public: str, port: int, reached: list[str], bind: str | None
) -> None:
    opened = OpenPlan(Location(bind, port, public)).opened(b"s" * 12)
    own = ("192.168.1.20",) if bind is None else ()
    listening = Listening(opened, None, [], machine=own)
    there = [str(Address(each, port)) for each in own]
    assert [str(each) for each in listening.addresses] == reached + there


async def test_where_the_system_chooses_the_port_a_public_address_has_it() -> None:
    plan = Host(Location("127.0.0.1", 0, "table.example", announced=False))
    table = await open_table(plan, owned=False)
    [link] = table.invitations
    assert parse_invitation(link).addresses == (Address("table.example", table.server.port),)
    await table.close()


class Moving:
    """A machine whose addresses change while a table is open."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.numbers = ["192.168.1.20"]
        monkeypatch.setattr(open_server, "machine_numbers", lambda: self.numbers)
        monkeypatch.setattr(open_server, "ADDRESSES_EVERY_S", 0)

    async def becomes(self, *numbers: str) -> None:
        self.numbers = [*numbers]
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.mark.parametrize("owned", [False, True])
async def test_links_name_the_addresses_that_this_machine_has_now(
    monkeypatch: pytest.MonkeyPatch, owned: bool
) -> None:
    machine, sentences = Moving(monkeypatch), list[str]()
    table = await open_table(
        Host(Location(port=0, announced=False)), owned=owned, name="Ada", notify=sentences.append
    )
    assert table.entry.table is not None
    invited = table.entry.table._invited

    def named() -> list[str]:
        [link] = table.invitations
        assert invited.link == link, "the lobby shows what the QR code and the clipboard have"
        return [each.host for each in parse_invitation(link).addresses]

    assert named() == ["192.168.1.20"]
    await machine.becomes("10.8.0.2", "192.168.1.20")
    assert named() == ["10.8.0.2", "192.168.1.20"]
    # A cable is pulled and another one plugged in.
    await machine.becomes()
    assert named() == ["10.8.0.2", "192.168.1.20"]
    await machine.becomes("172.20.0.9")
    assert named() == ["172.20.0.9"]
    assert len(sentences) == (0 if owned else 2), "who hosts reads it in the lobby"
    await table.close()


async def test_what_cannot_be_opened_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, stuck={"laughs"})
    stopped(default_path(), 5)
    plan = Host(replace(HERE, plain=False), {"laughs": "loud"}, resume=True)
    for _attempt in range(2):
        # Try twice: a failed try must free the table, which only one program can have.
        with pytest.raises(ExplainedError, match="laughs are stuck"):
            await open_table(plan, owned=True)


async def test_the_links_of_a_server_have_its_own_secret() -> None:
    address = Address("192.0.2.1", 5)
    opened = TableAccess(b"s" * SECRET_BYTES, "K7QF2MXR", Location(public=str(address), port=5))
    server: Any = None
    place = OpenServer(server=server, listening=Listening(opened, identity("host"), []))
    assert place.secret == opened.secret
    assert parse_invitation(place.invitations[0]).secret == opened.secret


async def test_what_was_opened_for_a_server_is_closed_in_order() -> None:
    class Logged(Part):
        def __init__(self, name: str) -> None:
            self.name = name

        async def stop(self) -> None:
            closed.append(f"{self.name} stops")

        async def close(self, **_: bool) -> None:
            closed.append(self.name)

    closed: list[str] = []
    server: Any = Logged("server")
    parts: dict[str, Part] = {name: Logged(name) for name in ("line", "doors")}
    await OpenServer(server=server, parts=parts).close()
    # Guests of a door receive a goodbye before the door closes.
    assert closed == ["doors stops", "line stops", "server", "line", "doors"]
    await OpenServer(server=server).close()
    assert closed[-1] == "server"


async def test_a_table_is_announced_with_the_present_name_of_its_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []
    table = await open_table(Host(HERE), owned=True, name="Hanna")
    present_table = table.entry.table
    assert present_table is not None

    async def announce(present: Callable[[], Announcement]) -> None:
        names.append(present().name)
        seat = present_table.participants.sit("Olga", 1, bytes(KEY_BYTES))
        names.append(present().name)
        seat.host = True
        for seat.name in ("Olga", "B"):
            names.append(present().name)

    monkeypatch.setattr(open_server, "announce", announce)
    await open_server.announce_table("Hanna", table.entry, table.server, None)
    await table.close()
    assert names == ["Hanna", "Hanna", "Olga", "B"]


@pytest.mark.parametrize(
    ("host", "is_announced"),
    [("192.168.1.20", True), ("fd00::20", True), ("198.51.100.20", False), ("127.0.0.1", False)],
)
async def test_a_place_of_many_tables_is_announced_on_a_private_network_only(
    host: str, is_announced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, str | bytes | None]] = []

    async def announce(present: Callable[[], Announcement]) -> None:
        sent.append(present().properties())

    monkeypatch.setattr(open_server, "announce", announce)
    server: Any = SimpleNamespace(addresses=[Address(host)], port=11214)
    await open_server.announce_place(server, identity("club"))
    assert [each.keys() for each in sent] == [{"v", "at", "mark"}] * is_announced
