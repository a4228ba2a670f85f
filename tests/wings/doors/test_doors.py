"""Tests a host with doors as a process, and the programs of its visitors."""

import gzip
import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from driflamme_tui.wings.doors.strangers import HARMLESS, HARMLESS_PREFIXES
from tests.support.programs import HERE, Server, Terminal, serving

HOST = "host", "--headless", *HERE
SSH = shutil.which("ssh")

OPTIONS = [
    "UserKnownHostsFile=/dev/null",
    "StrictHostKeyChecking=no",
    "PubkeyAuthentication=no",
    "IdentityAgent=none",
]


def started_by(process: int) -> list[int]:
    """Return the numbers of all descendants of a process."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [each for child in map(int, children) for each in (child, *started_by(child))]


def test_a_browser_is_let_in_by_the_link_and_no_process_of_a_door_has_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/run/agent")
    with serving(*HOST, "--web", "0") as host:
        page_at, secret = host.found(r"(http://127\.0\.0\.1:\d+)/#"), host.found(r"/#(\S+)\n")
        with urlopen(page_at) as page:
            assert b"Your name" in gzip.decompress(page.read())
        wish = json.dumps({"name": "Rosalind", "code": secret}).encode()
        with urlopen(Request(f"{page_at}/enter", wish, {"Origin": page_at})) as answer:
            assert answer.status == 204
        if Path("/proc/self/environ").exists():
            check_processes(host.process.pid)


def check_processes(host: int) -> None:
    """Fail if a door's process has variables of the host, or if a process can leave an image."""
    theirs = started_by(host)
    assert len(theirs) >= 2
    for process in theirs:
        surroundings = Path(f"/proc/{process}/environ").read_bytes()
        names = {each.partition(b"=")[0].decode() for each in surroundings.split(b"\0") if each}
        assert all(each in HARMLESS or each.startswith(HARMLESS_PREFIXES) for each in names), names
    for process in (host, *theirs):
        limits = Path(f"/proc/{process}/limits").read_text()
        assert re.search(r"Max core file size +0 +0 ", limits), process


@contextmanager
def with_ssh(*options: str) -> Iterator[tuple[Server, Callable[..., Terminal]]]:
    """Yield a host with a door for SSH, and a terminal with a real `ssh`."""
    with serving(*HOST, "--ssh", "0", *options) as host:
        port = host.found(r"ssh -p ([0-9]+) NAME@127\.0\.0\.1\n")
        code = host.found(r"the spoken code (\S+)\.")
        assert host.found(r"key of this machine is (SHA256:\S{43})\n")
        assert host.output.count("sees the cards") == 1
        ways = [each for option in OPTIONS for each in ("-o", option)]

        def come(name: str, *options: str) -> Terminal:
            command = (str(SSH), "-F", "none", "-p", port, *ways, *options)
            terminal = Terminal(f"{name}@127.0.0.1", command=command)
            terminal.until("Without an SSH key")
            terminal.until("code on the host's screen")
            terminal.press(f"{code}\r")
            return terminal

        yield host, come


@pytest.mark.skipif(SSH is None, reason="there is no ssh here")
def test_who_has_only_ssh_types_the_line_and_the_code_and_is_there_until_the_host_is_not() -> None:
    with with_ssh() as (host, come):
        terminal = come("Rosalind")
        terminal.until("Rosalind")
        terminal.until("host")
        for without in (("-T",), ("-T", "-n")):
            none = come("Berta", *without)
            none.until("needs a terminal: connect with ssh -t")
            assert none.end() == 2
        # A killed host sends no goodbye to its door, which ends anyway.
        host.process.kill()
        terminal.end()
        assert given_back(terminal)


@pytest.mark.skipif(SSH is None, reason="there is no ssh here")
def test_a_signal_to_all_of_a_host_gives_visitors_their_terminals_back() -> None:
    with with_ssh() as (host, come):
        terminal = come("Rosalind")
        terminal.until("Lobby")
        os.killpg(host.process.pid, signal.SIGHUP)
        terminal.end()
        assert given_back(terminal)
        assert "The host has closed the table" in terminal.written


@pytest.mark.skipif(SSH is None, reason="there is no ssh here")
def test_who_wants_lines_says_so_by_name_and_plays_without_a_screen() -> None:
    with with_ssh("--bots", "2:random", "--pace", "0") as (_host, come):
        terminal = come("plain", "-t")
        terminal.until("What is your name")
        terminal.press(f"{'x' * 21}\r")
        terminal.until("at most 20 characters")
        terminal.press("Rosalind\r")
        terminal.until("You sit at the table")
        other = come("plain-Berta", "-T")
        other.until("You sit at the table")
        other.press("quit\r")
        assert other.end() == 0
        terminal.press("start\r")
        terminal.until(r"1\. ")
        terminal.press("?A\r")
        # Later output is below the visible screen.
        while "Archer: Each time" not in terminal.written:
            terminal.look()
            assert not terminal.ended
        assert "\x1b" not in terminal.raw
        terminal.press("quit\rquit\r")
        assert terminal.end() == 0


def given_back(terminal: Terminal) -> bool:
    """Return True if the main screen and the cursor are back, and the mouse is off."""
    last = dict(re.findall(r"\x1b\[\?(1049|1000|1003|25)([hl])", terminal.raw))
    return last == {"1049": "l", "1000": "l", "1003": "l", "25": "h"}
