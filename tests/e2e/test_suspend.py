"""Tests Ctrl-Z in real terminals: the shell gets the terminal, and fg resumes the program."""

import os
import shlex
import shutil
import signal
import sys
from contextlib import nullcontext
from typing import cast

import pytest

from driflamme_tui.drawing.terminal import Terminal as PlayersTerminal
from driflamme_tui.screens.base.overlay import Confirmation
from netcode.client.session import Session
from tests.support.by_hand import ARCHER
from tests.support.programs import COMMAND, Terminal
from tests.support.scenes import hosting
from tests.support.tables import (
    Hands,
    SeatedApp,
    gathered,
    in_app,
    run_cases,
    seats,
    session_at_line,
)

if sys.platform == "win32":
    pytest.skip("no shell there resumes a program", allow_module_level=True)

from driflamme_tui.app import keyed_app
from driflamme_tui.hosting.hosted_table import HostedTable

SUSPEND = "\x1a"
SHELL = shutil.which("bash")


@pytest.mark.skipif(SHELL is None, reason="there is no shell with jobs")
def test_the_shell_resumes_a_suspended_game_as_it_was() -> None:
    shell = Terminal(command=(str(SHELL), "--norc", "--noprofile", "-i"))
    shell.press("PS1=at-sh''ell:\r")
    shell.until("at-shell:")
    shell.press(f"{shlex.join(COMMAND)} play --name Ann --seed 7\r")
    shell.until("YOUR TURN")
    for _ in range(2):
        shell.press(SUSPEND)
        shell.until("Stopped")
        assert "\x1b[?1049l" in shell.raw, "the shell has its own screen"
        shell.press("echo $((6 * 7))\r")
        shell.until("42")
        shell.press("fg\r")
        shell.until("YOUR TURN")
        assert "Round 1/6" in shell.look()
        assert "q leave" in shell.look()
    shell.press("\x03")
    shell.until("Leave")
    shell.press("y")
    shell.until(r"at-shell:\s*$")
    shell.press("exit\r")
    assert shell.end() == 0


def test_a_program_that_no_shell_started_says_that_it_cannot_be_suspended() -> None:
    alone = Terminal("play", "--name", "Ann")
    alone.until("YOUR TURN")
    alone.press(SUSPEND)
    alone.until("cannot be suspended")
    alone.press("\x03")
    alone.until("Leave")
    alone.press("y")
    assert alone.end() == 0


@pytest.fixture
def suspended(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Pretend to suspend the program; return a list that gets an entry each time."""
    times: list[object] = []
    monkeypatch.setattr(keyed_app, "can_stop", lambda _terminal: True)
    monkeypatch.setattr(keyed_app.KeyedApp, "_suspend", lambda app: times.append(app))
    return times


@in_app(lambda: SeatedApp(hosting()))
async def test_a_host_of_others_is_asked_before_the_table_stops(
    app: SeatedApp, hands: Hands, suspended: list[object]
) -> None:
    app.player_seat.table = cast("HostedTable", object())
    await hands.type("ctrl+z")
    assert isinstance(app.screen, Confirmation)
    assert app.shows("the table stops for everybody")
    await hands.type("n")
    assert suspended == []
    await hands.type("ctrl+z y")
    assert len(suspended) == 1


@in_app(lambda: SeatedApp(session_at_line(ARCHER)))
async def test_a_guest_is_suspended_at_once(
    app: SeatedApp, hands: Hands, suspended: list[object]
) -> None:
    await hands.type("ctrl+z")
    assert len(suspended) == 1


@in_app(lambda: SeatedApp(session_at_line(ARCHER)))
async def test_a_visitor_on_another_machine_is_not_suspended(app: SeatedApp, hands: Hands) -> None:
    app.terminal.is_remote = True
    assert not keyed_app.can_stop(app.terminal)


@pytest.mark.parametrize(
    ("is_remote", "group", "session_of_parent", "expected"),
    [
        (True, 2, 1, False),
        (False, 2, 9, True),
        (False, 1, 7, True),
        (False, 1, 9, False),
        (False, 1, None, False),
    ],
)
def test_only_a_shell_at_the_players_own_terminal_resumes_a_program(
    monkeypatch: pytest.MonkeyPatch,
    is_remote: bool,
    group: int,
    session_of_parent: int | None,
    expected: bool,
) -> None:
    """The program is process 1 in session 7; its parent is process 3."""

    def session(process: int) -> int:
        if process == 3 and session_of_parent is None:
            raise ProcessLookupError
        return {0: 7, 3: session_of_parent or 0}[process]

    for name, result in (("getpgrp", group), ("getpid", 1), ("getppid", 3)):
        monkeypatch.setattr(os, name, lambda result=result: result)
    monkeypatch.setattr(os, "getsid", session)
    terminal = PlayersTerminal(lambda _sequences: None)
    terminal.is_remote = is_remote
    assert keyed_app.can_stop(terminal) is expected


def test_a_stop_stops_the_whole_job_and_leaves_signals_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, sent = signal.getsignal(signal.SIGTSTP), list[object]()

    def kill(process: int, number: int) -> None:
        sent.append((process, number, signal.getsignal(number)))

    monkeypatch.setattr(os, "kill", kill)
    keyed_app.stop()
    assert sent == [(0, signal.SIGTSTP, signal.SIG_DFL)]
    assert signal.getsignal(signal.SIGTSTP) == before


def test_the_table_stops_for_others_only_if_they_are_at_a_table_hosted_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stops = list[str]()
    monkeypatch.setattr(keyed_app, "can_stop", lambda _terminal: True)
    monkeypatch.setattr(keyed_app, "stop", lambda: stops.append("stopped"))
    monkeypatch.setattr(SeatedApp, "suspend", lambda _app: nullcontext())
    monkeypatch.setattr(SeatedApp, "show_all_again", lambda _app: stops.append("shown"))

    async def steps(app: SeatedApp, hands: Hands, case: tuple[Session, bool, bool]) -> None:
        _session, is_here, asks = case
        app.player_seat.table = cast("HostedTable", object()) if is_here else None
        await hands.type("ctrl+z ctrl+z" if asks else "ctrl+z")
        assert isinstance(app.screen, Confirmation) is asks
        assert stops == ([] if asks else ["stopped", "shown"])
        await hands.type("y" if asks else "")
        assert not isinstance(app.screen, Confirmation), "two keys ask once"
        assert stops == ["stopped", "shown"]
        stops.clear()

    alone = gathered("rbg", "b", seats=seats("rbg", bots="rg"))
    cases = (
        (alone, True, False),
        (gathered("rbg", "b", seats=seats("rbg", bots="rg"), spectators=("Zoe",)), True, True),
        (gathered("rbg", "b", seats=seats("rbg", bots="g")), True, True),
        (gathered("rbg", "b"), False, False),
    )
    run_cases(cases, lambda case: case[0], steps)


@in_app(lambda: SeatedApp(session_at_line(ARCHER)))
async def test_a_terminal_that_cannot_be_left_is_not_stopped(
    app: SeatedApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = list[str]()
    monkeypatch.setattr(keyed_app, "can_stop", lambda _terminal: True)
    monkeypatch.setattr(keyed_app, "stop", lambda: stops.append("stopped"))
    monkeypatch.setattr(app, "show_all_again", lambda: stops.append("shown"))
    # The driver of a test cannot be suspended.
    await hands.type("ctrl+z")
    assert stops == []
