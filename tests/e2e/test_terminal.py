"""The program as people run it: processes, a real terminal, and what they print and return."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from netcode.client.connectors import Plain, connector
from netcode.transport.address import Address
from scripts.lib import pseudo_terminal
from tests.e2e.test_network import Person

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "tests.e2e.offline")
ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_=>78])")
WIDTH, HEIGHT = 80, 24
RIGHT, ENTER = "\x1b[C", "\r"
PATIENCE = 4_000
"""Looks at the terminal, each a few hundredths of a second at most, before a test gives up."""
UNHEARD = 20
"""Looks after which a key that had nothing written is taken to have no effect."""


def environment() -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }


class Terminal(pseudo_terminal.Terminal):
    """A program in a terminal of its own."""

    def __init__(self, *arguments: str, command: Sequence[str] = COMMAND) -> None:
        super().__init__([*command, *arguments], (WIDTH, HEIGHT), environment())

    @property
    def written(self) -> str:
        """All that was written, without control sequences: not much of what was shown before is
        written again."""
        return ESCAPES.sub("", self.raw)

    def look(self) -> str:
        """Take in what the program has written by now."""
        while self.take(0.02):
            pass
        return self.screen.text()

    def until(self, text: str, keys: Sequence[str] = ()) -> None:
        """Press keys, each once the one before has had its effect, until a text is shown."""
        turn, written, unheard = 0, 0, UNHEARD
        for _ in range(PATIENCE):
            if re.search(text, self.look()):
                return
            assert not self.ended, f"ended before {text!r}: {self.screen.text()}"
            unheard += 1
            if keys and (len(self.raw) > written or unheard > UNHEARD):
                self.press(keys[turn % len(keys)])
                turn, written, unheard = turn + 1, len(self.raw), 0
        raise AssertionError(f"{text!r} never came: {self.screen.text()}")

    def end(self) -> int:
        """Wait for the program's own end, and return its exit status."""
        for _ in range(PATIENCE):
            self.look()
            if self.ended:
                assert "Traceback" not in self.written
                return self.close()
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"does not end: {self.screen.text()}")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command without a terminal."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def headless(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A host's process without a terminal, and the port on which its table is open."""
    process = subprocess.Popen(
        [*COMMAND, "host", *arguments],
        process_group=0,
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            found = re.search(r"open on port ([0-9]+)", line)
            if found:
                yield process, int(found[1])
                break
        else:
            raise AssertionError("the table was never open")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_whole_game_in_a_terminal_by_keyboard_down_to_the_result_and_out() -> None:
    terminal = Terminal("play", "--bots", "2:steady", "--pace", "0", "--seed", "7", "--name", "Ada")
    terminal.until("YOUR TURN")
    terminal.until("wins? with|share the victory", [RIGHT, ENTER, ENTER])
    terminal.until("LAID OPEN", [ENTER])
    # On a busy machine an Enter too many has begun another game, which asks otherwise.
    terminal.until(r"Leave the table|Leave \(y\)", ["q"])
    terminal.until("Play against bots", ["y"])
    terminal.press("\x1b")
    assert terminal.end() == 0


def test_signs_and_letters_are_keys_in_a_terminal() -> None:
    terminal = Terminal("play", "--bots", "2", "--pace", "0", "--seed", "7", "--name", "Ada")
    terminal.until("YOUR TURN")
    terminal.press(">")
    terminal.until("Choose a card first")
    terminal.press(RIGHT + ">")
    terminal.until("PLACE YOUR")
    terminal.press("^")
    terminal.until("You stack only on your own top card")
    terminal.press("?")
    terminal.until("Help: ")
    terminal.press("?i")
    terminal.until("done")
    terminal.press("\x03")
    assert terminal.end() == 0
    assert "Traceback" not in terminal.written


def test_join_where_nobody_is_ends_with_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    terminal = Terminal("join", "--insecure", f"127.0.0.1:{port}", "--name", "Ada")
    assert terminal.end() == 2
    assert f"No table is open at 127.0.0.1:{port}" in " ".join(terminal.written.split())


def test_host_where_the_port_is_in_use_ends_with_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        terminal = Terminal("host", "--bind", "127.0.0.1", "--port", str(port), "--name", "Ada")
        assert terminal.end() == 2
        assert f"Port {port} is in use" in terminal.written
        failed = run("host", "--bind", "127.0.0.1", "--port", str(port))
        assert failed.returncode == 2
        assert f"Port {port} is in use" in failed.stderr


def test_a_headless_host_serves_a_whole_game_and_closes_when_it_is_told_to() -> None:
    async def play(port: int) -> list[Person]:
        way = connector(Plain(Address("127.0.0.1", port)))
        people = [Person(way, name, players=4, bots=1) for name in ("Ada", "Berta", "Carla")]
        await asyncio.gather(*(person.play() for person in people))
        return people

    options = "--headless", "--insecure", "--bind", "127.0.0.1", "--port", "0", "--pace", "0"
    with headless(*options) as (process, port):
        people = asyncio.run(play(port))
        assert all(person.session.view and person.session.view.over for person in people)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
        assert process.stdout is not None
        assert "The table is closed." in process.stdout.read()


def test_a_headless_host_prints_what_others_type() -> None:
    with headless("--headless", "--bind", "127.0.0.1", "--port", "0") as (process, port):
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
        assert process.stdout is not None
        printed = process.stdout.read()
        assert re.search(rf"Others join with: driflamme join driflamme://\S+:{port}/\S+\n", printed)
        assert re.search(r"the spoken code \w{3}-\w{5}\.\n", printed)
        assert "The first to sit down is the host." in printed


def test_host_without_a_terminal_says_that_it_is_headless() -> None:
    with headless("--bind", "127.0.0.1", "--port", "0") as (process, _port):
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0


def test_play_without_a_terminal_says_how_it_can_be_played() -> None:
    failed = run("play")
    assert failed.returncode == 2
    assert "driflamme play --plain" in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1


def test_what_cannot_be_is_one_sentence_and_exit_status_2() -> None:
    failed = run("play", "--plain", "--bots", "clever,steady,steady")
    assert failed.returncode == 2
    assert "no bot called 'clever'" in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1


def test_without_a_command_and_a_terminal_there_is_help() -> None:
    shown = run()
    assert shown.returncode == 0
    assert "Usage: driflamme" in shown.stdout
