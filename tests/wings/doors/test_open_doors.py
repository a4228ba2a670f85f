"""Tests what a host tells about its open doors: commands, links and ports."""

import pytest
from msgspec.structs import replace

from driflamme_tui.wings.doors.door_words import doors_sentences, ways_by_doors
from driflamme_tui.wings.doors.open_doors import Doors, DoorsAnswer, DoorsOfHost, OpenDoors, Order
from netcode.transport.address import Address

HERE = "192.168.1.20"
PAGE = f"https://{HERE}:11216"
BOTH = DoorsAnswer(ssh_port=11215, web_port=11216, page=PAGE)
ONLY_SSH = DoorsAnswer(ssh_port=11215)
ONLY_WEB = DoorsAnswer(web_port=11216, page=PAGE)
PROXY = "https://table.example"
INVITATION = "driflamme://192.168.1.20/token"


class RecordedDoors(OpenDoors):
    """Open doors that record their orders, instead of sending them to a process."""

    def __init__(self, opened: DoorsAnswer = BOTH, *, proxy: str | None = None) -> None:
        ssh, web = (0 if port else None for port in (opened.ssh_port, opened.web_port))
        order = Order("", b"", "", None, Doors(ssh, web, proxy), "", "en", (HERE, "fe80::1"))
        super().__init__(order, lambda _sentence: None)
        self.opened = replace(opened)
        self.orders: list[Order] = []

    def _send_order(self) -> None:
        self.orders.append(replace(self._order))


@pytest.mark.parametrize(
    ("doors", "of_a_router", "listening"),
    [
        (RecordedDoors(BOTH), {"ssh": 11215, "web": 11216}, {"ssh": 11215, "web": 11216}),
        (RecordedDoors(BOTH, proxy=PROXY), {"ssh": 11215}, {"ssh": 11215, "web": 11216}),
        (RecordedDoors(ONLY_SSH), {"ssh": 11215}, {"ssh": 11215}),
        (RecordedDoors(ONLY_WEB), {"web": 11216}, {"web": 11216}),
        (RecordedDoors(DoorsAnswer()), {}, {}),
    ],
)
def test_a_router_opens_the_ports_of_all_doors_without_a_proxy_and_all_are_stored(
    doors: RecordedDoors, of_a_router: dict[str, int], listening: dict[str, int]
) -> None:
    assert (doors.ports, doors.listening_ports) == (of_a_router, listening)
    part = DoorsOfHost('{"ssh":0,"web":0}')
    assert part.ports() == {}
    part.doors = doors
    assert part.ports() == of_a_router
    assert DoorsOfHost(part.saved_record())._wanted == replace(Doors(0, 0), **listening)


def test_the_command_names_the_port_only_if_it_is_not_the_usual_one() -> None:
    assert RecordedDoors().ssh == f"ssh -p 11215 {{name}}@{HERE}"
    assert RecordedDoors(DoorsAnswer(ssh_port=22)).ssh == f"ssh {{name}}@{HERE}"
    assert RecordedDoors(ONLY_WEB).ssh == ""


def test_the_link_ends_with_the_token_and_begins_outside_if_a_router_lets_guests_in() -> None:
    doors = RecordedDoors()
    assert doors.link(INVITATION) == f"{PAGE}/#token"
    doors.reach([], [Address("203.0.113.7", 443), Address("203.0.113.8", 443)])
    assert doors.link(INVITATION) == "https://203.0.113.7/#token"
    doors.reach([], [])
    assert doors.link(INVITATION) == f"{PAGE}/#token"
    assert RecordedDoors(ONLY_SSH).link(INVITATION) == ""


def test_the_process_learns_of_another_page_outside_once() -> None:
    doors = RecordedDoors()
    doors.reach([], [])
    doors.reach([Address("203.0.113.7", 22)], [])
    assert doors.orders == []
    assert doors.ssh_outside == "ssh {name}@203.0.113.7"
    for _ in range(2):
        doors.reach([], [Address("2001:db8::7", 11300)])
    assert [each.page_outside for each in doors.orders] == ["https://[2001:db8::7]:11300"]
    assert doors.ssh_outside == ""


@pytest.mark.parametrize(
    ("doors", "page"),
    [
        (RecordedDoors(BOTH), "https://10.0.0.5:11216"),
        (RecordedDoors(replace(BOTH, web_port=443)), "https://10.0.0.5"),
        (RecordedDoors(replace(BOTH, page=PROXY), proxy=PROXY), PROXY),
        (RecordedDoors(replace(BOTH, page="http://127.0.0.1:11216")), "http://127.0.0.1:11216"),
        (RecordedDoors(ONLY_SSH), ""),
    ],
)
def test_a_page_of_this_machine_moves_with_it(doors: RecordedDoors, page: str) -> None:
    doors.move([Address("10.0.0.5", 1), Address("fe80::2", 1), Address("10.0.0.5", 2)])
    assert doors.opened.page == page
    assert [each.hosts for each in doors.orders] == [("10.0.0.5", "fe80::2")]
    assert doors.ssh in (f"ssh -p {doors.opened.ssh_port} {{name}}@10.0.0.5", "")


def test_each_way_by_a_door_is_told_once_for_here_and_once_for_outside() -> None:
    assert [*ways_by_doors(None)] == []
    doors = RecordedDoors()
    ways = [(way, line) for way, line, _ in ways_by_doors(doors, INVITATION)]
    here = [
        ("Or, with SSH alone:", f"ssh -p 11215 NAME@{HERE}"),
        ("Or, in a browser:", f"{PAGE}/#token"),
    ]
    assert ways == here
    assert [line for _, line, _ in ways_by_doors(doors)] == [here[0][1], PAGE]
    doors.reach([Address("203.0.113.7", 22)], [Address("203.0.113.7", 443)])
    outside = [
        ("From outside:", "ssh NAME@203.0.113.7"),
        ("From outside:", "https://203.0.113.7"),
    ]
    ways = [(way, line) for way, line, _ in ways_by_doors(doors)]
    assert ways == [here[0], outside[0], ("Or, in a browser:", PAGE), outside[1]]
    sentences = [*doors_sentences(doors, INVITATION)]
    assert "" not in sentences
    assert sentences.count("From outside: ssh NAME@203.0.113.7") == 1
