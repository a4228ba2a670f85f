"""Tests the sentences about friends outside, and the questions before a port is opened."""

from typing import Any, cast

import pytest

from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.wings.router.router import Router
from driflamme_tui.wings.router.router_words import question, who_comes_in
from netcode.table.snapshot import Location, TableAccess
from netcode.transport.address import Address
from netcode.wings.router.routers import OutsideError, PermanentOnlyError

HOME, IPV4, IPV6 = "192.168.1.7", Address("203.0.113.5", 4000), Address("2001:db8::5", 4000)
FORWARDED = {"table": (IPV4,)}


class PretendedRouter:
    """The state of a router that the sentences read."""

    is_asking = False
    error: OutsideError | None = None
    port = 4000

    def __init__(
        self, where: Location | None = None, machine: tuple[str, ...] = (HOME,), **opened: Any
    ) -> None:
        opened_at = TableAccess(bytes(12), "H7KDPX2A", location=where or Location(port=4000))
        self.listening = Listening(opened_at, None, [], machine=machine, **opened)
        self.open_ports = {"table": 4000}

    def addresses(self, what: str) -> tuple[Address, ...]:
        return self.listening.port_forwards.get(what, ())


def sentence(router: PretendedRouter) -> str:
    return who_comes_in(cast(Router, router), "[x]")


def next_question(router: PretendedRouter) -> tuple[str, str] | None:
    return question(cast(Router, router))


@pytest.mark.parametrize(
    ("router", "said"),
    [
        (
            PretendedRouter(),
            "Friends on your network can join, those outside not yet: [x] opens the way.",
        ),
        (
            PretendedRouter(port_forwards=FORWARDED),
            "Friends outside your home can join: with the link, or 203.0.113.5:4000 and the code.",
        ),
        (
            PretendedRouter(port_forwards={"table": (IPV6, IPV4)}),
            "Friends outside your home can join: with the link, or 203.0.113.5:4000 and the code.",
        ),
        (
            PretendedRouter(port_forwards={"table": (IPV6,)}),
            "Friends outside your home can join if they have IPv6.",
        ),
        (
            PretendedRouter(indirect=(Address("relay.example", 7777), IPV4)),
            "Friends outside your home can join through the relay at relay.example:7777.",
        ),
        (
            PretendedRouter(indirect=(Address("relay.example", 7777),), port_forwards=FORWARDED),
            "Friends outside your home can join: with the link, or 203.0.113.5:4000 and the code.",
        ),
        (
            PretendedRouter(Location(port=4000, public="one.example,two.example:80")),
            "Friends outside your home can join if one.example:4000, two.example:80 leads to this"
            " machine.",
        ),
        (
            PretendedRouter(Location(bind="127.0.0.1")),
            "Only players on this machine can join.",
        ),
        (
            PretendedRouter(machine=(HOME, "198.51.100.10")),
            "Friends outside your home can join if no firewall blocks TCP port 4000 here.",
        ),
        (
            PretendedRouter(machine=(HOME, "2a0e:b107::9")),
            "Friends on your network can join, those outside not yet: [x] opens the way.",
        ),
    ],
)
def test_one_sentence_says_which_friends_can_join(router: PretendedRouter, said: str) -> None:
    assert sentence(router) == said
    router.is_asking = True
    assert sentence(router) == "Asking your router to let in friends from outside your home."


@pytest.mark.parametrize(
    ("router", "said"),
    [
        (PretendedRouter(), "Friends on your network can join. The router is silent."),
        (
            PretendedRouter(port_forwards={"table": (IPV6,)}),
            "Friends outside your home can join if they have IPv6. The router is silent.",
        ),
    ],
)
def test_the_reason_of_a_router_follows(router: PretendedRouter, said: str) -> None:
    router.error = OutsideError("The router is silent.")
    assert sentence(router) == said


def test_the_host_is_asked_for_the_table_first_and_then_for_each_door_that_is_open() -> None:
    router = PretendedRouter()
    router.open_ports |= {"ssh": 4022, "web": 4080}
    forwards = router.listening.port_forwards
    for what, port in (("table", 4000), ("ssh", 4022), ("web", 4080)):
        found = next_question(router)
        assert found is not None
        assert found[0] == what
        assert f"TCP port {port}" in found[1]
        forwards[what] = (Address("203.0.113.5", port),)
    assert next_question(router) is None


def test_a_place_without_doors_is_asked_for_the_table_alone() -> None:
    router = PretendedRouter(port_forwards=FORWARDED)
    assert next_question(router) is None
    router.open_ports |= {"web": 4080}
    found = next_question(router)
    assert found is not None
    assert found[0] == "web"


def test_a_lease_without_an_end_is_a_question_of_its_own() -> None:
    router = PretendedRouter()
    router.error = PermanentOnlyError("no")
    found = next_question(router)
    assert found is not None
    assert found[0] == "table"
    assert "closes this one with the table, or at its next start" in found[1]
