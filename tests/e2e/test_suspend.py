"""Tests Ctrl-Z in real terminals: the shell gets the terminal, and fg resumes the program."""

import shlex
import shutil
import sys
from typing import cast

import pytest

from driflamme_tui.screens.base.overlay import Confirmation
from tests.support.by_hand import ARCHER
from tests.support.programs import COMMAND, Terminal
from tests.support.scenes import hosting
from tests.support.tables import Hands, SeatedApp, in_app, session_at_line

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
