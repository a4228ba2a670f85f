"""Tests the chart of influence over a game, drawn for a game made by hand."""

from types import SimpleNamespace
from typing import Any

import pytest
from textual.geometry import Size

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.table.progress_chart import ProgressChart
from engine.ranking import TWO

RED = [0, 0, 0, 2, 2, 2, 5, 5, 5, 8, 8]
BLUE = [0, 1, 1, 1, 4, 4, 4, 1, 1, 1, 1]
LOST = {2: 0.05, 4: 0.4, 7: 0.0}


class Chart(ProgressChart):
    """A chart of a size, which stands on no screen."""

    size = Size(34, 9)

    def __init__(self, glyphs: Glyphs = UNICODE, step: int = 5, *, two: bool = False) -> None:
        super().__init__()
        self.signs = glyphs
        playback: Any = SimpleNamespace(
            step=step,
            turning_points={6: None},
            replay=SimpleNamespace(
                pools=lambda at: (RED[at], BLUE[at], 1, 2)[: 4 if two else 2],
                last=len(RED) - 1,
                rounds=(0, 5),
                eliminations=(3,),
                families="rbgy"[: 4 if two else 2],
                record=SimpleNamespace(settings={TWO: two}),
            ),
        )
        self.playback = playback

    @property
    def glyphs(self) -> Glyphs:
        return self.signs

    def canvas(self, height: int = 9) -> Canvas:
        canvas = Canvas(self.size.width, height, "table", self.glyphs)
        self.draw(canvas)
        return canvas


def rows(canvas: Canvas) -> list[str]:
    return ["".join(piece.text for piece in strip).rstrip() for strip in canvas.strips()]


PLAIN = """\
 INFLUENCE OVER THE GAME
   8│           │      ╭────▲8
    │           │      │
   4│       ╭───●╭─────╯
    │       │   ││ │
    │ ╭───╭─────▲╯ ╰────────●1
   0│▲────╯     │
     1     ✕    2 !
 1 to 2: rounds   ✕: elimination …"""

JUDGED = """\
 INFLUENCE OVER THE GAME
   8│           │      ╭────▲8
    │           │╭─────╯
   4│       ╭───●│─╮
    │ ╭───╭─────▲╯ ╰────────●1
   0│▲────╯     │
     1     ✕    2 !
 -%      ▁   █      ·
 1 to 2: rounds   ✕: elimination …"""

IN_ASCII = """\
 INFLUENCE OVER THE GAME
   8|           |      rrrrrr8
    |           |rrrrrrr
   4|       bbbbbrbb
    | bbbbrrrrrrrr bbbbbbbbbb1
   0|rrrrrr     |
     1     x    2 !
 -%      1   8      .
 1 to 2: rounds   x: elimination ~"""

FOR_TWO = """\
 INFLUENCE OVER THE GAME
   9│           │      ╭────▲9
    │           │      │
    │       ╭───●╭─────╯
   4│ ╭───╭─────▲╯ ╰────────●3
    │▲────╯     │
   0│           │
     1     ✕    2 !
 1 to 2: rounds   ✕: elimination …"""

LOW = """\
 INFLUENCE OVER THE GAME
   8│           │      ╭────▲8
   4│       ╭───●╭─────╯
    │     ╭─────▲╯ │
   0│▲────╯─╯   │  ╰────────●1
     1     ✕    2 !"""


@pytest.mark.parametrize(
    ("glyphs", "lost", "height", "drawn"),
    [
        (UNICODE, None, 9, PLAIN),
        (UNICODE, LOST, 9, JUDGED),
        (ASCII, LOST, 9, IN_ASCII),
        (UNICODE, None, 6, LOW),
        (UNICODE, None, 3, ""),
    ],
)
def test_lines_of_influence_have_rounds_eliminations_and_lost_chances_below(
    glyphs: Glyphs, lost: dict[int, float] | None, height: int, drawn: str
) -> None:
    chart = Chart(glyphs)
    chart.lost = lost
    assert "\n".join(rows(chart.canvas(height))).rstrip() == drawn


def test_the_sum_of_a_player_with_two_families_is_one_line() -> None:
    assert "\n".join(rows(Chart(two=True).canvas())) == FOR_TWO


@pytest.mark.parametrize("step", [0, 5, 10])
def test_the_present_step_is_marked_below_the_lines(step: int) -> None:
    chart = Chart(step=step)
    canvas = chart.canvas()
    marked = [
        (x, y)
        for y, strip in enumerate(canvas.strips())
        for x, piece in enumerate(piece for piece in strip for _ in piece.text)
        if piece.style == canvas.chosen
    ]
    assert marked == [(chart.column(step), 7)]
