"""A host behind two routers and players in two other homes, who meet at a relay.

On loopback the same is tried in `test_relay.py` and `test_sealed_tables.py`.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from random import Random
from threading import Thread
from typing import Any, Final, TypeAlias

import pytest

from tests.support.homes import ARE_THERE, PUBLIC, Homes, homes, told

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not ARE_THERE, reason="homes need root, ip, nft and miniupnpd"),
]

Message: TypeAlias = dict[str, Any]

HOST: Final = ("host", "--headless", "--no-announce", "--pace", "0")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Homes]:
    try:
        with homes(tmp_path_factory.mktemp("relaying")) as made:
            yield made
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespaces here: {error.stderr}")


class Player(Thread):
    """Somebody at the table in lines of JSON, who plays at random until the game is over."""

    def __init__(self, program: "subprocess.Popen[str]", name: str) -> None:
        super().__init__(daemon=True)
        self.program = program
        self.rng = Random(name)
        self.heard: list[Message] = []
        self.at: tuple[int, Callable[[], object]] | None = None
        """What happens at a revision of the game."""

    def run(self) -> None:
        assert self.program.stdout is not None
        for line in self.program.stdout:
            message = json.loads(line)
            self.heard.append(message)
            if self.at is not None and message.get("revision") == self.at[0]:
                happens, self.at = self.at[1], None
                happens()
            if message["type"] == "lobby":
                if message["phase"] == "result":
                    break
                if not message["host"] and message["phase"] == "lobby":
                    self.say({"type": "set_ready", "ready": True})
                elif message["host"] and message["missing"] is None:
                    self.say({"type": "start"})
            if message["type"] == "state" and message["legal"]:
                self.say({"type": "act", "action": self.rng.choice(message["legal"])})

    def say(self, message: Message) -> None:
        assert self.program.stdin is not None
        self.program.stdin.write(json.dumps(message) + "\n")
        self.program.stdin.flush()


def joined(here: Homes, machine: str, name: str, *way: str) -> Player:
    return Player(here.run(machine, "join", "--json", "--name", name, *way), name)


class Relay:
    """A relay that everybody reaches."""

    def __init__(self, here: Homes) -> None:
        self._here = here
        self.begin()

    def begin(self) -> None:
        self._program = self._here.run("p", "relay")
        self.link = told(self._program.stdout, r"(driflamme-relay://\S+)")

    def crash(self) -> None:
        """End in the middle of something, and begin again."""
        self._program.kill()
        self._program.wait()
        Thread(target=self.begin, daemon=True).start()


@pytest.fixture(scope="module")
def relay(here: Homes) -> Relay:
    return Relay(here)


def test_a_game_goes_on_through_a_relay_that_is_killed_and_comes_back(
    here: Homes, relay: Relay
) -> None:
    assert PUBLIC in relay.link
    host = here.run("c", *HOST, "--two", "--relay", relay.link)
    invitation = told(host.stdout, r"(driflamme://\S+)")
    code = told(host.stdout, r"spoken code (\S+)\.")
    assert f"192.168.178.30,+{PUBLIC}" in invitation
    # By the link, which has an address that means nothing in that home; and by the code.
    players = [
        joined(here, "a", "Rosalind", invitation),
        joined(here, "b", "Orlando", PUBLIC, code),
    ]

    players[0].at = 12, relay.crash
    for each in players:
        each.start()
    for each in players:
        each.join()
        assert "lost" in [message["type"] for message in each.heard]
        assert each.heard[-1]["phase"] == "result"
        assert {seat["name"] for seat in each.heard[-1]["seats"]} == {"Rosalind", "Orlando"}
    host.kill()
    host.wait()


def test_a_sealed_table_of_three_homes_goes_on_without_its_host(here: Homes, relay: Relay) -> None:
    host = here.run("c", *HOST, "--sealed", "--relay", relay.link)
    invitation = told(host.stdout, r"(driflamme://\S+)")
    players = [
        joined(here, machine, name, invitation)
        for machine, name in (("a", "Rosalind"), ("b", "Orlando"), ("c", "Jaques"))
    ]
    players[0].at = 6, host.kill
    for each in players:
        each.start()
    for each in players:
        each.join()
        assert "lost" in [message["type"] for message in each.heard]
        assert each.heard[-1]["phase"] == "result"
    # All have seen one game to its end.
    first, *others = (
        next(message["standing"] for message in reversed(each.heard) if "standing" in message)
        for each in players
    )
    assert others == [first, first]
