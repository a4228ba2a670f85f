"""A host with doors, as a process, and what people have who come by them."""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen

import pytest

from tests.e2e.test_terminal import Terminal, headless, run

SSH = shutil.which("ssh")

OPTIONS = [
    "UserKnownHostsFile=/dev/null",
    "StrictHostKeyChecking=no",
    "PubkeyAuthentication=no",
    "IdentityAgent=none",
]


def test_who_has_only_a_browser_gets_the_page_and_is_let_in_by_the_link() -> None:
    options = "--headless", "--bind", "127.0.0.1", "--port", "0", "--no-announce", "--web", "0"
    with headless(*options) as (host, _port):
        assert host.stdout is not None
        told = ""
        while "Ctrl-C" not in told:
            told += host.stdout.readline()
        link = re.search(r"(http://127\.0\.0\.1:\d+)/#(\S+)\n", told)
        assert link is not None
        with urlopen(link[1]) as page:
            assert b"Your name" in gzip.decompress(page.read())
        wish = json.dumps({"name": "Rosalind", "code": link[2]}).encode()
        with urlopen(Request(f"{link[1]}/enter", wish, {"Origin": link[1]})) as answer:
            assert answer.status == 204


@contextmanager
def with_ssh(*options: str) -> Iterator[tuple["subprocess.Popen[str]", Callable[..., Terminal]]]:
    """A host with a door for SSH, and what somebody's real `ssh` does there."""
    where = "--headless", "--bind", "127.0.0.1", "--port", "0", "--no-announce", "--ssh", "0"
    with headless(*where, *options) as (host, _port):
        assert host.stdout is not None
        told = ""
        while "Ctrl-C" not in told:
            told += host.stdout.readline()
        line = re.search(r"ssh -p ([0-9]+) NAME@127\.0\.0\.1\n", told)
        code = re.search(r"the spoken code (\S+)\.", told)
        assert line is not None
        assert code is not None
        assert re.search(r"key of this machine is SHA256:\S{43}\n", told)
        assert told.count("sees the cards") == 1
        ways = [each for option in OPTIONS for each in ("-o", option)]

        def come(name: str, *options: str) -> Terminal:
            command = (str(SSH), "-F", "none", "-p", line[1], *ways, *options)
            terminal = Terminal(f"{name}@127.0.0.1", command=command)
            terminal.until("Without an SSH key")
            terminal.until("code that the host sees")
            terminal.press(f"{code[1]}\r")
            return terminal

        yield host, come


@pytest.mark.skipif(SSH is None, reason="there is no ssh here")
def test_who_has_only_ssh_types_the_line_and_the_code_and_is_there_until_the_host_is_not() -> None:
    with with_ssh() as (host, come):
        terminal = come("Rosalind")
        terminal.until("Rosalind")
        terminal.until("host")
        none = come("Berta", "-T")
        none.until("needs a terminal: connect with ssh -t")
        assert none.end() == 2
        # A host that is killed takes no leave of the door, which ends all the same.
        host.kill()
        terminal.end()
        assert given_back(terminal)


@pytest.mark.skipif(SSH is None, reason="there is no ssh here")
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_all_of_a_host_gives_visitors_their_terminals_back(told: int) -> None:
    with with_ssh() as (host, come):
        terminal = come("Rosalind")
        terminal.until("Lobby")
        os.killpg(host.pid, told)
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
        terminal.press("start\r")
        terminal.until(r"1\. ")
        terminal.press("?A\r")
        # What comes then is below the screen that is looked at.
        while "Archer: Each time" not in terminal.written:
            terminal.look()
            assert not terminal.ended
        assert "\x1b" not in terminal.raw
        other = come("plain-Berta", "-T")
        other.until("Berta")
        other.press("quit\r")
        assert other.end() == 0
        terminal.press("quit\rquit\r")
        assert terminal.end() == 0


def given_back(terminal: Terminal) -> bool:
    """Return whether a terminal shows its own screen again, without the mouse."""
    last = dict(re.findall(r"\x1b\[\?(1049|1000|1003|25)([hl])", terminal.raw))
    return last == {"1049": "l", "1000": "l", "1003": "l", "25": "h"}


def test_a_door_that_cannot_be_is_one_sentence_and_exit_status_2() -> None:
    for options, why in (
        (("--insecure", "--ssh"), "A door needs a code"),
        (("--ssh", "70000"), "70000"),
        (("--web-proxy", "table.example"), "'table.example' is not the address of a page"),
    ):
        failed = run("host", "--headless", "--bind", "127.0.0.1", "--port", "0", *options)
        assert failed.returncode == 2
        assert why in failed.stderr
        assert len(failed.stderr.strip().splitlines()) == 1
