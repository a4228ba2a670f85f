"""Tests with real programs that a friend who comes late gets a bot's seat and plays on."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.support.programs import ENTER, HERE, ORDINARY, Terminal, begin


@pytest.fixture
def host() -> Iterator["subprocess.Popen[str]"]:
    """Run `driflamme host --plain` with two bots, and yield its process.

    The table waits in the lobby. At the end the process is killed.
    """
    table = "host", "--plain", *HERE, "--name", "Ada", "--bots", "2:steady", "--pace", "0"
    process = begin(*table, stdin=subprocess.PIPE, stderr=None)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def until(process: "subprocess.Popen[str]", start: str) -> str:
    """Return a program's next line with this beginning; fail if the program ends first."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(start):
            return line
    raise AssertionError(f"no line begins with {start}")


def type_line(process: "subprocess.Popen[str]", text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{text}\n")
    process.stdin.flush()


def test_from_the_link_to_a_bots_seat_by_one_key_of_each(host: "subprocess.Popen[str]") -> None:
    link = until(host, "Others join with:").split()[-1]
    until(host, "Berthe, a bot")
    type_line(host, "start")
    until(host, "1. ")
    newcomer = Terminal("join", link, "--name", "Gaspard", command=ORDINARY)
    newcomer.until("A game is under way")
    newcomer.until("Ada decides whether", [ENTER])
    until(host, "Gaspard would like the seat of")
    type_line(host, "allow")
    until(host, "Gaspard takes the seat of")
    newcomer.until("You play Blue now")
    newcomer.until("Esc quit", ["q", "y"])
    newcomer.press("\x1b")
    newcomer.end()
