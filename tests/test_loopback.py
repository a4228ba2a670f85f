"""Tests that no test can leave loopback, even if the program under test ignores the refusal."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from netcode.joining.discovery import find_tables
from tests.loopback.sitecustomize import LeavesLoopbackError
from tests.support.garbage import collect_garbage

ELSEWHERE = "192.0.2.1"
GROUP = "224.0.0.251"
JOIN = socket.inet_aton(GROUP) + socket.inet_aton("0.0.0.0")


OPENED: list[socket.socket] = []


def stream() -> socket.socket:
    OPENED.append(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
    return OPENED[-1]


def datagrams(family: socket.AddressFamily = socket.AF_INET) -> socket.socket:
    OPENED.append(socket.socket(family, socket.SOCK_DGRAM))
    return OPENED[-1]


WAYS_OUT: dict[str, Callable[[], object]] = {
    "connect": lambda: stream().connect((ELSEWHERE, 9)),
    "connect_ex": lambda: stream().connect_ex((ELSEWHERE, 9)),
    "connect by name": lambda: stream().connect(("driflamme.example", 9)),
    "connect by IPv6": lambda: datagrams(socket.AF_INET6).connect(("2001:db8::1", 9)),
    "create_connection": lambda: socket.create_connection((ELSEWHERE, 9)),
    "sendto": lambda: datagrams().sendto(b"", (ELSEWHERE, 9)),
    "sendmsg": lambda: datagrams().sendmsg([b""], [], 0, (GROUP, 9)),
    "bind": lambda: datagrams().bind(("", 0)),
    "join": lambda: datagrams().setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, JOIN),
    "join by IPv6": lambda: datagrams(socket.AF_INET6).setsockopt(
        socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, bytes(20)
    ),
    "getaddrinfo": lambda: socket.getaddrinfo("driflamme.example", 9),
    "asyncio": lambda: asyncio.run(asyncio.open_connection(ELSEWHERE, 9)),
    "looking for tables": lambda: asyncio.run(find_tables(0)),
}


@pytest.fixture
def expected(refused: Path) -> Callable[[], str]:
    """Return a function that returns and clears the recorded attempts; then the test can pass."""

    def take() -> str:
        text = refused.read_text(encoding="utf-8")
        refused.unlink()
        return text

    return take


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.parametrize("way", WAYS_OUT)
def test_every_way_out_is_refused(way: str, expected: Callable[[], str]) -> None:
    with pytest.raises(LeavesLoopbackError, match="No test may leave loopback"):
        WAYS_OUT[way]()
    while OPENED:
        OPENED.pop().close()
    if way == "looking for tables":
        # Free the sockets that the library opened before the refusal.
        collect_garbage()
    assert expected()


def test_so_it_is_in_the_processes_that_tests_start(
    expected: Callable[[], str], tmp_path: Path
) -> None:
    leaving = f"import socket; socket.create_connection(({ELSEWHERE!r}, 9))"
    done = subprocess.run(
        [sys.executable, "-c", leaving], cwd=tmp_path, capture_output=True, text=True
    )
    assert "LeavesLoopbackError: No test may leave loopback" in done.stderr
    assert expected() == f"a connection to {ELSEWHERE}\n"


SWALLOWING = f"""
import contextlib, socket, subprocess, sys

LEAVES = "import socket; socket.create_connection(({ELSEWHERE!r}, 9))"

def test_of_a_program_that_goes_on():
    with contextlib.suppress(Exception):
        exec(LEAVES)

def test_of_another_program():
    subprocess.run([sys.executable, "-c", LEAVES])

def test_that_stays():
    socket.create_server(("127.0.0.1", 0)).close()
"""


def test_whoever_swallows_the_refusal_fails_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "test_swallowing.py").write_text(SWALLOWING)
    options = ["-c", "/dev/null", "-p", "tests.conftest", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "yes"},
        capture_output=True,
        text=True,
    )
    assert "3 passed, 2 errors" in done.stdout
    assert done.stdout.count(f"leave loopback (tests/loopback): a connection to {ELSEWHERE}") >= 2


def test_loopback_stays_open(tmp_path: Path) -> None:
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "localhost")):
        with socket.create_server((host, 0), family=family) as server:
            socket.create_connection(server.getsockname()[:2]).close()
        with datagrams() as one, datagrams() as other:
            one.bind((host, 0))
            other.sendto(b"?", one.getsockname())
            assert one.recv(1) == b"?"
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(str(tmp_path / "s"))
        server.listen()
        client.connect(str(tmp_path / "s"))
    # A passive lookup with a number asks no server.
    assert socket.getaddrinfo(None, 9, flags=socket.AI_PASSIVE)
    assert socket.getaddrinfo(ELSEWHERE, 9)
