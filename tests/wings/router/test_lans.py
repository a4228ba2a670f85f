"""Tests two machines with a cable, in network namespaces. Needs root and `ip`."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from netcode.joining.invitation import SCHEME
from tests.wings.router.homes import ROOT

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None,
    reason="needs root and ip",
)

LONGEST_S = 50.0
"""Seconds after which all programs are ended."""


class Lan:
    """Two machines, b and c, and their programs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prefix = f"la{os.getpid()}-"
        self._programs: list[subprocess.Popen[str]] = []
        self._timer = Timer(LONGEST_S, self._end_programs)

    def up(self) -> None:
        """Create all networks; raises CalledProcessError where namespaces are forbidden."""
        for machine in "bc":
            self._ip("netns", "add", self._prefix + machine)
        near, far = self._prefix + "b", self._prefix + "c"
        self._ip("link", "add", "eth0", "netns", near, "type", "veth", "peer", "eth0", "netns", far)
        for machine, address in (("b", "192.168.77.1/24"), ("c", "192.168.77.2/24")):
            self.on(machine, "link", "set", "lo", "up")
            self.on(machine, "link", "set", "eth0", "up")
            self.on(machine, "address", "add", address, "dev", "eth0")
        self._timer.start()

    def down(self) -> None:
        """End all programs, and delete the namespaces."""
        self._timer.cancel()
        self._end_programs()
        for program in self._programs:
            program.communicate()
        for machine in "bc":
            name = self._prefix + machine
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)

    def on(self, machine: str, *what: str) -> None:
        """Run `ip` on a machine."""
        self._ip("-n", self._prefix + machine, *what)

    def run(self, machine: str, *args: str) -> "subprocess.Popen[str]":
        """Start the program on a machine; return its process."""
        home = self._folder / machine
        home.mkdir(exist_ok=True)
        folders = [f"XDG_{each}_HOME={home / each}" for each in ("DATA", "STATE", "CONFIG")]
        enter = ["ip", "netns", "exec", self._prefix + machine]
        # Leave out the folder of the loopback guard, which would refuse this network.
        own = ["/usr/bin/env", f"HOME={home}", f"PYTHONPATH={ROOT}", "LANGUAGE=en", *folders]
        command = [*enter, *own, sys.executable, "-m", "tests.support.hasty_program", *args]
        pipe = subprocess.PIPE
        self._programs.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True))
        return self._programs[-1]

    def _end_programs(self) -> None:
        for program in self._programs:
            program.kill()

    def _ip(self, *what: str) -> None:
        subprocess.run(["ip", *what], check=True, capture_output=True)


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Lan]:
    lan = Lan(tmp_path)
    try:
        lan.up()
    except subprocess.CalledProcessError:
        lan.down()
        pytest.skip("no namespaces can be made here")
    yield lan
    lan.down()


def line_with(program: "subprocess.Popen[str]", kind: str) -> dict[str, object]:
    """Return the next message of a kind that a guest's program prints."""
    assert program.stdout is not None
    for line in program.stdout:
        message: dict[str, object] = json.loads(line)
        if message["type"] == kind:
            return message
    raise AssertionError(f"no {kind} came")


@pytest.mark.parametrize("has_vpn", [False, True], ids=["no way out", "a VPN takes all"])
def test_a_guest_on_the_cable_joins_by_the_link_and_stays_when_the_host_moves(
    lan: Lan, has_vpn: bool
) -> None:
    if has_vpn:
        lan.on("b", "link", "add", "vpn0", "type", "veth", "peer", "vpn1")
        for end in ("vpn0", "vpn1"):
            lan.on("b", "link", "set", end, "up")
        lan.on("b", "address", "add", "10.8.0.2/24", "dev", "vpn0")
        lan.on("b", "route", "add", "default", "via", "10.8.0.1")
    host = lan.run("b", "host", "--headless", "--port", "4000")
    assert host.stdout is not None
    link = next(word.strip('"') for line in host.stdout for word in line.split() if SCHEME in word)
    guest = lan.run("c", "join", "--json", "--name", "Ada", link)
    line_with(guest, "welcome")
    lan.on("b", "address", "del", "192.168.77.1/24", "dev", "eth0")
    lan.on("b", "address", "add", "192.168.77.9/24", "dev", "eth0")
    line_with(guest, "lost")
    line_with(guest, "welcome")
    # The host looks for its addresses from time to time.
    while "192.168.77.9:4000" not in str(line_with(guest, "lobby")["invitation"]):
        pass
