"""Tests the ways of guests in other homes to a host, with a pretended router."""

import asyncio

import pytest
from msgspec import field

from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.parts import OpenPlace
from driflamme_tui.wings.router import router as router_module
from driflamme_tui.wings.router.router import Router
from netcode.table.snapshot import TableAccess
from netcode.transport.address import Address

OPENED = TableAccess(bytes(12), "H7KDPX2A")


class PretendedWay:
    """A way that a router opens immediately, to the same port of its own address."""

    error = None

    def __init__(self, port: int, _leases: object, _publish: object) -> None:
        self.port = port
        self.addresses: tuple[Address, ...] = ()

    async def open(self) -> None:
        self.addresses = (Address("203.0.113.5", self.port),)

    async def close(self) -> None:
        self.addresses = ()


@pytest.fixture(autouse=True)
def _pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router_module, "WayIn", PretendedWay)


class Place(OpenPlace, kw_only=True):
    """A place on port 4000, with other ports beside it."""

    saved: list[str] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)

    @property
    def port(self) -> int:
        return 4000

    @property
    def ports(self) -> dict[str, int]:
        return {"table": 4000, **self.others}

    def save_records(self) -> None:
        self.saved.append(self.parts["router"].saved_record())


def ways(wanted: str, *, owned: bool = True) -> tuple[Listening, Router, Place, list[str]]:
    """Return a place's sockets, its router, the place, and a list of its sentences and changes."""
    sentences: list[str] = []
    listening = Listening(OPENED, None, [], subscribers=[lambda: sentences.append("changed")])
    router = Router(wanted)
    router.start(listening)
    place = Place(parts={"router": router}, notify=sentences.append, is_owned=owned)
    return listening, router, place, sentences


@pytest.mark.parametrize("owned", [True, False])
async def test_who_has_typed_the_option_is_not_asked_again(owned: bool) -> None:
    listening, router, place, sentences = ways("table", owned=owned)
    await router.open(place)
    # Only a server without an owner has waited for the router.
    assert (listening.port_forwards == {}) == owned
    await router.close()
    assert listening.port_forwards == {"table": (Address("203.0.113.5", 4000),)}
    assert sentences[-1] == "changed"
    assert len(sentences) == (1 if owned else 2)
    assert router.saved_record() == "table"


async def test_nothing_is_opened_that_nobody_wants() -> None:
    listening, router, place, sentences = ways("", owned=False)
    await router.open(place)
    await router.close()
    assert (listening.port_forwards, sentences, router.saved_record()) == ({}, [], "")


async def test_a_door_is_opened_too_and_kept_for_the_next_time() -> None:
    listening, router, place, _ = ways("")
    place.others = {"ssh": 2222}
    await router.open(place)
    router.begin("ssh")
    await asyncio.sleep(0)
    await router.close()
    assert listening.port_forwards == {"ssh": (Address("203.0.113.5", 2222),)}
    assert place.saved == ["ssh"]
    assert router.has_agreed
