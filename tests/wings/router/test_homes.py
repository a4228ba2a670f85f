"""Tests that guests in other homes reach a host in each home, or read the reason why not."""

import json
import signal
import subprocess
from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest

from tests.wings.router.homes import ARE_THERE, Homes, homes, line_with

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not ARE_THERE, reason="homes need root, ip, nft and miniupnpd"),
]

MACHINES: Final = "abcp"

GUESTS: Final = "ab"
"""The homes of guests. For each host, at least one of these homes is not the host's."""

FORWARDED: Final = "198.51.100.20:4000"
"""The address of a port that a person has forwarded to b in the router's settings."""

OUTSIDE: Final = {
    "a": ["11.0.0.10", "[2001:db8:a::20]"],
    "b": ["198.51.100.20", "[2001:db8:b::20]"],
    "c": ["198.51.100.30"],
    "p": ["198.51.100.40", "[2001:db8:0:ff::40]"],
    "b by hand": [FORWARDED],
}
"""By host, the addresses that a guest elsewhere calls: the host's own, or its router's."""

SAYS: Final = {
    "a": "Friends outside your home can join: with the link, or 11.0.0.10 and the code.",
    "b": "Friends on your network can join. Your router opens no port by itself",
    "c": "Friends on your network can join. Your provider or a second router is between yours and",
    "p": "Friends outside your home can join if no firewall blocks TCP port 11214 here.",
    "b by hand": f"Friends outside your home can join if {FORWARDED} leads to this machine.",
}
"""The sentence that each host reads about friends outside."""

NOBODY: Final = {
    "b": "The table answers at none of its addresses. Ask the host whether it is still open",
    "c": "an address on the host's own network. Is the table still open?",
}
"""By unreachable host, the sentence for a guest with the host's link."""

HOST: Final = ("host", "--headless", "--no-announce")
MAPPED: Final = ["192.168.1.20:11214"]


class Open(NamedTuple):
    """An open table: its program, and the link, sentence and code that it printed."""

    program: "subprocess.Popen[str]"
    link: str
    says: str
    code: str


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Homes]:
    try:
        with homes(tmp_path_factory.mktemp("outside")) as made:
            yield made
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespaces here: {error.stderr}")


def opened(program: "subprocess.Popen[str]") -> Open:
    """Return the output of a host that has just started."""
    link = line_with(program.stdout, r"(driflamme://\S+)")
    says = line_with(program.stdout, r"(Friends .*)")
    return Open(program, link, says, line_with(program.stdout, r"spoken code (\S+)\."))


def ways_to(host: str, table: Open) -> Iterator[tuple[str, list[str]]]:
    """Yield the ways for a guest in another home: the link, and each address with the code."""
    yield "link", [table.link]
    for kind, address in zip(("code", "code, IPv6"), OUTSIDE[host], strict=False):
        yield kind, [address, table.code]


def test_a_guest_gets_in_where_the_router_opens_or_the_host_is_public(here: Homes) -> None:
    here.forward("router-b", 4000, "192.168.1.30")
    started = {each: here.run(each, *HOST, "--outside") for each in MACHINES}
    by_hand = "--port", "4000", "--public", FORWARDED
    started["b by hand"] = here.run("b", *HOST, *by_hand)
    tables = {each: opened(program) for each, program in started.items()}
    ways = {
        guest: {
            (host, kind): way
            for host, table in sorted(tables.items(), key=lambda each: each[0] in NOBODY)
            if host[0] != guest
            for kind, way in ways_to(host, table)
        }
        for guest in GUESTS
    }
    guests = {}
    for guest, expected in ways.items():
        open_ways = [way for (host, _kind), way in expected.items() if host not in NOBODY]
        barred = [way for (host, _kind), way in expected.items() if host in NOBODY]
        given = json.dumps([open_ways, barred])
        guests[guest] = here.run(guest, given, module="tests.wings.router.guest")
    print()
    for guest, program in guests.items():
        came = json.loads(program.communicate()[0])
        for ((host, kind), _way), (ms, said) in zip(ways[guest].items(), came, strict=True):
            print(f"{guest} to {host} by {kind}: {ms} ms {said}".rstrip())
            assert bool(said) == (host in NOBODY), (host, guest, said)
            if kind == "link":
                assert NOBODY.get(host, "") in said
    assert here.mapped("router-a") == MAPPED
    for host, table in tables.items():
        assert table.says.startswith(SAYS[host])
        table.program.send_signal(signal.SIGINT)
        table.program.wait()
    assert here.mapped("router-a") == []
