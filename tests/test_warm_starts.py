"""Tests that a forked program is like one that starts as usual."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.programs import COMMAND, HERE, ORDINARY, Server, Terminal, run
from tests.support.warm_starts import ROOT, environment, fork

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="programs start as usual there")


@pytest.mark.parametrize("arguments", [["rules"], ["no-such-command"]], ids=lambda each: each[0])
def test_a_fork_writes_and_ends_as_a_usual_program_does(arguments: list[str]) -> None:
    forked = run(*arguments)
    usual = subprocess.run(
        [*ORDINARY, *arguments], cwd=ROOT, env=environment(), capture_output=True, text=True
    )
    assert forked.stdout == usual.stdout
    assert forked.stderr == usual.stderr
    assert forked.returncode == usual.returncode


def test_a_fork_is_a_child_with_the_variables_of_its_test(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LANGUAGE", "fr")
    assert "Le jeu" in run("--help").stdout
    host = Server("host", "--headless", *HERE)
    host.listen()
    assert os.getpgid(host.process.pid) == host.process.pid
    assert host.end(signal.SIGINT) == 0


def test_a_fork_leads_the_session_of_its_terminal() -> None:
    terminal = Terminal("learn", "--plain")
    terminal.until("Welcome")
    assert os.getsid(terminal.pid) == terminal.pid
    assert os.tcgetpgrp(terminal._master) == terminal.pid
    terminal.hang_up()


@pytest.mark.parametrize(
    ("command", "name"),
    [(COMMAND, "NO_COLOR"), (COMMAND, "TEXTUAL_FPS"), (ORDINARY, "XDG_DATA_HOME")],
)
def test_what_imports_may_read_makes_a_start_usual(command: tuple[str, ...], name: str) -> None:
    assert fork(command, {**environment(), name: "1"}, ".", [0, 1, 2], leads="") is None
