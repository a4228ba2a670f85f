"""A game's steps in a row of cells, and how influence went over them; a click goes to a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.style import Style
from textual import events
from textual.message import Message

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.chart import AXIS_WIDTH, level, lines
from driflamme_tui.replay.playback import Playback
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.drawn_widget import Drawn

LABEL_WIDTH: Final = 6
"""Columns behind the lines of the chart, for signs and a value."""

BARS: Final = "·▁▂▃▄▅▆▇█"
"""Bars from nothing to all that can be told apart."""
BARS_IN_ASCII: Final = ".12345678"
"""The same bars for terminals without other signs."""

BAR: Final = 0.05
"""The part of the victory that each step of a bar stands for."""


def column_of(step: int, last: int, width: int) -> int:
    """Return the cell, of so many in a row, that a step stands in."""
    return step * (width - 1) // last if last else 0


def step_at(column: int, last: int, width: int) -> int:
    """Return the step that a cell stands for: of several the first one."""
    column = max(0, min(width - 1, column))
    return -(-column * last // (width - 1)) if width > 1 else 0


@dataclass
class Seek(Message):
    """A step was clicked."""

    step: int


class Scrubbed(Drawn):
    """A widget in which a press or a drag along a row of steps goes to one."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.playback: Playback | None = None
        self._dragging = False

    def track(self) -> tuple[int, int]:
        """Return the first column of the steps, and how many columns they have."""
        raise TypeError("what is scrubbed says where its steps are")

    def holds(self, y: int) -> bool:
        """Whether a row belongs to the steps."""
        raise TypeError("what is scrubbed says where its steps are")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to the step that is pressed, and follow the pointer from there."""
        if self.playback is not None and self.holds(event.y):
            self._dragging = True
            self.capture_mouse()
            self._seek(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Go where the pointer is dragged."""
        if self._dragging:
            self._seek(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Follow the pointer no more."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _seek(self, x: int) -> None:
        if self.playback is not None:
            left, width = self.track()
            step = step_at(x - left, self.playback.replay.last, width)
            if step != self.playback.step:
                self.post_message(Seek(step))

    def draw_steps(self, canvas: Canvas, y: int) -> None:
        """Draw a tick a step, rounds by number, eliminations, and where one is."""
        playback, glyphs = self.playback, self.glyphs
        if playback is None:
            return
        left, width = self.track()
        last, now = playback.replay.last, column_of(playback.step, playback.replay.last, width)
        for column in range(width):
            done = column <= now
            sign, ink = (glyphs.resolved, canvas.plain) if done else (glyphs.ahead, canvas.mute)
            canvas.text(left + column, y, sign, ink)
        marks = {column_of(step, last, width): glyphs.cross for step in playback.eliminations}
        for number, step in enumerate(playback.rounds, 1):
            marks[column_of(step, last, width)] = str(number)
        for column, mark in marks.items():
            canvas.text(
                left + column, y, mark, canvas.bold if mark != glyphs.cross else canvas.plain
            )
        canvas.text(left + now, y, marks.get(now, glyphs.look), canvas.chosen)


class ProgressChart(Scrubbed):
    """How everybody's influence went, with a line where one is; and what decisions gave away."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lost: dict[int, float] | None = None
        """By step, the part of the victory that its decision gave away; None to say nothing."""

    def track(self) -> tuple[int, int]:
        """Between the axis and the labels at the end."""
        return AXIS_WIDTH + 1, max(2, self.size.width - AXIS_WIDTH - 1 - LABEL_WIDTH)

    def holds(self, y: int) -> bool:
        """All of it."""
        return True

    def draw(self, canvas: Canvas) -> None:
        """Draw a title, the lines, and under them the rounds."""
        playback, palette = self.playback, canvas.palette
        if playback is None or canvas.height < 4:
            return
        canvas.text(1, 0, _("INFLUENCE OVER THE GAME"), canvas.heading)
        replay = playback.replay
        left, width = self.track()
        height = canvas.height - 2 - (self.lost is not None)
        columns = [step_at(column, replay.last, width) for column in range(width)]
        final = replay.pools(replay.last)
        order = sorted(range(len(final)), key=lambda seat: -final[seat])
        series = [
            (replay.families[seat], [replay.pools(step)[seat] for step in columns])
            for seat in order
        ]
        inks = {family: canvas.hue(family) for family in replay.families}
        top = max(max(values) for _family, values in series)
        for value in sorted({0, top // 2, top}):
            row = 1 + level(value, top, height)
            canvas.text(1, row, f"{value:>{AXIS_WIDTH - 1}}", canvas.mute)
        canvas.lines(left - 1, 1, self.glyphs.divider * height, canvas.line)
        now = column_of(playback.step, replay.last, width)
        here = canvas.ink(palette.choice, bold=True)
        for row, cells in enumerate(lines(series, height, self.glyphs), 1):
            for column, (sign, family) in enumerate(cells):
                if not family and column == now:
                    canvas.text(left + column, row, self.glyphs.divider, here)
                else:
                    canvas.text(left + column, row, sign, inks.get(family, canvas.mute))
        # At each round it is said whose line it is, for whom colours tell nothing.
        for family, values in reversed(series):
            for column in (column_of(step, replay.last, width) for step in playback.rounds):
                row = 1 + level(values[column], top, height)
                canvas.text(left + column, row, self.glyphs.families[family], inks[family])
        self._draw_labels(canvas, series, top, height, inks)
        self._draw_foot(canvas, height + 1)
        self._draw_lost(canvas, height + 2)
        for row in range(height + 1, canvas.height):
            canvas.restyle(left + now, row, 1, canvas.chosen)

    def _draw_labels(
        self,
        canvas: Canvas,
        series: Sequence[tuple[str, Sequence[int]]],
        top: int,
        height: int,
        inks: dict[str, Style],
    ) -> None:
        """Draw, at each line's end, whose it is and what it came to."""
        left, width = self.track()
        ends: dict[int, list[tuple[str, int]]] = {}
        for family, values in series:
            ends.setdefault(level(values[-1], top, height), []).append((family, values[-1]))
        for row, here in ends.items():
            x = left + width
            for family, _value in here:
                x = canvas.text(x, 1 + row, self.glyphs.families[family], inks[family])
            value = str(here[0][1])
            if len({each for _family, each in here}) == 1 and x + len(value) <= canvas.width:
                canvas.text(x, 1 + row, value, canvas.mute)

    def _draw_foot(self, canvas: Canvas, y: int) -> None:
        playback = self.playback
        assert playback is not None
        left, width = self.track()
        last = playback.replay.last
        for step in playback.eliminations:
            canvas.text(left + column_of(step, last, width), y, self.glyphs.cross, canvas.mute)
        for step in playback.turning_points:
            canvas.text(left + column_of(step, last, width), y, "!", canvas.mute)
        for number, step in enumerate(playback.rounds, 1):
            canvas.text(left + column_of(step, last, width), y, str(number), canvas.mute)

    def _draw_lost(self, canvas: Canvas, y: int) -> None:
        """Draw a bar for each decision that was judged: the higher, the more it gave away."""
        playback = self.playback
        if self.lost is None or playback is None:
            return
        left, width = self.track()
        canvas.text(1, y, "-%", canvas.mute)
        worst: dict[int, float] = {}
        for step, lost in self.lost.items():
            column = column_of(step, playback.replay.last, width)
            worst[column] = max(lost, worst.get(column, 0.0))
        bars = BARS if self.glyphs.unicode else BARS_IN_ASCII
        for column, lost in worst.items():
            bar = min(len(bars) - 1, round(lost / BAR))
            canvas.text(left + column, y, bars[bar], canvas.bold)
