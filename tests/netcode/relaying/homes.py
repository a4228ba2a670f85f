"""Homes behind routers, in network namespaces of their own: needs root, `ip` and `nft`.

    relay    198.51.100.40, which everybody reaches
    host     192.168.1.20, behind a router, behind a carrier's router: two NATs
    guest    192.168.1.30 in another home, behind one router
    other    192.168.178.30 in a third

Nothing here has a way out: no namespace has a real interface.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]

ARE_THERE: Final = (
    sys.platform == "linux"
    and os.geteuid() == 0
    and bool(shutil.which("ip") and shutil.which("nft"))
)
"""Whether there may be homes on this machine, as far as is known before it is tried."""

RELAY: Final = "198.51.100.40"

_NAT: Final = """
table ip nat {
    chain forward { type filter hook forward priority 0; policy drop;
        ct state established,related accept
        iifname "lan" accept
    }
    chain input { type filter hook input priority 0; policy drop;
        ct state established,related accept
        iifname { "lan", "lo" } accept
    }
    chain post { type nat hook postrouting priority 100; oifname "wan" masquerade; }
}
"""


class Homes:
    """Machines by name, each in a network of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prefix = f"dr{os.getpid()}-"
        self._spaces: list[str] = []

    def up(self) -> None:
        """Set all up; raises CalledProcessError where namespaces may not be made."""
        self._space("inet")
        self._in("inet", "ip link add lan type bridge")
        self._in("inet", "ip addr add 198.51.100.1/24 dev lan")
        self._in("inet", "ip link set lan up")
        for machine, wan in (("relay", RELAY), ("carrier", "198.51.100.30")):
            self._plug(machine, "wan", f"{wan}/24", "inet", "198.51.100.1")
        for router, wan, lan in (
            ("guests", "198.51.100.20", "192.168.1.1"),
            ("others", "198.51.100.50", "192.168.178.1"),
        ):
            self._plug(router, "wan", f"{wan}/24", "inet", "198.51.100.1")
            self._router(router, lan)
        self._router("carrier", "100.64.0.1")
        self._plug("hosts", "wan", "100.64.0.10/24", "carrier", "100.64.0.1")
        self._router("hosts", "192.168.1.1")
        for machine, address, router in (
            ("host", "192.168.1.20", "hosts"),
            ("guest", "192.168.1.30", "guests"),
            ("other", "192.168.178.30", "others"),
        ):
            self._plug(machine, "eth0", f"{address}/24", router, address.rpartition(".")[0] + ".1")

    def down(self) -> None:
        """Have nothing left of it."""
        for space in self._spaces:
            subprocess.run(["ip", "netns", "del", self._prefix + space], check=False)

    def run(self, machine: str, *args: str) -> "subprocess.Popen[str]":
        """Start the program on a machine."""
        home = self._folder / machine
        home.mkdir(exist_ok=True)
        folders = {f"XDG_{each}_HOME": str(home / each) for each in ("DATA", "STATE", "CONFIG")}
        # What keeps tests on loopback knows nothing of networks that are nobody else's.
        environment = {**os.environ, **folders, "HOME": str(home), "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(
            [*self._enter(machine), sys.executable, "-m", "driflamme_tui", *args],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _enter(self, space: str) -> list[str]:
        return ["ip", "netns", "exec", self._prefix + space]

    def _in(self, space: str, line: str, given: str = "") -> None:
        subprocess.run(
            [*self._enter(space), *line.split()], input=given, text=True, check=True,
            capture_output=True,
        )  # fmt: skip

    def _space(self, space: str) -> None:
        subprocess.run(
            ["ip", "netns", "add", self._prefix + space], check=True, capture_output=True
        )
        self._spaces.append(space)
        self._in(space, "ip link set lo up")

    def _plug(self, space: str, name: str, address: str, into: str, gateway: str = "") -> None:
        """Give a machine or a router a cable to a network."""
        self._space(space)
        far = f"{self._prefix}{into}"
        self._in(space, f"ip link add {name} type veth peer name v{space} netns {far}")
        self._in(into, f"ip link set v{space} master lan up")
        self._in(space, f"ip addr add {address} dev {name}")
        self._in(space, f"ip link set {name} up")
        if gateway:
            self._in(space, f"ip route add default via {gateway}")

    def _router(self, space: str, lan: str) -> None:
        self._in(space, "ip link add lan type bridge")
        self._in(space, f"ip addr add {lan}/24 dev lan")
        self._in(space, "ip link set lan up")
        self._in(space, "sysctl -qw net.ipv4.ip_forward=1")
        self._in(space, "nft -f -", _NAT)


@contextmanager
def homes(folder: Path) -> Iterator[Homes]:
    """Set homes up for a test; raises CalledProcessError where they may not be made."""
    made = Homes(folder)
    try:
        made.up()
        yield made
    finally:
        made.down()
