"""The program as people run it: processes, a real terminal, and what they print and return."""

import asyncio
import signal
import socket

from netcode.client.connectors import Plain, connector
from netcode.transport.address import Address
from tests.e2e.test_network import Person
from tests.support.programs import ENTER, HERE, RIGHT, Terminal, nobody_at, run, serving


def test_a_table_in_a_terminal_is_answered_by_keys_left_and_out() -> None:
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
    terminal.press(ENTER)
    terminal.until("PLACE YOUR|Round [2-6]|YOUR TURN")
    terminal.until("Play against bots", ["q", "y"])
    terminal.press("\x1b")
    assert terminal.end() == 0
    assert "Traceback" not in terminal.written


def test_whatever_stands_in_the_way_of_a_table_is_one_sentence() -> None:
    with nobody_at() as nobody, socket.create_server(("127.0.0.1", 0)) as used:
        taken = used.getsockname()[1]
        terminal = Terminal("join", "--insecure", f"127.0.0.1:{nobody}", "--name", "Ada")
        assert terminal.end() == 2
        assert f"No table is open at 127.0.0.1:{nobody}" in " ".join(terminal.written.split())
        failed = run("host", "--bind", "127.0.0.1", "--port", str(taken))
        assert failed.returncode == 2
        assert f"Port {taken} is in use" in failed.stderr


def test_a_headless_host_serves_a_whole_game_and_closes_when_it_is_told_to() -> None:
    async def play(port: int) -> list[Person]:
        way = connector(Plain(Address("127.0.0.1", port)))
        people = [Person(way, name, players=4, bots=1) for name in ("Ada", "Berta", "Carla")]
        await asyncio.gather(*(person.play() for person in people))
        return people

    with serving("host", "--headless", "--insecure", *HERE, "--pace", "0") as host:
        people = asyncio.run(play(host.port))
        assert all(person.session.view and person.session.view.over for person in people)
        assert host.end(signal.SIGTERM) == 0
        assert host.said.endswith("The table is closed.\n")


def test_a_host_without_a_terminal_is_headless_and_prints_what_others_type() -> None:
    with serving("host", *HERE) as host:
        assert host.end() == 0
        assert host.said.startswith("There is no terminal here, so the table is opened headless.")
        assert host.found(rf"Others join with: driflamme join (driflamme://\S+:{host.port}/\S+)\n")
        assert host.found(r"the spoken code (\w{3}-\w{5})\.\n")
        assert "The first to sit down is the host." in host.said


def test_what_cannot_be_is_one_sentence_and_exit_status_2() -> None:
    for command, said in (
        (("play",), "driflamme play --plain"),
        (("join", "--plain"), "Which table?"),
    ):
        failed = run(*command)
        assert failed.returncode == 2
        assert said in failed.stderr
        assert len(failed.stderr.strip().splitlines()) == 1


def test_without_a_command_and_a_terminal_there_is_help() -> None:
    shown = run()
    assert shown.returncode == 0
    assert "Usage: driflamme" in shown.stdout
