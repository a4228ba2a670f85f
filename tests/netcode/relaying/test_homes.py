"""A host behind two routers and guests in two other homes, who meet at a relay."""

import json
import subprocess
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from tests.support.homes import ARE_THERE, PUBLIC, Homes, homes, told


class Player:
    """Somebody at the table in lines of JSON, who plays a game at random."""

    def __init__(self, here: Homes, machine: str, name: str, *way: str) -> None:
        self.program = here.run(machine, "join", "--json", "--name", name, *way)
        self.rng = Random(name)
        self.heard: list[dict[str, Any]] = []

    def play(self) -> None:
        """Be ready, or start once all are; answer what is asked until the game is over."""
        assert self.program.stdout is not None
        is_ready = is_started = False
        for line in self.program.stdout:
            message = json.loads(line)
            self.heard.append(message)
            if message["type"] == "lobby":
                if message["phase"] == "result":
                    break
                if not message["host"] and not is_ready:
                    is_ready = True
                    self.say({"type": "set_ready", "ready": True})
                if message["host"] and message["missing"] is None and not is_started:
                    is_started = True
                    self.say({"type": "start"})
            if message["type"] == "state" and message["legal"]:
                self.say({"type": "act", "action": self.rng.choice(message["legal"])})

    def say(self, message: dict[str, object]) -> None:
        assert self.program.stdin is not None
        self.program.stdin.write(json.dumps(message) + "\n")
        self.program.stdin.flush()


@pytest.mark.skipif(not ARE_THERE, reason="homes need root, ip, nft and miniupnpd")
def test_a_host_behind_two_routers_is_reached_from_other_homes_through_a_relay(
    tmp_path: Path,
) -> None:
    try:
        with homes(tmp_path) as here:
            link = told(here.run("p", "relay").stdout, r"(driflamme-relay://\S+)")
            assert PUBLIC in link
            host = here.run("c", "host", "--headless", "--no-announce", "--two", "--relay", link)
            invitation = told(host.stdout, r"(driflamme://\S+)")
            code = told(host.stdout, r"spoken code (\S+)\.")
            assert f"192.168.178.30,+{PUBLIC}" in invitation
            # By the link, which has an address that means nothing in that home; and by the code.
            players = [
                Player(here, "a", "Rosalind", invitation),
                Player(here, "b", "Orlando", PUBLIC, code),
            ]
            threads = [Thread(target=each.play) for each in players]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for each in players:
                assert each.heard[-1]["phase"] == "result"
                names = {seat["name"] for seat in each.heard[-1]["seats"]}
                assert names == {"Rosalind", "Orlando"}
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespaces here: {error.stderr}")
