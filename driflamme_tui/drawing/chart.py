"""Charts of influence over a game, whose lines can be told apart without colour."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from driflamme_tui.drawing.canvas import Canvas
from engine.cards import Family

Series: TypeAlias = Sequence[tuple[Family, Sequence[int]]]
"""Families and their values, the best family first: its line lies over the others."""

AXIS_WIDTH: Final = 4
"""Columns left of the first value, for the numbers of the axis and a line."""


def level(value: int, top: int, height: int) -> int:
    """Return the row, from the top, of a value between 0 and `top` in so many rows."""
    return height - 1 - (value * (height - 1) + top // 2) // max(1, top)


def highest(series: Series) -> int:
    """Return the largest of all values."""
    return max(max(values) for _family, values in series)


def draw_axis(canvas: Canvas, x: int, y: int, top: int, height: int) -> None:
    """Draw the numbers of an axis in so many rows: none, half and all."""
    for value in (0, top // 2, top):
        number = f"{value:>{AXIS_WIDTH - 1}}"
        canvas.text(x, y + level(value, top, height), number, canvas.mute)


def draw_lines(canvas: Canvas, x: int, y: int, series: Series, height: int, step: int = 1) -> None:
    """Draw a line for each family through its values; in ASCII it is the family's letter."""
    top = highest(series)
    for family, values in reversed(series):
        ink = canvas.hue(family)
        across, upright, rising, falling = "─", "│", "╯╭", "╮╰"
        if not canvas.glyphs.unicode:
            across = upright = canvas.glyphs.families[family]
            rising = falling = across * 2
        rows = [y + level(value, top, height) for value in values]
        canvas.text(x, rows[0], across, ink)
        for point, (before, after) in enumerate(pairwise(rows)):
            # It turns half-way.
            left = x + point * step
            turn = left + (step + 1) // 2
            canvas.text(left + 1, before, across * (turn - left - 1), ink)
            canvas.text(turn, after, across * (left + step + 1 - turn), ink)
            if before != after:
                corners = rising if after < before else falling
                canvas.lines(turn, min(before, after) + 1, upright * (abs(after - before) - 1), ink)
                canvas.text(turn, before, corners[0], ink)
                canvas.text(turn, after, corners[1], ink)
