"""Tests real programs on a local network whose takeover host gets a new address in a game."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_moved_host import Guest
from tests.support.lan import IS_POSSIBLE, Lan, local_network

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not IS_POSSIBLE, reason="network namespaces need root and ip"),
]

HOST, NEW = "192.168.7.20", "192.168.7.99"
GUESTS = {"bea": "192.168.7.31", "cleo": "192.168.7.32", "dora": "192.168.7.33"}
BACK_WITHIN_S = 60
"""Maximum seconds until everybody is at one table: a takeover in the first second is slower."""


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Lan]:
    try:
        with local_network(tmp_path) as made:
            made.plug("host", HOST)
            for name, address in GUESTS.items():
                made.plug(name, address)
            yield made
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespaces here: {error.stderr}")


def host_of_all(message: Any) -> str:
    """Return the host in a lobby in which all guests are present; "" in other messages."""
    if message["type"] != "lobby":
        return ""
    present = {seat["name"] for seat in message["seats"] if seat["present"]}
    hosts = [seat["name"] for seat in message["seats"] if seat["host"]]
    return hosts[0] if hosts and present >= GUESTS.keys() else ""


def test_a_sealed_table_continues_when_its_takeover_host_gets_a_new_address(lan: Lan) -> None:
    host = Guest(lan, "host", "--sealed", "host")
    link = host.until(lambda said: said["type"] == "lobby" and said["invitation"])["invitation"]
    guests = {name: Guest(lan, name, link) for name in GUESTS}
    for guest in guests.values():
        guest.until_type("welcome")
        guest.send(type="set_ready", ready=True)
    host.until(
        lambda said: (
            said["type"] == "lobby" and len(said["seats"]) > len(GUESTS) and said["missing"] is None
        )
    )
    host.send(type="start")
    for guest in guests.values():
        guest.until_type("state")

    def together(but: str) -> str:
        """Wait until everybody is at one table whose host is not `but`; return its host."""
        with ThreadPoolExecutor(len(guests)) as threads:
            waiting = [
                threads.submit(guest.until, lambda said: host_of_all(said) not in ("", but))
                for guest in guests.values()
            ]
            try:
                hosts = {host_of_all(each.result(timeout=BACK_WITHIN_S)) for each in waiting}
            except TimeoutError:
                lan.down()
                raise
        assert len(hosts) == 1
        return hosts.pop()

    for guest in guests.values():
        guest.until(lambda said: said["type"] == "lobby" and len(said["successors"]) >= len(GUESTS))
    host.program.kill()
    taker = together(but="host")
    lan.drop_address(taker, GUESTS[taker])
    lan.add_address(taker, NEW)
    assert together(but=taker) in GUESTS.keys() - {taker}
