"""Tests that the output to the terminal shows the whole screen, and that it is short."""

import re
from functools import cache
from typing import Final

import pytest
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.driver import Driver
from textual.drivers.headless_driver import HeadlessDriver
from textual.messages import TerminalSupportsSynchronizedOutput
from textual.strip import Strip

from driflamme_tui.drawing.frame_diff import (
    ASK,
    PLAIN,
    TerminalContents,
    change_of_look,
    has_italics,
    look,
)
from engine.views import project, view
from netcode.protocol.messages import Clock, State
from scripts.lib.emulator import Emulator, Look
from tests.support.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    chat_message,
    evening,
    evening_session,
    in_app,
    state,
)

WIDE: Final = (120, 40)
WIDTH: Final = 21

CURSOR_BYTES: Final = 1_300
ACTION_BYTES: Final = 5_200
SECOND_BYTES: Final = 120


class Line(HeadlessDriver):
    """A driver that only records the output."""

    written: list[str]

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.written.append(data)


class WiredApp(SeatedApp):
    """The app at a pretended table, with an emulated terminal."""

    written: list[str]
    emulator: Emulator

    def _build_driver(
        self, headless: bool, inline: bool, mouse: bool, size: tuple[int, int] | None
    ) -> Driver:
        line = Line(self, mouse=mouse, size=size)
        self.written = line.written = []
        assert size is not None
        self.emulator = Emulator(*size)
        self._driver = line
        return line

    def feed_output(self) -> int:
        """Feed new output to the emulated terminal; return its number of bytes."""
        text = "".join(self.written)
        self.written.clear()
        self.emulator.feed(text)
        return len(text.encode())

    def shows_all(self) -> bool:
        """Return True if the emulated terminal shows the text of the screen."""
        self.feed_output()
        return self.rows() == self.emulator.text().split("\n")

    def check(self) -> int:
        """Assert that the emulated terminal shows the screen; return the number of new bytes."""
        sent = self.feed_output()
        for y, strip in enumerate(self.screen._compositor.render_strips()):
            shown = self.emulator.cells[y]
            wanted = row_of(strip.render(self.console), self.emulator.width)
            for x, (here, there) in enumerate(zip(shown, wanted, strict=True)):
                assert seen(here) == seen(there), f"{x}, {y}: {here} is shown instead of {there}"
        return sent


def seen(cell: tuple[str, Look]) -> tuple[str, Look | tuple[int, ...]]:
    """Return the visible part of a cell: its background if it has neither sign nor line."""
    sign, (attributes, _, ground) = cell
    return cell if sign.strip() or attributes & {4, 7, 9} else (" ", ground)


@cache
def row_of(text: str, width: int) -> list[tuple[str, Look]]:
    """Write `text` to an empty terminal of one row; return the row's cells."""
    written = Emulator(width, 1)
    written.feed(text)
    return written.cells[0]


def wired(step: int, viewer: str | None = None) -> WiredApp:
    return WiredApp(evening_session(step, viewer))


def state_at(step: int, viewer: str, first_event: int) -> State:
    """Return the host's State after a step of the evening, with events from `first_event` on."""
    game, events = evening(step)
    seat = game.seat_of(viewer)
    projected = [project(event, seat) for event in events[first_event:]]
    return state(view(game, seat), step + 1, projected, first_event)


@in_app(lambda: wired(EVENING_STEPS // 2, "b"), WIDE)
async def test_a_terminal_shows_the_screen_all_through_a_game(app: WiredApp, hands: Hands) -> None:
    app.check()
    sizes = []
    for step in range(EVENING_STEPS // 2 + 1, EVENING_STEPS + 1):
        await hands.receive(state_at(step, "b", len(app.session.events)))
        # Check at every eighth step: an error would persist, because unchanged rows are not sent
        # again.
        sizes.append(app.check() if step % 8 == 1 else app.feed_output())
    app.check()
    assert sorted(sizes)[len(sizes) // 2] <= ACTION_BYTES / 2
    assert sum(size > ACTION_BYTES for size in sizes) <= len(sizes) / 10


@in_app(lambda: wired(0), WIDE)
async def test_moving_the_cursor_costs_little_and_standing_still_nothing(
    app: WiredApp, hands: Hands
) -> None:
    app.check()
    await hands.press("right")
    app.check()
    for _ in range(7):
        await hands.press("right")
        assert 0 < app.check() <= CURSOR_BYTES
    await hands.receive(chat_message("r: Good evening!"))
    app.check()
    await hands.receive(chat_message("r: Good evening!", "g: Good evening, Rosalind!"))
    assert 0 < app.check() <= CURSOR_BYTES / 2
    app.base.session_changed()
    await hands.pause()
    assert app.check() == 0


@in_app(lambda: wired(0))
async def test_a_second_of_the_clock_costs_next_to_nothing(app: WiredApp, hands: Hands) -> None:
    await hands.receive(Clock(revision=app.session.revision, left_ms=41_000, running=True))
    app.check()
    await hands.wait(1)
    assert 0 < app.check() <= SECOND_BYTES


@in_app(lambda: wired(12))
async def test_after_another_size_all_is_sent_again(app: WiredApp, hands: Hands) -> None:
    app.check()
    # Rows of the old width look unchanged, but a terminal may have lost them.
    for size in (WIDE, (WIDE[0], WIDE[1] + 1), WIDE):
        app.emulator = Emulator(*size)
        await hands.resize_terminal(*size)
        await hands.until(app.shows_all)
        app.check()


@in_app(lambda: wired(0))
async def test_a_terminal_that_answers_late_makes_the_line_slow(
    app: WiredApp, hands: Hands
) -> None:
    app.check()
    await hands.press("right")
    assert ASK not in "".join(app.written), "nobody knows yet whether there are answers"
    app.post_message(TerminalSupportsSynchronizedOutput())
    await hands.press("right")
    assert "".join(app.written).count(ASK) == 1
    judged = []
    for late_s in (0.1, 10, 10):
        answer = TerminalSupportsSynchronizedOutput()
        answer.time += late_s
        app.post_message(answer)
        await hands.pause()
        judged.append(app.terminal.speed.is_slow)
    assert judged == [False, False, True]
    await hands.press("right")
    assert "".join(app.written).count(ASK) == 1, "it is not asked all the time"


def changed(shown: TerminalContents, text: str, style: str = "red on black") -> str:
    """Show a row that contains only this text; return the output."""
    row = Strip([Segment(text, Style.parse(style))]).adjust_cell_length(WIDTH)
    return shown.change([row], ColorSystem.TRUECOLOR)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("soldier here", "soldier there"),
        ("a 漢 b", "a xy b"),
        ("a xy b", "a 漢 b"),
        ("e\u0301tude", "étude"),
        ("            ", "x          x"),
        ("x          x", "            "),
    ],
)
def test_rows_become_what_they_are_to_be(before: str, after: str) -> None:
    terminal, shown = Emulator(WIDTH, 1), TerminalContents()
    for text in (before, after, before):
        terminal.feed(changed(shown, text))
        assert terminal.text() == text.rstrip()
        assert changed(shown, text) == ""


def test_only_what_differs_is_written() -> None:
    shown = TerminalContents()
    for text, style, written in (
        ("The Soldier is here.", "on black", None),
        ("The Soldier is gone.", "on black", "\x1b[1;16H\x1b[40mgon\x1b[m"),
        ("The Soldier is gone.", "bold on black", None),
        ("The Soldier is gone.", "bold on red", None),
        ("The Soldier is gone!", "bold on red", "\x1b[1;20H\x1b[1;41m!\x1b[m"),
        ("A   Soldier is gone?", "bold on red", "\x1b[1;1H\x1b[1;41mA  \x1b[16C?\x1b[m"),
    ):
        sent = changed(shown, text, style)
        assert sent
        assert written in (None, sent)


def test_ink_does_not_matter_where_there_is_no_sign_but_lines_do() -> None:
    shown = TerminalContents()
    changed(shown, "          ", "blue on red")
    assert changed(shown, "          ", "bold green on red") == ""
    assert changed(shown, "  x       ", "green on red") == "\x1b[1;3H\x1b[32;41mx\x1b[m"
    for style in ("underline on red", "strike on red", "reverse green on red", "on black"):
        assert changed(shown, "  x       ", style).endswith("       \x1b[m")


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        ("bold", "dim", "22;2"),
        ("dim", "bold", "22;1"),
        ("bold dim", "bold", "22;1"),
        ("bold", "italic", "22;3"),
        ("underline red", "red reverse", "24;7"),
    ],
)
def test_a_look_follows_another(before: str, after: str, codes: str) -> None:
    one, other = (look(Style.parse(each), ColorSystem.TRUECOLOR) for each in (before, after))
    assert change_of_look(one, other) == f"\x1b[{codes}m"


def test_black_is_never_heavy_where_that_makes_it_grey() -> None:
    black = look(Style(color="#000000", bgcolor="#aaaaaa", bold=True), ColorSystem.STANDARD)
    assert change_of_look(PLAIN, black) == "\x1b[22;30;47m"
    light = look(Style(color="#ff5555", bold=True), ColorSystem.STANDARD)
    assert change_of_look(light, black) == "\x1b[22;22;30;47m"


def codes(text: str) -> set[str]:
    """Return all codes for colours and attributes in the output."""
    return {code for found in re.findall(r"\x1b\[([\d;]*)m", text) for code in found.split(";")}


def italic_row(text: str) -> list[Strip]:
    return [Strip([Segment(text, Style(italic=True))])]


def test_a_terminal_without_italics_is_sent_none() -> None:
    for environment, sent in (
        ({"TERM": "screen"}, False),
        ({"TERM": "screen.xterm-256color"}, False),
        ({"TERM": "screen-256color", "TMUX": "/tmp/tmux"}, True),
        ({"TERM": "xterm-256color"}, True),
    ):
        shown = TerminalContents(italics=has_italics(environment))
        text = shown.change(italic_row("word"), ColorSystem.STANDARD)
        assert ("3" in codes(text)) is sent


def test_a_blank_is_never_italic() -> None:
    emulator = Emulator(12, 1)
    emulator.feed(TerminalContents().change(italic_row("two words"), ColorSystem.STANDARD))
    looks = {sign: attributes for sign, (attributes, _ink, _ground) in emulator.cells[0][:9]}
    assert looks["w"] == {3}
    assert looks[" "] == set()
