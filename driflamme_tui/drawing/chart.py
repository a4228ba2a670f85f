"""A chart of influence over a game, as rows of cells; it knows neither screen nor colours."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from driflamme_tui.text.signs import Glyphs

ChartCell = tuple[str, str]
"""A character, and the family that it is drawn for; "" for none."""

EMPTY: Final[ChartCell] = (" ", "")
"""A cell on which nothing is drawn."""

AXIS_WIDTH: Final = 4
"""Columns left of the first value, for the numbers of the axis and a line."""


def level(value: int, top: int, height: int) -> int:
    """Return the row, from the top, of a value between 0 and `top` in so many rows."""
    return height - 1 - (value * (height - 1) + top // 2) // max(1, top)


def chart(
    series: Sequence[tuple[str, Sequence[int]]], height: int, step: int, glyphs: Glyphs
) -> list[list[ChartCell]]:
    """Return the chart of some families' influence.

    Every value has its family's sign in its place, beside others that are as high, so that lines
    can be told apart without colour. After the last value stands what it is.

    Args:
        series: A family and its values, the best family first; its line is drawn over the others.
        height: Rows.
        step: Columns from one value to the next; more than there are families.
        glyphs: The signs; in ASCII a line is the family's letter, repeated.
    """
    top = max((max(values) for _family, values in series), default=0)
    points = len(series[0][1]) if series else 0
    width = AXIS_WIDTH + (points - 1) * step + 1 if points else AXIS_WIDTH
    rows = [[EMPTY] * width for _ in range(height)]
    for row in rows:
        row[AXIS_WIDTH - 1] = (glyphs.divider, "")
    for value in (0, top // 2, top):
        for column, digit in enumerate(f"{value:>{AXIS_WIDTH - 1}}"):
            rows[level(value, top, height)][column] = (digit, "")
    for family, values in reversed(series):
        levels = [level(value, top, height) for value in values]
        for point in range(points - 1):
            left = AXIS_WIDTH + point * step
            _join(rows, levels[point], levels[point + 1], left, step, family, glyphs)
    for point in range(points):
        column = AXIS_WIDTH + point * step
        for at in range(height):
            here = [
                (family, values[point])
                for family, values in series
                if level(values[point], top, height) == at
            ]
            if point == points - 1:
                rows[at][column:] = _labels(here, glyphs) or rows[at][column:]
                continue
            for beside, (family, _value) in enumerate(here):
                rows[at][column + beside] = (glyphs.families[family], family)
    return rows


def lines(
    series: Sequence[tuple[str, Sequence[int]]], height: int, glyphs: Glyphs
) -> list[list[ChartCell]]:
    """Return a line for each family through its values, a column each; the first lies on top."""
    top = max(max(values) for _family, values in series)
    rows = [[EMPTY] * len(series[0][1]) for _ in range(height)]
    for family, values in reversed(series):
        levels = [level(value, top, height) for value in values]
        rows[levels[0]][0] = ("─" if glyphs.unicode else glyphs.families[family], family)
        for left, (before, after) in enumerate(pairwise(levels)):
            _join(rows, before, after, left, 1, family, glyphs)
    return rows


def _labels(here: Sequence[tuple[str, int]], glyphs: Glyphs) -> list[ChartCell]:
    """Return the signs, and behind those that are equal their value."""
    cells: list[ChartCell] = []
    for index, (family, value) in enumerate(here):
        cells.append((glyphs.families[family], family))
        if index + 1 == len(here) or here[index + 1][1] != value:
            cells += [(sign, "") for sign in f" {value} "]
    return cells


def _join(
    rows: list[list[ChartCell]],
    before: int,
    after: int,
    left: int,
    step: int,
    family: str,
    glyphs: Glyphs,
) -> None:
    """Draw a line from behind one value, at `left`, to the next; it turns half-way."""
    turn = left + (step + 1) // 2
    across, upright, corners = "─", "│", "╯╭" if after < before else "╮╰"
    if not glyphs.unicode:
        across = upright = glyphs.families[family]
        corners = across * 2
    for column in range(left + 1, turn):
        rows[before][column] = (across, family)
    for column in range(turn, left + step + 1):
        rows[after][column] = (across, family)
    if before == after:
        return
    for row in range(min(before, after) + 1, max(before, after)):
        rows[row][turn] = (upright, family)
    rows[before][turn] = (corners[0], family)
    rows[after][turn] = (corners[1], family)
