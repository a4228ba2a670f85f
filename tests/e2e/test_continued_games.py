"""Tests that a game against bots continues after any end of the program, such as a kill."""

import os
import re
import signal
import sqlite3
import subprocess
from contextlib import closing, suppress
from random import Random
from typing import Final, NamedTuple

import pytest

from engine.record import Record, replay
from netcode.storage.database import default_path, open_reading
from netcode.storage.history import History
from netcode.storage.solo_store import SoloStore, has_unfinished_game
from netcode.table.snapshot import KeptGame
from tests.e2e.test_plain import player
from tests.support.programs import ENTER, PATIENCE, RIGHT, Terminal, begin, run

PLAY: Final = ("play", "--plain", "--name", "Ada")
NEW: Final = (*PLAY, "--restart", "--bots", "2:novice", "--pace", "0")
NEW_ON_SCREEN: Final = ("play", "--restart", "--bots", "2:novice", "--pace", "0", "--name", "Ada")
OVER: Final = "Everything is laid open"
HAND: Final = 7
CONTROL_C, CONTROL_Q, ESCAPE = "\x03", "\x11", "\x1b"
GOES_ON: Final = "You resume your unfinished game."


class Killed(NamedTuple):
    """The output of a program until the moment at which it was killed."""

    answers: int
    """Number of printed events that only the player's answers cause."""
    is_over: bool


def killed(rng: Random, *arguments: str, after: int | None = None) -> Killed:
    """Answer at random, kill the program, and return its output.

    The program is killed at the end of a game, or after `after` characters of output. If `after` is
    None, it is killed at its first question.
    """
    printed, questions = "", 0
    with begin(*arguments, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        output = process.stdout.fileno()
        while after is None or len(printed) < after:
            content = os.read(output, 64 if after is None else min(64, after - len(printed)))
            if not content:
                break
            printed += content.decode("utf-8", "replace")
            if printed.count("\n1. ") > questions:
                if after is None:
                    break
                questions += 1
                process.stdin.write(f"{rng.randint(1, 2)}\n")
                process.stdin.flush()
            if OVER in printed:
                break
        process.send_signal(signal.SIGKILL)
        printed += process.stdout.read()
    # Count only events after the first question: before it, a program prints earlier events again.
    since = printed.partition("\n1. ")[2]
    return Killed(len(re.findall(r"^You (put|leave|reveal) ", since, re.M)), OVER in printed)


def stored() -> KeptGame | None:
    if not has_unfinished_game():
        return None
    store = SoloStore.open()
    found = store.load_unfinished()
    store.close()
    return None if found is None else found[1].game


def answers_in(game: KeptGame) -> int:
    """Return the number of the player's answers in a stored game."""
    record = Record.from_json(game.record)._replace(actions=game.actions)
    mine = next(place for place, each in enumerate(record.players) if each.bot is None)
    return sum(step.before.turn == mine for step in replay(record))


def has_stored_table() -> bool:
    """Return True if the database has a table, even of a running program."""
    with suppress(sqlite3.Error), closing(open_reading(default_path())) as database:
        return bool(database.execute("SELECT count(*) FROM games").fetchone()[0])
    return False


def check_moments(seed: int, moments: int) -> None:
    """Kill a program at random moments; the next one must continue at the last answer."""
    rng, before, continued, finished = Random(seed), None, 0, 0
    for _ in range(moments):
        arguments = NEW if before is None else PLAY
        shown = killed(rng, *arguments, after=rng.randint(300, 6000))
        now, over, finished = stored(), finished, len(finished_games())
        if now is None:
            # Either the game is over, perhaps just before it was printed, or nobody had answered.
            assert over < finished or not (shown.answers or before)
        elif before is not None:
            continued += 1
            assert now.record == before.record, "nobody has other cards"
            assert now.actions[: len(before.actions)] == before.actions, "no answer is lost"
            assert answers_in(now) >= answers_in(before) + shown.answers, "what was told is stored"
        else:
            assert answers_in(now) >= shown.answers
        before = now
    assert continued >= moments // 3
    if before is not None:
        shown, now = killed(rng, *PLAY), stored()
        if now is None:
            assert finished < len(finished_games())
        else:
            # Bots may have acted until the player's question, but the player has not answered it.
            assert now.record == before.record
            assert now.actions[: len(before.actions)] == before.actions, "no answer is lost"
            assert answers_in(now) == answers_in(before), "no answer is given again"


def test_a_killed_game_goes_on_at_the_last_acknowledged_answer() -> None:
    check_moments(1, 8)


@pytest.mark.long
def test_a_game_goes_on_that_was_killed_at_fifty_moments() -> None:
    check_moments(2, 50)


def finished_games() -> list[object]:
    """Return the games in the history; [] without a database."""
    if not default_path().exists():
        return []
    with History.open(default_path(), reading=True) as history:
        return [*history.games()]


def shown_hand(terminal: Terminal) -> int:
    """Return the number of cards that the heading of the hand shows; `HAND` if it has no number."""
    found = re.search(r"HAND (\d)", terminal.screen.text())
    return int(found[1]) if found else HAND


def stored_hand(game: KeptGame) -> int:
    """Return the number of cards in the player's hand in a stored game."""
    record = Record.from_json(game.record)._replace(actions=game.actions)
    mine = next(place for place, each in enumerate(record.players) if each.bot is None)
    return len([step.after for step in replay(record)][-1].hands[mine])


def check_screens(seed: int, moments: int) -> None:
    """Kill the full-screen program at random moments, and continue from the start screen."""
    rng, before, finished = Random(seed), None, 0
    for _ in range(moments):
        terminal = Terminal(*NEW_ON_SCREEN) if before is None else Terminal()
        if before is not None:
            terminal.until("a Resume your game")
            terminal.press("a")
        terminal.until("YOUR [A-Z]|v result")
        for _ in range(rng.randint(0, 6)):
            for key in (RIGHT, ENTER, "!", ENTER)[: rng.randint(1, 4)]:
                terminal.press(key)
                for _ in range(rng.randint(0, 5)):
                    terminal.take(0.02)
        os.kill(terminal.pid, signal.SIGKILL)
        hand = shown_hand(terminal)
        terminal.close()
        now = stored()
        if before is not None and now is not None:
            assert now.record == before.record
            assert now.actions[: len(before.actions)] == before.actions
        if now is not None and now.actions:
            assert stored_hand(now) <= hand, "what the screen has shown is stored"
        over, finished = finished, len(finished_games())
        assert now is not None or over < finished or hand >= HAND - 1, "a game is not lost"
        before = now


def test_a_killed_screen_goes_on_from_the_start_screen() -> None:
    check_screens(3, 3)


@pytest.mark.long
def test_screens_that_were_killed_at_fifty_moments_go_on() -> None:
    check_screens(4, 50)


def test_a_game_that_was_killed_before_the_first_answer_has_the_same_cards() -> None:
    with player(*NEW) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if line.startswith("1. "))
        for _ in range(PATIENCE):
            if has_stored_table():
                break
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
        process.send_signal(signal.SIGKILL)
    dealt = stored()
    killed(Random(3), *PLAY, after=3000)
    now = stored()
    assert dealt is not None
    assert now is not None
    assert now.record == dealt.record
    assert now.actions[: len(dealt.actions)] == dealt.actions
    assert len(now.actions) > len(dealt.actions)


def test_a_new_game_leaves_the_unfinished_one_and_programs_begin_their_own() -> None:
    killed(Random(4), *NEW, after=3000)
    assert has_unfinished_game()
    assert GOES_ON not in run(*PLAY, "--restart").stdout
    assert GOES_ON not in run("play", "--json", "--name", "Ada").stdout
    assert GOES_ON in run(*PLAY).stdout


def test_the_same_command_resumes_the_game_and_another_leaves_it_alone() -> None:
    killed(Random(4), *NEW, after=3000)
    assert GOES_ON in run(*PLAY, "--bots", "2:novice").stdout
    refused = run(*PLAY, "--bots", "3:novice")
    assert "other bots or rules" in refused.stdout + refused.stderr
    assert refused.returncode != 0
    assert GOES_ON in run(*PLAY).stdout


def test_an_unfinished_game_is_no_table_to_resume_as_a_host() -> None:
    killed(Random(5), *NEW, after=3000)
    assert has_unfinished_game()
    done = run("host", "--resume", "--headless")
    assert (
        "There is no unfinished table on this machine: open a new one with driflamme host."
        in done.stdout + done.stderr
    )


@pytest.mark.parametrize("way", ["closed", "interrupted", "left"])
def test_the_start_screen_offers_the_game_first(way: str) -> None:
    terminal = Terminal(*NEW_ON_SCREEN)
    terminal.until("YOUR TURN")
    terminal.until("Round 2", (RIGHT, ENTER, "!", ENTER))
    if way == "closed":
        terminal.hang_up()
    else:
        terminal.press({"interrupted": CONTROL_C, "left": "q"}[way])
        terminal.until("game is kept")
        if way == "interrupted":
            # Press Ctrl-Q: the same key again might count as held down.
            terminal.press(CONTROL_Q)
        else:
            terminal.press("y")
            terminal.until("a Resume your game")
            terminal.press(ESCAPE)
        terminal.end()
    again = Terminal()
    again.until("a Resume your game +against bots")
    again.press("a")
    again.until("Round 2")
    again.until("YOUR TURN|Influence")
    again.hang_up()
    assert finished_games() == [], "an unfinished game is no past game"
