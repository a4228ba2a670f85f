"""Homes behind routers, in network namespaces. Needs root, `ip`, `nft` and `miniupnpd`.

    p    198.51.100.40, which everybody can reach
    a    192.168.1.20, behind a router that opens ports by PCP; outside it is 11.0.0.10
    b    192.168.1.30, behind a router that opens none; outside it is 198.51.100.20
    c    192.168.178.30, behind a router that opens ports, but is itself behind a provider's NAT

a, b and p have IPv6 too, behind the usual firewall. No namespace has a real interface, so nothing
leaves the machine, and `a` may have an address that belongs to somebody. `miniupnpd` would take an
address for documentation as private, and map no port to it.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]

ARE_THERE: Final = (
    sys.platform == "linux"
    and os.geteuid() == 0
    and all(shutil.which(each) for each in ("ip", "nft", "miniupnpd"))
)
"""True if this machine may be able to create homes."""

PUBLIC: Final = "198.51.100.40"
"""The address of p."""

_NAT: Final = """
table inet filter {
    chain miniupnpd { }
    chain forward { type filter hook forward priority 0; policy drop;
        ct state established,related accept
        ct status dnat accept
        iifname "lan" accept
        meta l4proto ipv6-icmp accept
        jump miniupnpd
    }
    chain input { type filter hook input priority 0; policy drop;
        ct state established,related accept
        iifname { "lan", "lo" } accept
        meta l4proto { icmp, ipv6-icmp } accept
    }
    chain mapped { }
    chain returned { }
    chain before { type nat hook prerouting priority -100; jump mapped; }
    chain after { type nat hook postrouting priority 100;
        jump returned
        ip version 4 oifname "wan" masquerade
    }
}
"""

_OPENS: Final = """
ext_ifname=wan
listening_ip=lan
enable_natpmp=yes
enable_upnp=yes
secure_mode=yes
max_lifetime=86400
upnp_table_name=filter
upnp_nat_table_name=filter
upnp_forward_chain=miniupnpd
upnp_nat_chain=mapped
upnp_nat_postrouting_chain=returned
allow 1024-65535 192.168.0.0/16 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
"""


class Homes:
    """Machines by name, each in a network of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prefix = f"dr{os.getpid()}-"
        self._spaces: list[str] = []
        self._programs: list[subprocess.Popen[str]] = []

    def up(self) -> None:
        """Create all networks; raises CalledProcessError where namespaces are forbidden."""
        self._space("inet")
        self._lan("inet", "198.51.100.1/24", "11.0.0.1/24", "2001:db8:0:ff::1/64")
        for private in ("192.168.0.0/16", "10.0.0.0/8"):
            # A provider drops packets to private addresses.
            self._in("inet", f"ip route add blackhole {private}")
        self._plug("p", "wan", f"{PUBLIC}/24", "inet", "198.51.100.1")
        self._address_6("p", "wan", "2001:db8:0:ff::40", "2001:db8:0:ff::1")
        for home, outside, own, number in (
            ("a", "11.0.0.10", "192.168.1.20", 10),
            ("b", "198.51.100.20", "192.168.1.30", 20),
        ):
            router, far = f"router-{home}", f"2001:db8:0:ff::{number}"
            self._plug(router, "wan", f"{outside}/24", "inet", _first(outside))
            self._router(router, _first(own), f"2001:db8:{home}::1/64")
            self._address_6(router, "wan", far, "2001:db8:0:ff::1")
            self._in("inet", f"ip route add 2001:db8:{home}::/48 via {far}")
            self._plug(home, "eth0", f"{own}/24", router, _first(own))
            self._address_6(home, "eth0", f"2001:db8:{home}::20", f"2001:db8:{home}::1")
        self._plug("carrier", "wan", "198.51.100.30/24", "inet", "198.51.100.1")
        self._router("carrier", "100.64.0.1")
        self._plug("router-c", "wan", "100.64.0.10/24", "carrier", "100.64.0.1")
        self._router("router-c", "192.168.178.1")
        self._plug("c", "eth0", "192.168.178.30/24", "router-c", "192.168.178.1")
        for router in ("router-a", "router-c"):
            self._open_by_itself(router)

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

    def run(
        self, machine: str, *args: str, module: str = "driflamme_tui"
    ) -> "subprocess.Popen[str]":
        """Start the program on a machine; return its process, which `down` kills."""
        return self._start([*self.beginning(machine), "-m", module, *args])

    def beginning(self, machine: str) -> list[str]:
        """Return the beginning of a command that runs Python on a machine."""
        home = self._folder / machine
        home.mkdir(exist_ok=True)
        folders = [f"XDG_{each}_HOME={home / each}" for each in ("DATA", "STATE", "CONFIG")]
        # Leave out the folder of the loopback guard, which would refuse these networks.
        own = [f"HOME={home}", f"PYTHONPATH={ROOT}", *folders]
        return [*self._enter(machine), "/usr/bin/env", *own, sys.executable]

    def mapped(self, router: str) -> list[str]:
        """Return the destinations of a router's open ports."""
        rules = self._in(router, "nft list chain inet filter mapped")
        return re.findall(r"dnat (?:ip )?to (\S+)", rules)

    def forward(self, router: str, port: int, machine: str) -> None:
        """Forward a port of a router to a machine, like a person in its settings."""
        rule = f"iifname wan tcp dport {port} dnat ip to {machine}:{port}"
        self._in(router, f"nft add rule inet filter mapped {rule}")

    def _start(self, line: list[str], errors: int | None = None) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        program = subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=errors, text=True)
        self._programs.append(program)
        return program

    def _enter(self, space: str) -> list[str]:
        return [shutil.which("ip") or "ip", "netns", "exec", self._prefix + space]

    def _in(self, space: str, line: str, given: str = "") -> str:
        return subprocess.run(
            [*self._enter(space), *line.split()], input=given, text=True, check=True,
            capture_output=True,
        ).stdout  # fmt: skip

    def _space(self, space: str) -> None:
        subprocess.run(
            ["ip", "netns", "add", self._prefix + space], check=True, capture_output=True
        )
        self._spaces.append(space)
        self._in(space, "ip link set lo up")

    def _plug(self, space: str, name: str, address: str, into: str, gateway: str) -> None:
        """Connect a machine or a router to a network."""
        self._space(space)
        far = f"{self._prefix}{into}"
        self._in(space, f"ip link add {name} type veth peer name v{space} netns {far}")
        self._in(into, f"ip link set v{space} master lan up")
        self._in(space, f"ip addr add {address} dev {name}")
        self._in(space, f"ip link set {name} up")
        self._in(space, f"ip route add default via {gateway}")

    def _address_6(self, space: str, name: str, address: str, gateway: str) -> None:
        self._in(space, f"ip addr add {address}/64 dev {name} nodad")
        self._in(space, f"ip route add default via {gateway}")

    def _lan(self, space: str, *addresses: str) -> None:
        """Give a router a local network."""
        self._in(space, "ip link add lan type bridge")
        for address in addresses:
            self._in(space, f"ip addr add {address} dev lan{' nodad' * (':' in address)}")
        self._in(space, "ip link set lan up")
        self._in(space, "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1")

    def _router(self, space: str, lan: str, *lan_6: str) -> None:
        self._lan(space, f"{lan}/24", *lan_6)
        self._in(space, "nft -f -", _NAT)

    def _open_by_itself(self, router: str) -> None:
        """Start a daemon that opens ports on request; return once it answers."""
        file = self._folder / f"{router}.conf"
        file.write_text(_OPENS + f"lease_file={self._folder / router}.leases\n")
        pid = self._folder / f"{router}.pid"
        line = ["miniupnpd", "-d", "-f", str(file), "-P", str(pid)]
        daemon = self._start([*self._enter(router), *line], subprocess.STDOUT)
        line_with(daemon.stdout, "(5351)")
        # Read the remaining output so that the daemon does not block.
        Thread(target=lambda: list(daemon.stdout or ()), daemon=True).start()


def line_with(output: Iterable[str] | None, pattern: str) -> str:
    """Return the first group of a pattern in the next line that matches it."""
    assert output is not None
    for line in output:
        found = re.search(pattern, line)
        if found:
            return found[1]
    raise AssertionError(f"never told: {pattern}")


@contextmanager
def homes(folder: Path) -> Iterator[Homes]:
    """Yield homes for a test; raises CalledProcessError where they are forbidden."""
    made = Homes(folder)
    try:
        made.up()
        yield made
    finally:
        made.down()


def _first(address: str) -> str:
    return address.rpartition(".")[0] + ".1"
