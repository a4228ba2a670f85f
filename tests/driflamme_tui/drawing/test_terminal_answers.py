"""Tests that the app queries the terminal once, waits briefly, and takes no answer for typing."""

import os
import pty
import termios
from collections.abc import Iterator
from threading import Thread

import pytest

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.drawing.terminal_answers import (
    LATE_ANSWER,
    QUESTION,
    SIGNS,
    Answers,
    can_answer,
    parse_answers,
    prepare,
    terminal_query,
)
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.text.signs import ASCII, UNICODE

KIND = "\x1b[?62;4c"
NARROW, WIDE = f"\x1b[7;{len(SIGNS) + 1}R", f"\x1b[7;{2 * len(SIGNS) + 1}R"
LIGHT, DARK = "\x1b]11;rgb:ffff/fafa/e0e0\x1b\\", "\x1b]11;rgb:00/2b/36\a"
COLOURS = "\x1b]4;255;rgb:eeee/eeee/eeee\x1b\\"


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("", Answers()),
        (KIND, Answers()),
        (NARROW + DARK + KIND, Answers()),
        (WIDE + KIND, Answers(is_wide=True)),
        (NARROW + LIGHT + COLOURS + KIND, Answers(is_light=True, has_256=True)),
        (f"q{WIDE}\r{LIGHT}", Answers(is_wide=True, is_light=True)),
        ("\x1b]11;rgba:ffff/ffff/ffff/0000\x1b\\", Answers(is_light=True)),
        ("\x1b]11;rgb:zz\x1b\\\x1b[;R", Answers()),
    ],
)
def test_answers_are_understood_and_anything_else_is_as_usual(text: str, answers: Answers) -> None:
    assert parse_answers(text) == answers


@pytest.mark.parametrize(
    ("text", "colours", "is_light"),
    [
        (KIND, "0;default;15", True),
        (KIND, "0;15", True),
        (KIND, "15;0", False),
        (KIND, "7", True),
        (DARK + KIND, "0;15", False),
        (LIGHT + KIND, "15;0", True),
    ],
)
def test_an_answer_counts_more_than_a_variable(text: str, colours: str, is_light: bool) -> None:
    assert parse_answers(text, colours).is_light is is_light


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("answer", [WIDE + LIGHT + KIND, WIDE + LIGHT, ""])
def test_a_terminal_is_asked_and_is_as_before(ends: tuple[int, int], answer: str) -> None:
    ours, theirs = ends
    before = termios.tcgetattr(theirs)

    def answering() -> None:
        answers = b""
        while QUESTION.encode() not in answers:
            answers += os.read(ours, 4096)
        os.write(ours, answer.encode())

    terminal = Thread(target=answering)
    terminal.start()
    with terminal_query({"TERM": "xterm"}, theirs, theirs) as answers_of_terminal:
        answers = answers_of_terminal()
    terminal.join()
    assert answers == Answers(is_wide=bool(answer), is_light=bool(answer))
    assert termios.tcgetattr(theirs) == before


def test_keys_that_are_typed_after_the_answers_are_left_to_the_app(ends: tuple[int, int]) -> None:
    ours, theirs = ends
    with terminal_query({"TERM": "xterm"}, theirs, theirs) as answers_of_terminal:
        os.write(ours, (NARROW + KIND + "l>").encode())
        answers = answers_of_terminal()
        assert (answers, os.read(theirs, 10)) == (Answers(), b"l>")


def test_an_error_while_the_program_loads_leaves_the_terminal_as_before(
    ends: tuple[int, int],
) -> None:
    _, theirs = ends
    before = termios.tcgetattr(theirs)
    with pytest.raises(KeyboardInterrupt), terminal_query({"TERM": "xterm"}, theirs, theirs):
        raise KeyboardInterrupt
    assert termios.tcgetattr(theirs) == before


@pytest.mark.parametrize(
    ("environment", "can"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "screen.xterm-256color"}, True),
        ({}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "linux"}, False),
        ({"TERM": "eterm-color"}, False),
        ({"TERM": "xterm-256color", "INSIDE_EMACS": "29.1,vterm"}, False),
    ],
)
def test_a_terminal_that_would_show_the_question_is_not_asked(
    environment: dict[str, str], can: bool
) -> None:
    assert can_answer(environment) is can


@pytest.mark.parametrize("text", [NARROW, WIDE, LIGHT, DARK, COLOURS, KIND])
def test_a_late_answer_is_no_key(text: str) -> None:
    assert LATE_ANSWER.sub("", f"a{text}b") == "ab"
    for typed in ("\x1b[C", "\x1b[A", "\x1b[1;5C", "c", "\x1b[?2026;2$y", "\x1bOR", "\x1b[200~"):
        assert LATE_ANSWER.sub("", typed) == typed


@pytest.mark.parametrize(
    ("environment", "answers", "after"),
    [
        ({"TERM": "xterm"}, Answers(has_256=True), {"TERM": "xterm-256color"}),
        ({"TERM": "xterm"}, Answers(), {"TERM": "xterm"}),
        ({"TERM": "xterm-16color"}, Answers(has_256=True), {"TERM": "xterm-16color"}),
        ({"TERM": "eterm-color"}, Answers(), {"TERM": "eterm-color", "NO_COLOR": "1"}),
    ],
)
def test_colours_are_those_that_the_terminal_has(
    environment: dict[str, str], answers: Answers, after: dict[str, str]
) -> None:
    prepare(environment, answers)
    assert environment == after


def test_themes_and_signs_follow_the_terminal_unless_the_player_has_chosen() -> None:
    heard = Answers(is_wide=True, is_light=True)
    for settings, answers, theme, glyphs in (
        (Settings(), heard, "light", ASCII),
        (Settings(theme="contrast", glyphs="unicode"), heard, "contrast", UNICODE),
        (Settings(theme="dark"), heard, "dark", ASCII),
        (Settings(), Answers(), "dark", UNICODE),
    ):
        app = DriflammeApp(None, settings=settings, answers=answers)
        assert (app.theme, app.terminal.glyphs) == (theme, glyphs)


def background(*parts: str) -> bool:
    """Return True if the terminal's answer with this colour means a light background."""
    return parse_answers(f"\x1b]11;rgb:{'/'.join(parts)}\a").is_light


@pytest.mark.parametrize("digits", [1, 2, 4])
def test_a_background_is_light_above_half_of_the_brightness_however_it_is_written(
    digits: int,
) -> None:
    assert not background(*["7".ljust(digits, "f")] * 3)
    assert background(*["8".ljust(digits, "0")] * 3)
    full, none = "f" * digits, "0" * digits
    assert background(none, full, none), "green alone is bright"
    assert not background(full, none, full)
