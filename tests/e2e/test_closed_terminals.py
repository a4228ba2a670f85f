"""Tests programs whose terminal is closed or blocked while they run."""

import asyncio
import json
import os
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL, c_char_p
from pathlib import Path

import pytest

from netcode.client.connectors import Plain, connector
from netcode.protocol.messages import SetReady
from netcode.transport.address import Address
from tests.e2e.test_plain import STAYS, joined
from tests.support.command_lines import OF_WINGS
from tests.support.persons import Person
from tests.support.programs import HERE, ORDINARY, RIGHT, Terminal, free_port, serving

ALONE = "--bots", "2", "--pace", "0", "--seed", "7", "--name", "Ada"

PROGRAMS: dict[str, tuple[tuple[str, ...], str]] = {
    "the start": ((), "Play against bots"),
    "a table": (("play", *ALONE), "YOUR TURN"),
    "the lesson": (("learn",), "Enter"),
    "a puzzle": (("puzzle",), "Enter"),
    "an own table": (("host", *HERE, "--name", "Ada"), "Add bots, or wait"),
    "a table by lines": (("play", "--plain", *ALONE), r"1\. "),
    "an own table by lines": (("host", "--plain", *HERE, "--name", "Ada"), "spoken code"),
    "a server": (("host", "--headless", *HERE), "Ctrl-C"),
}
"""Commands that run until their player ends them, each with a pattern of its first output."""

for _wing in OF_WINGS:
    PROGRAMS |= _wing.running

NO_PATIENCE = -signal.SIGALRM
"""The exit status of a program that its own alarm has ended."""


@contextmanager
def stopped(terminal: Terminal) -> Iterator[None]:
    """Stop a terminal's output until the end of the block."""
    ptsname = CDLL(None).ptsname
    ptsname.restype = c_char_p
    number = os.open(ptsname(terminal._master), os.O_RDWR | os.O_NOCTTY)
    termios.tcflow(number, termios.TCOOFF)
    try:
        yield
    finally:
        # Ignore an error, because the terminal may be closed.
        with suppress(termios.error):
            termios.tcflow(number, termios.TCOON)
        os.close(number)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_ends_by_itself_when_its_terminal_is_closed(program: str) -> None:
    arguments, shown = PROGRAMS[program]
    terminal = Terminal(*arguments, command=ORDINARY)
    terminal.until(shown)
    assert terminal.hang_up() != NO_PATIENCE


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP], ids=lambda each: each.name)
def test_a_program_ends_when_told_though_its_terminal_takes_nothing(ending: int) -> None:
    terminal = Terminal("play", *ALONE)
    terminal.until("YOUR TURN")
    with stopped(terminal):
        for key in (RIGHT, "?", "\x1b[27u") * 20:
            terminal.press(key)
        os.kill(terminal.pid, ending)
        assert terminal.close() == 0


def test_a_closed_terminal_of_a_host_in_a_game_loses_nothing(tmp_path: Path) -> None:
    port = free_port()
    there = "--bind", "127.0.0.1", "--port", str(port), "--no-announce", "--insecure"
    host = Terminal("host", *there, "--name", "Ada", "--bots", "1")
    host.until("Add bots, or wait")
    friend = joined(tmp_path, "Bo", "--insecure", f"127.0.0.1:{port}", source=STAYS)
    host.until("Everybody is ready")
    host.press("s")
    host.until("YOUR TURN|Bo is|Aubin is")
    assert host.hang_up() == 0
    assert friend.wait() == 0
    data = [json.loads(line) for line in (tmp_path / "Bo").read_text().splitlines()]
    assert data[-1]["type"] == "goodbye"
    with serving("host", "--headless", "--resume") as again:
        assert again.port == port


def test_a_host_whose_terminal_takes_nothing_still_serves_guests_and_catches_up() -> None:
    port = free_port()
    there = "--bind", "127.0.0.1", "--port", str(port), "--no-announce", "--insecure"
    host = Terminal("host", *there, "--name", "Ada")
    host.until("Add bots, or wait")
    friend = Person(connector(Plain(Address("127.0.0.1", port))), "Berta", players=9)

    def is_ready() -> bool:
        lobby = friend.session.lobby
        return lobby is not None and any(s.ready for s in lobby.seats if s.name == friend.name)

    async def sit_down() -> None:
        playing = asyncio.ensure_future(friend.play())
        async with asyncio.timeout(60):
            while not is_ready():
                await asyncio.sleep(0.01)
            # Press keys that cause more output than the terminal can buffer.
            for _ in range(20):
                host.press("?")
                host.press("\x1b[27u")
            for ready in (False, True) * 3:
                friend.send(SetReady(ready=ready))
                while is_ready() is not ready:
                    await asyncio.sleep(0.01)
        playing.cancel()
        await asyncio.wait([playing])

    with stopped(host):
        asyncio.run(sit_down())
    host.until("Berta")
    assert host.hang_up() == 0
