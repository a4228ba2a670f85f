"""Tests real programs on a local network whose host gets a new address in a game."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.lan import IS_POSSIBLE, Lan, local_network

pytestmark = pytest.mark.skipif(not IS_POSSIBLE, reason="network namespaces need root and ip")

OLD, NEW = "192.168.7.20", "192.168.7.99"
GUESTS = {"ada": "192.168.7.31", "bea": "192.168.7.32", "cleo": "192.168.7.33"}
BACK_WITHIN_S = 30
"""Maximum seconds until a guest is back."""


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Lan]:
    try:
        with local_network(tmp_path) as made:
            made.plug("host", OLD)
            for name, address in {**GUESTS, "dora": "192.168.7.34"}.items():
                made.plug(name, address)
            yield made
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespaces here: {error.stderr}")


class Guest:
    """A guest's program, which exchanges JSON lines."""

    def __init__(self, lan: Lan, machine: str, link: str, command: str = "join") -> None:
        self.program = lan.start(machine, command, "--json", link, "--name", machine)

    def send(self, **message: object) -> None:
        assert self.program.stdin is not None
        print(json.dumps(message), file=self.program.stdin, flush=True)

    def until(self, is_it: Callable[[Any], bool]) -> Any:
        """Return the next message that satisfies a condition; fail if the program ends first."""
        assert self.program.stdout is not None
        for line in self.program.stdout:
            message = json.loads(line)
            if is_it(message):
                return message
        raise AssertionError("the program has ended")

    def until_type(self, kind: str) -> Any:
        return self.until(lambda message: message["type"] == kind)


def invitation(program: "subprocess.Popen[str]") -> str:
    """Return the link in a host's next lines."""
    assert program.stdout is not None
    for line in program.stdout:
        if found := re.search(r"driflamme://\S+", line):
            return found[0].strip('"')
    raise AssertionError("the host has ended")


def test_all_guests_are_back_at_their_game_without_a_new_link(lan: Lan) -> None:
    host = lan.start("host", "host", "--headless", "--port", "4000")
    link = invitation(host)
    assert OLD in link
    guests = {name: Guest(lan, name, link) for name in GUESTS}
    families = {name: guest.until_type("welcome")["family"] for name, guest in guests.items()}
    for guest in guests.values():
        guest.send(type="set_ready", ready=True)
    is_ready: Callable[[Any], bool] = lambda said: (  # noqa: E731
        said["type"] == "lobby" and len(said["seats"]) == len(GUESTS) and said["missing"] is None
    )
    [first] = [guest for guest in guests.values() if guest.until(is_ready)["host"]]
    first.send(type="start")
    for guest in guests.values():
        guest.until_type("state")

    def back(name: str) -> str:
        moved = guests[name].until_type("host_moved")
        assert moved["address"] == f"{NEW}:4000"
        assert guests[name].until_type("welcome")["family"] == families[name]
        lobby = guests[name].until_type("lobby")
        assert f"{NEW}:4000" in lobby["invitation"]
        return str(guests[name].until_type("state")["view"])

    lan.drop_address("host", OLD)
    lan.add_address("host", NEW)
    with ThreadPoolExecutor(len(guests)) as threads:
        waiting = [threads.submit(back, name) for name in guests]
        try:
            views = [each.result(timeout=BACK_WITHIN_S) for each in waiting]
        except TimeoutError:
            lan.down()
            raise
    assert len(views) == len(GUESTS)
    assert NEW in invitation(host), "the host reads the new link"
    late = Guest(lan, "dora", link, "watch")
    assert late.until_type("host_moved")["address"] == f"{NEW}:4000"
    late.until_type("welcome")


def test_a_killed_host_is_not_mistaken_for_another_table_of_its_account(lan: Lan) -> None:
    other = lan.start("host", "host", "--headless", "--port", "4000")
    assert OLD in invitation(other)
    host = lan.start("host", "host", "--headless", "--bots", "2", "--port", "4010")
    guest = Guest(lan, "ada", invitation(host))
    family = guest.until_type("welcome")["family"]
    guest.send(type="start")
    guest.until_type("state")
    host.kill()
    for _ in range(4):
        # Each of these attempts has searched the network.
        first = guest.until(lambda said: said["type"] in ("lost", "refused", "host_moved"))
        assert first["type"] == "lost"
    again = lan.start("host", "host", "--headless", "--resume", "--port", "4020")
    invitation(again)
    news = guest.until(lambda said: said["type"] in ("refused", "host_moved"))
    assert news == {"type": "host_moved", "address": f"{OLD}:4020"}
    assert guest.until_type("welcome")["family"] == family
    guest.until_type("state")
