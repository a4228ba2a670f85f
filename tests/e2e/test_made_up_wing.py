"""Tests that a new wing needs only its folders and one line in each list.

The wing, `laughs`, is in `tests/support/made_up`. It counts laughs at a table of any kind, shows
their number in the lobby, and keeps it over `--resume`. Either side may lack the wing.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from tests.support.programs import COMMAND, HERE, Terminal
from tests.support.warm_starts import ROOT, Program, environment

WITH: Final = (sys.executable, "-m", "tests.support.made_up")
"""The command that starts the program with the made-up wing."""

PATIENCE_S: Final = 30.0
"""Maximum seconds between two lines of a program."""

CLUMSY: Final = (sys.executable, "-m", "tests.support.clumsy_program")
"""The program with the wing, and with a second wing that fails in every function."""

IN_LOBBY: Final = "Ada sits at the table"
"""The first line of a lobby. Only then may a guest type commands of the lobby."""

NO_PAUSE: Final = ("--pace", "0")


class Lines:
    """A program that reads and writes lines."""

    def __init__(self, home: Path, command: tuple[str, ...], *arguments: str) -> None:
        homes = {f"XDG_{each}_HOME": str(home / each) for each in ("DATA", "STATE", "CONFIG")}
        self.process = Program(
            [*command, *arguments],
            cwd=ROOT,
            env=environment() | homes,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        """The lines that `until` has read."""
        self._written = SimpleQueue[str | None]()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError):
            for line in self.process.stdout:
                self._written.put(line.rstrip())
        self._written.put(None)

    def until(self, text: str) -> str:
        """Read lines until one contains a text; return this line."""
        with suppress(Empty):
            while (line := self._written.get(timeout=PATIENCE_S)) is not None:
                self.lines.append(line)
                if text in line:
                    return line
        raise AssertionError(f"{text!r} never came: {self.lines}")

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def end(self) -> int:
        """Kill the program unless it has ended; return its exit status."""
        self.process.kill()
        status = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        return status


class Evening:
    """Starts programs, each with its own home; all end with the test."""

    def __init__(self, folder: Path, undo: ExitStack) -> None:
        self._folder = folder
        self._undo = undo

    def begin(self, name: str, command: tuple[str, ...], *arguments: str) -> Lines:
        program = Lines(self._folder / name, command, *arguments, "--plain")
        self._undo.callback(program.end)
        return program

    def host(self, *arguments: str, command: tuple[str, ...] = WITH) -> tuple[Lines, str]:
        """Return a host by lines, and the link to the table."""
        host = self.begin("Ada", command, "host", *HERE, "--name", "Ada", *arguments)
        return host, host.until("Others join with: ").split()[-1]

    def guest(
        self, name: str, link: str, *, command: tuple[str, ...] = WITH, how: str = "join"
    ) -> Lines:
        """Return a guest by lines who has come to the table."""
        guest = self.begin(name, command, how, link, "--name", name)
        guest.until(IN_LOBBY if how == "join" else "You are watching")
        return guest


@contextmanager
def evening(folder: Path) -> Iterator[Evening]:
    with ExitStack() as undo:
        yield Evening(folder, undo)


def test_everybody_laughs_and_reads_of_it_in_the_lobby_and_in_a_game(tmp_path: Path) -> None:
    with evening(tmp_path) as there:
        host, link = there.host("--bots", "1", *NO_PAUSE)
        guest, watcher = there.guest("Bo", link), there.guest("Wim", link, how="watch")
        guest.until("Laughs at this table: 0.")
        guest.type("laugh")
        for each in (host, guest, watcher):
            each.until("Laughs at this table: 1.")
        assert host.until(" laughs") == "Bo laughs."
        guest.type("ready")
        host.until("The game can begin")
        host.type("start")
        guest.until("Round 1")
        watcher.type("laugh")
        assert guest.until(" laughs") == "Wim laughs."
        assert host.until(" laughs") == "Wim laughs."
        host.type("end game")
        host.type("end game")
        for each in (host, guest, watcher):
            each.until("Laughs at this table: 2.")


def test_a_killed_host_keeps_the_count_and_needs_the_wing_to_come_back(tmp_path: Path) -> None:
    with evening(tmp_path) as there:
        host, link = there.host("--bots", "1", "--laughs", "3", *NO_PAUSE)
        guest = there.guest("Bo", link)
        guest.type("laugh")
        for each in (host, guest):
            each.until("Laughs at this table: 1.")
        host.end()
        without = there.begin("Ada", COMMAND, "host", "--resume", "--name", "Ada")
        without.until("the optional part laughs, which is missing here. It is left as it is")
        assert without.process.wait() != 0
        again = there.begin("Ada", WITH, "host", "--resume", "--name", "Ada")
        again.until("Laughs at this table: 1.")
        guest.until("lost")
        guest.until("Laughs at this table: 1.")
        for laughs in (2, 3):
            guest.type("laugh")
            again.until(f"Laughs at this table: {laughs}.")
        guest.type("laugh")
        guest.until("This table has laughed enough.")


def test_a_setting_of_the_wing_is_typed_and_told(tmp_path: Path) -> None:
    with evening(tmp_path) as there:
        host, link = there.host()
        guest = there.guest("Bo", link)
        host.type("laughs 4")
        host.until("Laughs: type one of these values: 0, 3, 10.")
        host.type("laughs 3")
        for each in (host, guest):
            each.until("Laughs: at most 3. After 3 laughs nobody laughs any more.")


def test_a_wrong_value_of_its_option_is_a_sentence(tmp_path: Path) -> None:
    with evening(tmp_path) as there:
        host = there.begin("Ada", WITH, "host", *HERE, "--laughs", "4")
        host.until("Choose one of 0, 3, 10 laughs.")
        assert host.process.wait() == 2


def test_a_host_without_the_wing_shows_nothing_of_it_and_refuses_a_laugh(tmp_path: Path) -> None:
    with evening(tmp_path) as there:
        _host, link = there.host(command=COMMAND)
        guest = there.guest("Bo", link)
        guest.type("laugh")
        guest.until(
            "The host does not know this kind of message, perhaps for lack of an "
            "optional part: ask the host to reinstall the program."
        )
        guest.type("?")
        guest.until("Bo, ")
        assert not any("Laughs at" in line for line in guest.lines)


def test_a_guest_without_the_wing_plays_with_those_who_laugh(tmp_path: Path) -> None:
    with evening(tmp_path) as there:
        host, link = there.host("--bots", "1", *NO_PAUSE)
        guest = there.guest("Bo", link, command=COMMAND)
        host.type("laugh")
        host.until("Laughs at this table: 1.")
        guest.type("ready")
        host.until("The game can begin")
        host.type("start")
        host.type("laugh")
        guest.until("Round 1")
        assert not any("laugh" in line.lower() for line in guest.lines)


UP = "\x1b[A"
"""The characters that a terminal sends for the key with the arrow up."""


def test_the_lobby_on_a_screen_has_its_line_its_key_and_its_setting() -> None:
    host = Terminal("host", *HERE, "--name", "Ada", command=WITH)
    host.until("Laughs at this table: 0")
    host.press("9")
    host.until("Laughs at this table: 1")
    host.press("8")
    host.until("After 3 laughs nobody")
    # Press another key in between: a key that repeats at once counts as held down.
    for laughs in (2, 3):
        host.press("9")
        host.until(f"Laughs at this table: {laughs}")
        host.press(UP)
    host.press("9")
    host.until("This table has laughed enough")
    os.kill(host.pid, signal.SIGTERM)
    host.end()
    host = Terminal("host", *HERE, "--name", "Ada", command=WITH)
    host.until("Laughs +at most 3")
    os.kill(host.pid, signal.SIGTERM)
    host.end()


# Beside a wing that fails in every function


def test_a_game_by_lines_goes_on_beside_a_wing_of_which_everything_fails(tmp_path: Path) -> None:
    with evening(tmp_path) as there:
        host, link = there.host("--bots", "1", *NO_PAUSE, command=CLUMSY)
        assert host.lines[0].startswith("The optional part clumsy has failed (ClumsyError")
        guest = there.guest("Bo", link, command=CLUMSY)
        guest.type("clumsy")
        guest.until("The optional part clumsy has failed (ClumsyError")
        guest.type("laugh")
        for each in (host, guest):
            each.until("Laughs at this table: 1.")
        guest.type("ready")
        host.until("The game can begin")
        host.type("start")
        guest.until("Round 1")
        guest.type("laugh")
        host.until("Bo laughs.")
        host.type("end game")
        host.type("end game")
        guest.until("Laughs at this table: 2.")
        host.type("quit")
        host.type("quit")
        assert host.process.wait() == 0
        assert not any("Traceback" in line for each in (host, guest) for line in each.lines)


def test_a_screen_goes_on_beside_a_wing_of_which_everything_fails() -> None:
    host = Terminal("host", *HERE, *NO_PAUSE, "--bots", "2", "--name", "Ada", command=CLUMSY)
    host.until("Laughs at this table: 0")
    host.press("9")
    host.until("Laughs at this table: 1")
    host.press("s")
    host.until("Round 1")
    os.kill(host.pid, signal.SIGTERM)
    host.end()
