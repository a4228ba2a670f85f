"""The lesson as people run it: killed in the middle, gone on with, and without a screen."""

import json
import os
import re
import signal
import subprocess

from driflamme_tui.alone.guided_game import keep, recall
from tests.driflamme_tui.lessons import learning_at
from tests.support.programs import ENTER, RIGHT, Terminal, begin


def answers() -> int:
    """Return how many answers have been kept."""
    return len(recall().tokens)


def go_on(terminal: Terminal, enough: int) -> None:
    """Do as the tutor says until so many answers are kept, or the lesson is over."""
    for _ in range(4_000):
        shown = terminal.look()
        if answers() >= enough or recall().finished:
            return
        suggested = re.search(r"Press (\S+), then Enter", shown)
        if "Enter goes on" in shown:
            terminal.press(ENTER)
        elif suggested is not None:
            terminal.press(suggested[1])
            terminal.look()
            terminal.press(ENTER)
        elif "Your choice" in shown or "Enter confirm" in shown:
            terminal.press(RIGHT)
            terminal.look()
            terminal.press(ENTER)
    raise AssertionError(terminal.screen.text())


def test_a_lesson_that_was_killed_goes_on_and_is_finished() -> None:
    begun = learning_at(49)
    keep(begun)
    terminal = Terminal("learn", "--no-animation", "--pace", "0")
    go_on(terminal, 50)
    os.kill(terminal.pid, signal.SIGKILL)
    os.waitpid(terminal.pid, 0)
    kept = recall()
    assert kept.tokens[: len(begun.tokens)] == begun.tokens
    assert len(kept.tokens) >= 50
    terminal = Terminal("learn", "--no-animation", "--pace", "0")
    go_on(terminal, 1_000)
    assert recall().tokens[: len(kept.tokens)] == kept.tokens
    assert recall().told[: len(kept.told)] == kept.told
    terminal.until("what you know now")
    terminal.press(ENTER)
    terminal.until("Now you know the game")
    terminal.press("\x1b[B")
    terminal.until("▸ Host a table")
    terminal.press("\x1b[B")
    terminal.until("▸ To the start")
    terminal.press(ENTER)
    terminal.until("Learn the game")
    terminal.press("\x1b")
    assert terminal.end() == 0


def test_the_whole_lesson_line_by_line() -> None:
    with begin("learn", "--plain", stdin=subprocess.PIPE, stderr=None) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told = []
        for line in process.stdout:
            told.append(line.rstrip())
            if line.startswith("1. "):
                # What is declined is followed by what is not.
                process.stdin.write("1\n2\n3\n4\n5\n6\n7\n")
                process.stdin.flush()
            elif line.startswith("Next, play against bots"):
                process.stdin.write("quit\n")
                process.stdin.flush()
        assert process.wait() == 0
    assert recall().finished
    assert json.dumps(told).count("Now you have met all ten cards") == 1
