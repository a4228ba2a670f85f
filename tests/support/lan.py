"""A local network of machines in network namespaces: needs root and `ip`, and has no way out."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

IS_POSSIBLE: Final = (
    sys.platform == "linux" and os.geteuid() == 0 and shutil.which("ip") is not None
)
"""True if this machine may be able to create network namespaces."""

SWITCH: Final = "switch"


class Lan:
    """A switch, and machines by name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prefix = f"df{token_hex(3)}-"
        self._spaces: list[str] = []
        self._programs: list[subprocess.Popen[str]] = []

    def up(self) -> None:
        """Create the switch; raises CalledProcessError where namespaces are forbidden."""
        self._space(SWITCH)
        self.run_in(SWITCH, "ip link add lan type bridge")
        self.run_in(SWITCH, "ip link set lan up")

    def down(self) -> None:
        """End all programs, and delete the namespaces."""
        for program in self._programs:
            program.kill()
            program.wait()
            for stream in (program.stdin, program.stdout):
                if stream is not None:
                    stream.close()
        for space in self._spaces:
            subprocess.run(["ip", "netns", "del", self._prefix + space], check=False)

    def plug(self, machine: str, address: str) -> None:
        """Connect a new machine to the switch."""
        self._space(machine)
        far = self._prefix + SWITCH
        self.run_in(machine, f"ip link add eth0 type veth peer name v{machine} netns {far}")
        self.run_in(SWITCH, f"ip link set v{machine} master lan up")
        self.run_in(machine, "ip link set eth0 up")
        self.add_address(machine, address)

    def add_address(self, machine: str, address: str) -> None:
        self.run_in(machine, f"ip addr add {address}/24 dev eth0")
        self.run_in(machine, "ip route replace default dev eth0")

    def drop_address(self, machine: str, address: str) -> None:
        self.run_in(machine, f"ip addr del {address}/24 dev eth0")

    def start(self, machine: str, *args: str) -> "subprocess.Popen[str]":
        """Start the hasty program on a machine; return its process, which `down` kills."""
        pipe = subprocess.PIPE
        program = subprocess.Popen(
            [*self.command(machine), "-m", "tests.support.hasty_program", *args],
            stdin=pipe,
            stdout=pipe,
            text=True,
            bufsize=1,
        )
        self._programs.append(program)
        return program

    def command(self, machine: str) -> list[str]:
        """Return the beginning of a command that runs Python on a machine."""
        home = self._folder / machine
        home.mkdir(exist_ok=True)
        folders = [f"XDG_{each}_HOME={home / each}" for each in ("DATA", "STATE", "CONFIG")]
        # Leave out the folder of the loopback guard, which would refuse this network.
        own = [f"HOME={home}", f"PYTHONPATH={ROOT}", *folders]
        return [*self._enter(machine), "/usr/bin/env", *own, sys.executable]

    def run_in(self, space: str, line: str) -> None:
        """Run a command on a machine; raises CalledProcessError if the command fails."""
        subprocess.run([*self._enter(space), *line.split()], check=True, capture_output=True)

    def _enter(self, space: str) -> list[str]:
        return [shutil.which("ip") or "ip", "netns", "exec", self._prefix + space]

    def _space(self, space: str) -> None:
        name = self._prefix + space
        subprocess.run(["ip", "netns", "add", name], check=True, capture_output=True)
        self._spaces.append(space)
        self.run_in(space, "ip link set lo up")


@contextmanager
def local_network(folder: Path) -> Iterator[Lan]:
    """Yield a local network; raises CalledProcessError where namespaces are forbidden."""
    made = Lan(folder)
    try:
        made.up()
        yield made
    finally:
        made.down()
