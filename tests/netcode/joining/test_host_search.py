"""Tests the search for the host of a pin among all announcements."""

import asyncio
from collections.abc import Callable
from ipaddress import ip_interface
from types import SimpleNamespace

import pytest
import zeroconf.asyncio

from netcode.joining import host_search
from netcode.joining.host_mark import marked_addresses
from netcode.joining.host_search import MOST_PENDING, searching
from netcode.transport.address import Address
from netcode.transport.certificate import PIN_BYTES

PIN = bytes(range(PIN_BYTES))
HOME = Address("192.168.1.20", 4000)
PUBLIC = Address("198.51.100.20", 4000)
Properties = dict[bytes, bytes | None]


def properties_of(pin: bytes, *addresses: Address) -> Properties:
    return {
        name.encode(): value.encode() for name, value in marked_addresses(pin, addresses).items()
    }


class Neighbours:
    """The announcements of other machines, without a network."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.announced: dict[str, Properties | Exception | None] = {}
        """The fields of each announcement; None if its machine does not answer."""
        self.is_closed = False
        self._handler: Callable[..., None] = lambda **_: None
        neighbours = self

        class Zeroconf:
            zeroconf = SimpleNamespace()

            async def async_close(self) -> None:
                neighbours.is_closed = True

        async def open_zeroconf(_interfaces: None) -> Zeroconf:
            return Zeroconf()

        class Browser:
            def __init__(self, _: object, kind: str, handlers: list[Callable[..., None]]) -> None:
                [neighbours._handler] = handlers

            async def async_cancel(self) -> None:
                pass

        class Info:
            def __init__(self, _kind: str, name: str) -> None:
                self.name, self.properties = name, Properties()

            async def async_request(self, _: object, _timeout: int) -> bool:
                answer = neighbours.announced[self.name]
                if answer is None:
                    await asyncio.Event().wait()
                if isinstance(answer, Exception):
                    raise answer
                self.properties = answer or {}
                return True

        patch.setattr(host_search, "open_zeroconf", open_zeroconf)
        own = [ip_interface("198.51.100.7/24")]
        patch.setattr(host_search, "machine_interfaces", lambda: own)
        patch.setattr(zeroconf.asyncio, "AsyncServiceBrowser", Browser)
        patch.setattr(zeroconf.asyncio, "AsyncServiceInfo", Info)

    async def announce(self, **announced: Properties | Exception | None) -> None:
        self.announced |= announced
        for name in announced:
            self.change(name)
        for _ in range(5):
            await asyncio.sleep(0)

    def change(self, name: str, change: str = "Added") -> None:
        state = SimpleNamespace(name=change)
        self._handler(zeroconf=None, service_type="", name=name, state_change=state)


@pytest.fixture
def neighbours(monkeypatch: pytest.MonkeyPatch) -> Neighbours:
    return Neighbours(monkeypatch)


async def test_only_announcements_with_the_mark_are_reported(neighbours: Neighbours) -> None:
    found: list[tuple[Address, ...]] = []
    before = asyncio.all_tasks()
    async with searching(PIN, "", found.append):
        await neighbours.announce(
            one=properties_of(bytes(PIN_BYTES), Address("192.168.1.66")),
            same_name={b"host": b"Rosalind", b"prefix": b"K7Q", b"v": b"2"},
            broken=ValueError("no announcement"),
            silent=None,
            host=properties_of(PIN, HOME, PUBLIC, Address("203.0.113.9")),
        )
        assert found == [(HOME, PUBLIC)], "no address of another network"
        neighbours.change("silent", "Removed")
        await neighbours.announce(host=properties_of(PIN, Address("10.0.0.7")))
        assert found[1:] == [(Address("10.0.0.7"),)]
    assert asyncio.all_tasks() == before
    assert neighbours.is_closed


async def test_a_flood_of_announcements_without_details_hides_no_host(
    neighbours: Neighbours,
) -> None:
    found: list[tuple[Address, ...]] = []
    before = len(asyncio.all_tasks())
    async with searching(PIN, "", found.append):
        for n in range(5 * MOST_PENDING):
            await neighbours.announce(**{f"false {n}": None})
        assert len(asyncio.all_tasks()) <= before + MOST_PENDING
        await neighbours.announce(host=properties_of(PIN, HOME))
        assert found == [(HOME,)]
    assert len(asyncio.all_tasks()) == before


async def test_an_announcement_of_another_table_of_the_same_account_is_left_out(
    neighbours: Neighbours,
) -> None:
    ours, theirs, club, unmarked = (Address(f"192.168.1.{each}", 4000) for each in range(1, 5))
    announced = {
        "ours": properties_of(PIN, ours) | {b"prefix": b"K7Q"},
        "theirs": properties_of(PIN, theirs) | {b"prefix": b"M2X"},
        "club": properties_of(PIN, club),
        "empty": properties_of(PIN, unmarked) | {b"prefix": None},
    }
    for prefix, expected in (
        ("K7Q", [ours, club, unmarked]),
        ("M2X", [theirs, club, unmarked]),
        ("", [ours, theirs, club, unmarked]),
    ):
        found: list[tuple[Address, ...]] = []
        async with searching(PIN, prefix, found.append):
            await neighbours.announce(**announced)
        assert found == [(each,) for each in expected]
