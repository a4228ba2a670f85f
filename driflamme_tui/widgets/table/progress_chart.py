"""Draws a game's steps as a row of cells, and a chart of influence. A click goes to a step."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from rich.cells import cell_len
from textual import events

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.replay.playback import Playback
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import DrawnWidget
from engine.cards import Family
from engine.ranking import owners_of

AXIS_WIDTH: Final = 4
"""Columns before the first value, for the axis."""

LABEL_WIDTH: Final = 6
"""Columns after the lines, for signs and a value."""

LEAST_ROWS: Final = 6
"""Maximum rows of a chart that has no own row for the meaning of its signs."""

BARS: Final = "·▁▂▃▄▅▆▇█"
"""Bars of rising height, from nothing."""
BARS_IN_ASCII: Final = ".12345678"
"""Bars of rising height in ASCII."""

BAR: Final = 0.05
"""The lost chance of victory for each step of a bar's height."""


def column_of(step: int, last: int, width: int) -> int:
    """Return the column of a step in a row of `width` cells; `last` is the last step."""
    return step * (width - 1) // last if last else 0


def step_at(column: int, last: int, width: int) -> int:
    """Return the first step that belongs to a column in a row of `width` cells.

    A column beyond an end counts as that end. `last` is the last step.
    """
    column = max(0, min(width - 1, column))
    return -(-column * last // (width - 1)) if width > 1 else 0


class Scrubbed(DrawnWidget):
    """A widget with a row of steps. Pressing it or dragging along it goes to a step."""

    playback: Playback | None = None
    _dragging = False

    def track(self) -> tuple[int, int]:
        """Return the first column of the steps, and their number of columns.

        Subclasses must override this method.
        """
        raise TypeError("what is scrubbed says where its steps are")

    def holds(self, y: int) -> bool:
        """Return True if a row belongs to the steps. Subclasses must override this method."""
        raise TypeError("what is scrubbed says where its steps are")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to the pressed step, and follow the pointer from then on.

        Outside the steps, do nothing.
        """
        if self.playback is not None and self.holds(event.y):
            self._dragging = True
            self.capture_mouse()
            self._seek(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """While the mouse is dragged, go to the step under the pointer."""
        if self._dragging:
            self._seek(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Stop following the pointer."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _seek(self, x: int) -> None:
        if self.playback is not None:
            left, width = self.track()
            step = step_at(x - left, self.playback.replay.last, width)
            if step != self.playback.step:
                self.post_message(self.Pressed(f"seek({step})"))

    def column(self, step: int) -> int:
        """Return the column of a step."""
        assert self.playback is not None
        left, width = self.track()
        return left + column_of(step, self.playback.replay.last, width)

    def marks(self, playback: Playback, turning: Iterable[int] = ()) -> dict[int, str]:
        """Return the marks of rounds, turning points and eliminations, by column.

        In one column, the mark of a round replaces other marks, and a turning point replaces an
        elimination.
        """
        marked = {self.column(step): self.glyphs.cross for step in playback.replay.eliminations}
        marked |= {self.column(step): "!" for step in turning}
        rounds = enumerate(playback.replay.rounds, 1)
        return marked | {self.column(step): str(number) for number, step in rounds}

    def draw_steps(self, canvas: Canvas, y: int) -> None:
        """Draw the track of the steps, with the present step, the rounds and the eliminations.

        Without a playback, draw nothing.
        """
        playback, glyphs = self.playback, self.glyphs
        if playback is None:
            return
        (left, width), now = self.track(), self.column(playback.step)
        canvas.text(left, y, glyphs.ahead * width, canvas.mute)
        canvas.text(left, y, glyphs.resolved * (now - left + 1), canvas.plain)
        marks = self.marks(playback)
        for x, mark in marks.items():
            canvas.text(x, y, mark, canvas.plain if mark == glyphs.cross else canvas.bold)
        canvas.text(now, y, marks.get(now, glyphs.look), canvas.chosen)


class ProgressChart(Scrubbed):
    """A chart of influence with the present step, and the chances that decisions lost."""

    lost: dict[int, float] | None = None
    """For each step, the chance of victory that its decision lost; None if this is not shown."""

    def track(self) -> tuple[int, int]:
        """Return the columns between the axis and the labels at the end."""
        return AXIS_WIDTH + 1, max(2, self.size.width - AXIS_WIDTH - 1 - LABEL_WIDTH)

    def holds(self, y: int) -> bool:
        """Return True: every row belongs to the chart."""
        return True

    def draw(self, canvas: Canvas) -> None:
        """Draw a title, the lines, below them the rounds, and the meaning of the signs.

        With fewer than four rows, or without a playback, draw nothing.
        """
        playback = self.playback
        if playback is None or canvas.height < 4:
            return
        replay, (left, width) = playback.replay, self.track()
        height = self._draw_title(canvas, len(replay.rounds)) - 2 - (self.lost is not None)
        shown = [replay.pools(step_at(column, replay.last, width)) for column in range(width)]
        final = replay.pools(replay.last)
        # Add up by owner: two players with two families each win by their sums.
        owners = owners_of(replay.record.settings, len(final))
        series = [
            (replay.families[own[0]], [sum(pools[seat] for seat in own) for pools in shown])
            for own in sorted(owners, key=lambda own: -sum(final[seat] for seat in own))
        ]
        top = max(max(values) for _family, values in series)

        def row_of(value: int) -> int:
            return height - (value * (height - 1) + top // 2) // max(1, top)

        for value in (0, top // 2, top):
            canvas.text(1, row_of(value), f"{value:>{AXIS_WIDTH - 1}}", canvas.mute)
        canvas.lines(left - 1, 1, self.glyphs.divider * height, canvas.line)
        now = self.column(playback.step)
        canvas.fill(left, 1, width, height, canvas.mute, " ")
        canvas.lines(now, 1, self.glyphs.divider * height, canvas.choice)
        lines = {family: [row_of(value) for value in values] for family, values in series}
        # Draw the line of the best family last, so that it is on top.
        for family, rows in reversed(lines.items()):
            self._draw_line(canvas, left, family, rows)
        # Mark the family by a sign at each round, for readers who cannot see colours.
        for family, rows in reversed(lines.items()):
            for x in map(self.column, playback.replay.rounds):
                canvas.text(x, rows[x - left], self.glyphs.families[family], canvas.hue(family))
        self._draw_labels(canvas, lines, {family: values[-1] for family, values in series})
        for x, mark in self.marks(playback, playback.turning_points).items():
            canvas.text(x, height + 1, mark, canvas.mute)
        self._draw_lost(canvas, height + 2)
        for row in range(height + 1, height + 2 + (self.lost is not None)):
            canvas.restyle(now, row, 1, canvas.chosen)

    def _draw_title(self, canvas: Canvas, rounds: int) -> int:
        """Draw the title, and the meaning of the signs beside it or in the last row.

        Returns the number of rows above the meaning in the last row, or else the number of all
        rows.
        """
        end = canvas.text(1, 0, _("INFLUENCE OVER THE GAME"), canvas.heading)
        meaning = _(
            "1 to {n}: rounds   {cross}: elimination   !: decisive moment",
            n=rounds,
            cross=self.glyphs.cross,
        )
        beside = canvas.width - 1 - cell_len(meaning)
        if beside > end + 1:
            canvas.text(beside, 0, meaning, canvas.mute)
        elif canvas.height > LEAST_ROWS:
            canvas.text(1, canvas.height - 1, meaning, canvas.mute, canvas.width - 1)
            return canvas.height - 1
        return canvas.height

    def _draw_line(self, canvas: Canvas, x: int, family: Family, rows: Sequence[int]) -> None:
        """Draw a line through one row in each column. In ASCII, draw the family's letter."""
        ink = canvas.hue(family)
        across, upright, rising, falling = "─", "│", "╯╭", "╮╰"
        if not self.glyphs.unicode:
            across = upright = self.glyphs.families[family]
            rising = falling = across * 2
        canvas.text(x, rows[0], across, ink)
        for column, (before, after) in enumerate(pairwise(rows), x + 1):
            canvas.text(column, after, across, ink)
            if before != after:
                corners = rising if after < before else falling
                between = upright * (abs(after - before) - 1)
                canvas.lines(column, min(before, after) + 1, between, ink)
                canvas.text(column, before, corners[0], ink)
                canvas.text(column, after, corners[1], ink)

    def _draw_labels(
        self, canvas: Canvas, lines: Mapping[Family, Sequence[int]], values: Mapping[Family, int]
    ) -> None:
        """Draw, at each line's end, the family's sign, and its value if there is space."""
        ends: dict[int, list[Family]] = {}
        for family, rows in lines.items():
            ends.setdefault(rows[-1], []).append(family)
        for row, here in ends.items():
            x = sum(self.track())
            for family in here:
                x = canvas.text(x, row, self.glyphs.families[family], canvas.hue(family))
            value = str(values[here[0]])
            if len({values[family] for family in here}) == 1 and x + len(value) <= canvas.width:
                canvas.text(x, row, value, canvas.mute)

    def _draw_lost(self, canvas: Canvas, y: int) -> None:
        """Draw a bar for each judged decision. The more the decision lost, the higher the bar.

        While `lost` is None, draw nothing.
        """
        if self.lost is None:
            return
        canvas.text(1, y, "-%", canvas.mute)
        bars = BARS if self.glyphs.unicode else BARS_IN_ASCII
        # Draw the worst step last: several steps may share a column.
        for step, lost in sorted(self.lost.items(), key=lambda each: each[1]):
            bar = min(len(bars) - 1, round(lost / BAR))
            canvas.text(self.column(step), y, bars[bar], canvas.bold)
