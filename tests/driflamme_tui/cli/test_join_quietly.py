"""Tests that joining hides the link from the list of processes, asks for it, or reads it."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from driflamme_tui import local_date
from driflamme_tui.cli.commands import join_command
from driflamme_tui.cli.hidden_arguments import PIPE, hide_secrets
from driflamme_tui.cli.program import app
from driflamme_tui.preferences.visits import TABLES, Visit
from driflamme_tui.screens import start_rows
from driflamme_tui.screens.start_rows import AddedRow, StartRows
from driflamme_tui.seat.targets import CodeTarget, Join
from driflamme_tui.wording.program.start_words import PLAY, Row
from netcode.client.connectors import Plain
from netcode.joining import discovery
from netcode.protocol.messages import PROTOCOL
from netcode.transport.address import Address

SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGw"

ROOT = Path(__file__).resolve().parents[3]


def driflamme(*arguments: str, stdin: str) -> Result:
    return CliRunner().invoke(app, arguments, input=stdin, env={"LANGUAGE": "en"})


def started(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[str] | None:
    """Call `hide_secrets`; return the arguments with which it restarts the program, or None."""
    again: list[list[str]] = []

    def execve(_path: str, shown: list[str], environment: dict[str, str]) -> None:
        again.append(shown)
        monkeypatch.setenv(PIPE, environment[PIPE])

    monkeypatch.setattr(sys, "argv", ["driflamme", *arguments])
    monkeypatch.setattr(sys, "orig_argv", ["python", "driflamme", *arguments])
    monkeypatch.setattr("os.execve", execve)
    hide_secrets()
    return again[0] if again else None


LINK = f"driflamme://10.0.0.7/{SECRET}"
RELAY = f"driflamme-relay://10.0.0.7/{SECRET}"


@pytest.mark.skipif(os.name != "posix", reason="Windows starts another process")
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (["join", LINK], "join driflamme://..."),
        (["join", "--name", "Zoé", LINK], "join --name Zoé driflamme://..."),
        (["join", "K7Q-F2MXR", "--name", "Zoé"], "join ... --name Zoé"),
        (["join", "10.0.0.7", "k7qf2mxr"], "join 10.0.0.7 ..."),
        (["join", "10.0.0.7 K7Q F2MXR"], "join 10.0.0.7 ..."),
        (["--ascii", "join", LINK], "--ascii join driflamme://..."),
        (["--ascii", "join", "K7Q-F2MXR"], "--ascii join ..."),
        (["--theme", "dark", "watch", LINK.upper()], "--theme dark watch DRIFLAMME://..."),
        (["join", "--plain", LINK[:40], LINK[40:]], "join --plain driflamme://... ..."),
        (["join", f"come: {LINK[:5]} {LINK[5:]}"], "join come:driflamme://..."),
        (["host", "--relay", RELAY], "host --relay driflamme-relay://..."),
        (["host", f"--relay={RELAY}", "--plain"], "host --relay=driflamme-relay://... --plain"),
        (["no-such", LINK], "no-such driflamme://..."),
    ],
)
def test_a_secret_goes_through_a_pipe_to_the_program_that_starts_again(
    monkeypatch: pytest.MonkeyPatch, given: list[str], shown: str
) -> None:
    again = started(monkeypatch, *given)
    assert again is not None
    assert " ".join(again) == f"python driflamme {shown}"
    monkeypatch.setattr(sys, "argv", again[1:])
    hide_secrets()
    assert sys.argv == ["driflamme", *given]
    assert PIPE not in os.environ


@pytest.mark.parametrize(
    "given",
    [
        "",
        "join",
        "join --plain --insecure 10.0.0.7",
        "play --bots 3",
        "host --web-proxy https://table.example --name Rosalind",
    ],
)
def test_without_a_secret_the_program_goes_on_as_it_is(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    assert started(monkeypatch, *given.split()) is None


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no such list")
@pytest.mark.parametrize("before", [(), ("--ascii",)])
def test_the_list_of_processes_does_not_show_an_invitation(before: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        link = f"driflamme://127.0.0.1:{silent.getsockname()[1]}/{SECRET}"
        program = subprocess.Popen(
            [sys.executable, "-m", "driflamme_tui", *before, "join", "--plain", link],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            # The program connects, and waits for an answer that never comes.
            silent.settimeout(60)
            silent.accept()[0].close()
            shown = Path(f"/proc/{program.pid}/cmdline").read_bytes()
        finally:
            program.kill()
            program.communicate()
    assert b"join" in shown
    assert SECRET.encode() not in shown


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Record the targets that a command joins line by line, without joining; return the list."""
    plans: list[object] = []

    def run_lines(plan: Join, _name: str, *, as_json: bool) -> None:
        plans.append(plan.target)

    monkeypatch.setattr(join_command, "run_lines", run_lines)
    return plans


@pytest.mark.parametrize("kind", ["--plain", "--json"])
def test_a_link_is_read_from_standard_input(joined: list[object], kind: str) -> None:
    result = driflamme("join", kind, "-", stdin="10.0.0.7 k7qf2mxr\n1\n")
    assert (result.exit_code, joined) == (0, [CodeTarget(Address("10.0.0.7"), "K7QF2MXR")])
    assert driflamme("join", kind, "-", stdin="").exit_code == 2


@pytest.mark.parametrize("typed", ["1", "k7q-f2mxr"])
def test_line_by_line_one_is_asked_for_a_table(
    joined: list[object], monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    root = discovery.FoundTable("Root", Address("192.168.1.20"), "K7Q", PROTOCOL, 3, 5)

    async def found(_seconds: float) -> list[discovery.FoundTable]:
        return [root]

    monkeypatch.setattr(discovery, "find_tables", found)
    monkeypatch.setattr(join_command, "is_typed_at", lambda: True)
    TABLES.remember("there", Visit("Yvette", "--insecure 10.0.0.9", local_date.today()))
    result = driflamme("join", "--plain", "--name", "Zoe", stdin=f"{typed}\n")
    assert "Root, on this network: its code begins with K7Q" in result.stdout
    assert "1: Yvette, today" in result.stdout
    target = Plain(Address("10.0.0.9")) if typed == "1" else CodeTarget(root.address, "K7QF2MXR")
    assert joined == [target], json.dumps(result.stdout)


@pytest.mark.parametrize(
    ("given", "typed", "address"),
    [((), "", "10.0.0.7"), ((), "2", "10.0.0.9"), (("--name", "Zoe"), "1", "10.0.0.9")],
)
def test_line_by_line_what_waits_is_offered_first(
    joined: list[object],
    monkeypatch: pytest.MonkeyPatch,
    given: tuple[str, ...],
    typed: str,
    address: str,
) -> None:
    refreshed: list[bool] = []

    async def nothing(_seconds: float) -> list[discovery.FoundTable]:
        return []

    def refresh() -> bool:
        refreshed.append(True)
        return True

    def waiting() -> list[AddedRow]:
        if not refreshed:
            return []
        row = Row("wing-0", PLAY, "Your turn", "", "soon", waits=True)
        return [AddedRow(row, lambda: Join(Plain(Address("10.0.0.7"))), name="Zoe", place="here")]

    seam = StartRows(waiting=waiting, refresh=refresh)
    monkeypatch.setattr(start_rows, "_seams", lambda: (seam,))
    monkeypatch.setattr(discovery, "find_tables", nothing)
    monkeypatch.setattr(join_command, "is_typed_at", lambda: True)
    TABLES.remember("there", Visit("Yvette", "--insecure 10.0.0.9", local_date.today()))
    result = driflamme("join", "--plain", *given, stdin=f"{typed}\nZoe\n")
    assert ("1: Your turn, soon" in result.stdout) is (not given)
    assert joined == [Plain(Address(address))], result.output
