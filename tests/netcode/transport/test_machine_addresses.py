"""Tests the addresses that machines of many kinds offer to others."""

import ipaddress
import socket
import subprocess
import sys
from ipaddress import ip_interface
from pathlib import Path
from types import SimpleNamespace

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netcode.transport import machine_addresses as own
from netcode.transport.machine_addresses import Adapter, machine_numbers

# Keep the real function: in all tests, `tests/conftest.py` replaces it.
REAL_ADAPTERS = own.adapters


def adapter(name: str, *interfaces: str) -> Adapter:
    return Adapter(name, tuple(map(ip_interface, interfaces)))


LO = adapter("lo", "127.0.0.1/8", "::1/128", "10.255.255.254/32")
CABLE = adapter("eth0", "192.168.1.20/24", "fe80::20/64")
WIFI = adapter("wlan0", "192.168.1.21/24", "2001:db8::ab/64", "2001:db8::21/64")
VPN = adapter("tun0", "10.8.0.2/24")
PEER = adapter("wg-friends", "10.9.0.2/32")
DOCKER = adapter("docker0", "172.17.0.1/16")
UNROUTED = adapter("eth1", "169.254.7.7/16", "fe80::21/64")
NEW = adapter("eth2", "fd00::20/64", "fd00::ab/64", "fe80::22/64")


@pytest.mark.parametrize(
    ("adapters", "routed", "offered"),
    [
        # A LAN without a route to the internet, as between two machines or without a router.
        ([LO, CABLE], [], ["192.168.1.20"]),
        # A VPN takes all outgoing traffic; neighbours use the cable.
        ([LO, CABLE, VPN], ["10.8.0.2"], ["192.168.1.20", "10.8.0.2"]),
        ([LO, VPN, CABLE], ["192.168.1.20"], ["192.168.1.20", "10.8.0.2"]),
        # The outgoing adapter has a name without meaning.
        ([LO, CABLE, adapter("vV", "10.8.0.2/24")], ["10.8.0.2"], ["10.8.0.2", "192.168.1.20"]),
        ([LO, PEER, CABLE], [], ["192.168.1.20", "10.9.0.2"]),
        ([LO, VPN], ["10.8.0.2"], ["10.8.0.2"]),
        # Two networks, the outgoing one first; only lasting addresses of IPv6.
        (
            [LO, CABLE, WIFI],
            ["192.168.1.21", "2001:db8::21"],
            ["192.168.1.21", "2001:db8::21", "192.168.1.20"],
        ),
        ([LO, NEW], [], ["fd00::20"]),
        # Networks of containers lead to no other machine.
        ([LO, DOCKER, CABLE], ["192.168.1.20"], ["192.168.1.20"]),
        ([LO, DOCKER], [], ["172.17.0.1"]),
        # A cable between two machines, with self-assigned addresses.
        ([LO, UNROUTED], [], ["169.254.7.7"]),
        ([LO, UNROUTED, CABLE], [], ["192.168.1.20"]),
        ([LO], [], []),
        ([], [], []),
        # The system uses an address that it does not list.
        ([], ["192.168.1.20", "fd00::20"], ["192.168.1.20", "fd00::20"]),
    ],
)
def test_all_addresses_that_others_can_use_are_offered_the_best_first(
    adapters: list[Adapter],
    routed: list[str],
    offered: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own, "adapters", lambda: adapters)
    monkeypatch.setattr(own, "_on_the_way_out", lambda: routed)
    monkeypatch.setattr("socket.gethostname", lambda: "table")
    assert machine_numbers() == offered
    assert own.machine_addresses() == (offered or ["table"])


kinds = st.sampled_from([LO, CABLE, WIFI, VPN, PEER, DOCKER, UNROUTED, NEW])


@given(st.lists(kinds, max_size=5, unique=True))
def test_no_address_is_offered_that_means_nothing_to_others(
    adapters: list[Adapter],
) -> None:
    usable = [CABLE, WIFI, VPN, PEER, NEW]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own, "adapters", lambda: adapters)
        patch.setattr(own, "_on_the_way_out", list)
        offered = [ipaddress.ip_address(each) for each in machine_numbers()]
    assert len(set(offered)) == len(offered)
    assert not any(each.is_loopback or each.is_unspecified for each in offered)
    assert not any(each.version == 6 and each.is_link_local for each in offered)
    for each in adapters:
        numbers = {interface.ip for interface in each.interfaces}
        if each in usable:
            assert numbers & {*offered}, "each network that others may be in has its address"


def test_of_adapters_those_that_are_unplugged_do_not_count(
    tmp_path: Path,
) -> None:

    states = {"eth0": "up\n", "eth1": "down\n", "tun0": "unknown\n"}
    for name, state in states.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "operstate").write_text(state)
    ips = [
        SimpleNamespace(ip="192.168.1.20", network_prefix=24, is_IPv4=True),
        SimpleNamespace(ip=("fd00::20", 0, 3), network_prefix=64, is_IPv4=False),
    ]
    named = [SimpleNamespace(nice_name=name, ips=ips) for name in (*states, "en0")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own, "_STATES", tmp_path)
        patch.setattr(ifaddr, "get_adapters", lambda: named)
        found = REAL_ADAPTERS()
    assert [each.name for each in found] == ["eth0", "tun0", "en0"]
    assert [str(each) for each in found[0].interfaces] == ["192.168.1.20/24", "fd00::20/64"]


def test_a_system_that_tells_nothing_has_no_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError("not permitted")

    monkeypatch.setattr(ifaddr, "get_adapters", refuse)
    assert REAL_ADAPTERS() == []


def test_the_way_out_is_asked_for_and_loopback_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "_OUT_THERE", ((socket.AF_INET, "127.0.0.1"),))
    assert own._on_the_way_out() == []


def test_a_game_against_bots_lists_no_adapters() -> None:
    program = "import netcode.transport.machine_addresses, sys; sys.exit('ifaddr' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
