"""The program as people run it: processes, a real terminal, and what they print and return."""

from tests.support.programs import ENTER, RIGHT, Terminal, nobody_at, run


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
    with nobody_at() as nobody:
        terminal = Terminal("join", "--insecure", f"127.0.0.1:{nobody}", "--name", "Ada")
        assert terminal.end() == 2
        assert f"No table is open at 127.0.0.1:{nobody}" in " ".join(terminal.written.split())


def test_without_a_command_and_a_terminal_there_is_help() -> None:
    shown = run()
    assert shown.returncode == 0
    assert "Usage: driflamme" in shown.stdout
