"""The ways in from other homes, before a router and a relay that are none."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from driflamme_tui.hosting import outside
from driflamme_tui.hosting.open_relay import open_relay_line
from driflamme_tui.hosting.outside import Outside
from netcode.transport.address import Address
from netcode.wings.relay import relay_line
from netcode.wings.relay.relay_link import RelayLink, parse_relay_link
from netcode.wings.relay.relay_messages import Registered


class PretendedWay:
    """A way that a router opens at once, to the same port of its own address."""

    error = None

    def __init__(self, port: int, _leases: object, _tell: object) -> None:
        self.port = port
        self.addresses: tuple[Address, ...] = ()

    async def open(self) -> None:
        self.addresses = (Address("203.0.113.5", self.port),)

    async def close(self) -> None:
        self.addresses = ()


@pytest.fixture(autouse=True)
def _pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "WayIn", PretendedWay)


def ways(*wanted: str) -> tuple[Any, Outside, list[str]]:
    """Return what listens, its ways from outside, and what is said of changes."""
    listening: Any = SimpleNamespace(outside=())
    changes: list[str] = []
    found = Outside(listening, 4000, wanted=wanted, changed=lambda: changes.append("changed"))
    return listening, found, changes


@pytest.mark.parametrize("owned", [True, False])
async def test_who_has_typed_the_option_is_not_asked_again(owned: bool) -> None:
    told: list[str] = []
    listening, found, changes = ways("table")
    await found.start(told.append, owned=owned)
    # Only a server without an owner has waited for the router.
    assert len(told) == (not owned)
    await found.close()
    assert listening.outside == (Address("203.0.113.5", 4000),)
    assert changes == ["changed"]


async def test_nothing_is_opened_that_nobody_wants() -> None:
    listening, found, changes = ways()
    await found.start(lambda _: None, owned=False)
    await found.close()
    assert (listening.outside, changes) == ((), [])


async def test_a_door_is_opened_too_and_learns_where_it_is_reached() -> None:
    listening, found, changes = ways()
    reached: list[tuple[object, ...]] = []
    found.doors = cast(
        Any, SimpleNamespace(ports={"ssh": 2222}, reach=lambda *where: reached.append(where))
    )
    found.begin("ssh")
    await asyncio.sleep(0)
    await found.close()
    assert reached[-1] == ((Address("203.0.113.5", 2222),), ())
    assert (listening.outside, changes) == ((), [])


LINK = RelayLink((Address("198.51.100.7", 4000),), bytes(32), bytes(12))


@pytest.mark.parametrize("has_room", [True, False])
@pytest.mark.parametrize("evening_pass", [None, bytes(range(12))])
async def test_the_relay_of_a_table_says_by_what_others_come_and_when_it_is_gone(
    monkeypatch: pytest.MonkeyPatch, has_room: bool, evening_pass: bytes | None
) -> None:
    class PretendedLine:
        registered: Registered | None = None
        is_replaced = False

        def __init__(self, *told: Any) -> None:
            self.changed: Callable[[], None] = told[-1]

        async def open(self) -> None:
            self.registered = Registered(has_room=has_room, evening_pass=evening_pass)

    monkeypatch.setattr(relay_line, "RelayLine", PretendedLine)
    passes: list[str] = []
    told: list[str] = []
    listening: Any = SimpleNamespace(opened=SimpleNamespace(relay=str(LINK)), identity=object())
    table = SimpleNamespace(set_relay_pass=passes.append)
    entry: Any = SimpleNamespace(room="ABC", table=table)
    server: Any = SimpleNamespace(adopt=None)
    line: Any = await open_relay_line(listening, entry, server, told.append)
    assert [parse_relay_link(each).secret for each in passes] == [evening_pass] * bool(evening_pass)
    assert any("has a code like yours" in each for each in told) != has_room
    told.clear()
    line.registered = None
    line.changed()
    line.registered = Registered(has_room=True)
    line.changed()
    line.is_replaced = True
    line.changed()
    assert [each.partition(" 198")[0] for each in told] == [
        "The connection to the relay at",
        "The relay at",
        "Another table of yours now uses the relay at",
    ]
