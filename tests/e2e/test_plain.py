"""Tests the program as people run it: in real terminals and pipes, with a screen or by lines."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from driflamme_tui.study.guided_game import recall
from tests.support.programs import (
    COMMAND,
    ENTER,
    HERE,
    RIGHT,
    Terminal,
    begin,
    run,
    serving,
)
from tests.support.warm_starts import ROOT, Program, environment

HOST = "host", "--headless", "--insecure", *HERE
ALONE = "play", "--bots", "2:steady", "--seed", "7", "--name", "Ada"

BOT = """
import json, sys
for line in sys.stdin:
    told, say = json.loads(line), None
    if told["type"] == "welcome":
        say = {"type": "set_ready", "ready": True}
    elif told["type"] == "lobby" and told["phase"] == "result":
        say = {"type": "leave"}
    elif told["type"] == "lobby" and told["host"] and told["missing"] is None:
        say = {"type": "start"}
    elif told["type"] == "state" and told["legal"]:
        say = {"type": "act", "action": told["legal"][-1]}
    print(line, end="", file=sys.stderr)
    print(json.dumps(say) if say else "", flush=True)
"""
"""Source of a bot for a separate process: it always gives the last legal answer."""

STAYS = (
    BOT.replace('say = {"type": "leave"}', "pass")
    + """
    if told["type"] == "goodbye":
        break
"""
)
"""Source of a bot that stays until the host closes the table, and then ends at once."""


def joined(
    folder: Path, name: str, *way: str, source: str = BOT, arguments: Sequence[str] = ()
) -> "subprocess.Popen[bytes]":
    """Start a bot in a process of its own, and a client that plays for the bot; return the client.

    A file with the bot's name in `folder` gets the messages that the bot receives.

    Args:
        folder: The folder for the bot's source, records and settings.
        name: The name of the bot and of its player.
        way: Arguments of `join` that lead to the table, such as a link.
        source: The source of the bot.
        arguments: The arguments of the bot's own command line.
    """
    player = folder / f"{name}.py"
    player.write_text(source, encoding="utf-8")
    to_player, to_client = os.pipe(), os.pipe()
    with (folder / name).open("ab") as output:
        subprocess.Popen(
            [sys.executable, str(player), *arguments],
            stdin=to_player[0],
            stdout=to_client[1],
            stderr=output,
        )
    homes = {f"XDG_{each}_HOME": str(folder / f"{name}-{each}") for each in ("DATA", "STATE")}
    client = Program(
        [*COMMAND, "join", "--json", *way, "--name", name],
        cwd=ROOT,
        env=environment() | homes,
        stdin=to_client[0],
        stdout=to_player[1],
    )
    for end in (*to_player, *to_client):
        os.close(end)
    return client


@contextmanager
def player(*arguments: str, **options: Any) -> Iterator["subprocess.Popen[str]"]:
    process = begin(*arguments, **{"stdin": subprocess.PIPE, "stderr": None, **options})
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


class Paper(Terminal):
    """A terminal whose `look` returns the whole output instead of the screen."""

    def look(self) -> str:
        super().look()
        return self.written


def test_programs_of_ten_lines_play_a_game(tmp_path: Path) -> None:
    """Two bots of another program join a real host without a terminal."""
    with serving("host", *HERE, "--pace", "0", "--two") as host:
        assert host.output.startswith("There is no terminal here, so the table is opened headless.")
        assert host.found(r"the spoken code (\w{3}-\w{5})\.\n")
        assert (
            "The first player to sit down chooses the settings and starts the game." in host.output
        )
        running = [joined(tmp_path, name, host.link) for name in ("Ada", "Bo")]
        assert [process.wait() for process in running] == [0, 0]
        assert host.end(signal.SIGTERM) == 0
        assert host.output.endswith("--resume opens it again.\n")
    for name in ("Ada", "Bo"):
        data = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        assert data[0]["type"] == "welcome"
        assert data[-1]["type"] != "lost", "whoever leaves has hung up"
        last = [each for each in data if each["type"] == "state"][-1]
        assert last["view"].split()[2] == "-", "the game is over"
        families = sorted(each["families"] for each in last["standing"])
        assert families == ["by", "rg"]


def test_a_host_by_lines_plays_with_others_and_says_goodbye_when_it_is_told_to_end(
    tmp_path: Path,
) -> None:
    with player("host", "--plain", *HERE, "--name", "Ada", "--bots", "1", "--pace", "0") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines, friend = [], None
        for line in process.stdout:
            lines.append(line.rstrip())
            if line.startswith("Others join with:"):
                friend = joined(tmp_path, "Bo", line.split()[-1], source=STAYS)
            if line.startswith("The game can begin"):
                process.stdin.write("start\n")
            elif re.match(r"1\. ", line):
                process.stdin.write("1\n")
            elif line.startswith("Type ready for another game"):
                process.send_signal(signal.SIGHUP)
            process.stdin.flush()
        assert process.wait() == 0
    assert friend is not None
    assert friend.wait() == 0
    assert json.loads((tmp_path / "Bo").read_text().splitlines()[-1])["type"] == "goodbye"
    said = "\n".join(lines)
    assert re.search(r"spoken code [0-9A-Z]{3}-[0-9A-Z]{5}\.", said)
    opening = lines[: next(at for at, line in enumerate(lines) if line.startswith("Round 1"))]
    assert len(opening) == len({*opening}), "each thing once"
    assert "Round 6 begins" in said


def test_who_joins_is_asked_for_a_name_changes_it_and_comes_back_by_it_without_a_link() -> None:
    with serving(*HOST, "--bots", "2:steady") as host:
        join = "join", "--plain"
        terminal = Paper(*join, "--insecure", f"127.0.0.1:{host.port}")
        terminal.until("Your name at the table")
        terminal.press("Ada\r")
        terminal.until("Type bot")
        terminal.press("name Zoe\r")
        terminal.until("Ada is called Zoe now")
        terminal.press("start\r")
        terminal.until("Round 1 begins")
        terminal.press("\x03")
        terminal.end()
        terminal = Paper(*join)
        terminal.until("You sit at the table as")
        terminal.press("who\r")
        terminal.until("Zoe: ")
        assert "Ada" not in terminal.written
        terminal.press("quit\r")


def test_a_table_in_a_terminal_is_answered_by_keys_left_and_out() -> None:
    terminal = Terminal("play", "--bots", "2", "--pace", "0", "--seed", "7", "--name", "Ada")
    terminal.until("YOUR TURN")
    terminal.press(">")
    terminal.until("Choose a card first")
    terminal.press(RIGHT + ">")
    terminal.until("PLACE YOUR")
    terminal.press("^")
    terminal.until("You can stack only on your own top card")
    terminal.press("?")
    terminal.until("Help: ")
    terminal.until("done", ["?", "i"])
    terminal.press(ENTER)
    terminal.until("PLACE YOUR|Round [2-6]|YOUR TURN")
    terminal.until("Play against bots", ["q", "y"])
    terminal.press("\x1b")
    assert terminal.end() == 0
    assert "Traceback" not in terminal.written


def test_without_a_command_and_a_terminal_there_is_help() -> None:
    shown = run()
    assert shown.returncode == 0
    assert "Usage: driflamme" in shown.stdout


def test_the_whole_lesson_line_by_line() -> None:
    with begin("learn", "--plain", stdin=subprocess.PIPE, stderr=None) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip())
            if line.startswith("1. "):
                # Decline some suggestions before accepting one.
                process.stdin.write("1\n2\n3\n4\n5\n6\n7\n")
                process.stdin.flush()
            elif line.startswith("Next, play against bots"):
                process.stdin.write("quit\n")
                process.stdin.flush()
        assert process.wait() == 0
    assert recall().finished
    assert json.dumps(lines).count("Now you have met all ten cards") == 1
