"""Arranges the zones of a table in rows, whose sizes the table computes itself."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

Part: TypeAlias = tuple[Widget, int | None]
"""A zone and its columns; None for all columns that other zones of its row leave."""

Row: TypeAlias = tuple[int | None, Sequence[Part]]
"""The height of a row, and its zones from the left. None stands for all rows that the other rows
leave.
"""


class Zones(Layout):
    """Arranges zones in given rows. A zone that is in no row is hidden."""

    name = "zones"
    rows: Sequence[Row] = ()

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Place the zones that are among `children` in this size. Other widgets get no place."""
        return [
            WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, zone)
            for zone, region in self.placed(size)
            if zone in children
        ]

    def placed(self, size: Size) -> Iterator[tuple[Widget, Region]]:
        """Yield each zone with its region in this size."""
        y = 0
        heights = _shared([height for height, _parts in self.rows], size.height)
        for height, (_height, parts) in zip(heights, self.rows, strict=True):
            x = 0
            widths = _shared([width for _zone, width in parts], size.width)
            for width, (zone, _width) in zip(widths, parts, strict=True):
                yield zone, Region(x, y, width, height)
                x += width
            y += height


def _shared(wanted: Sequence[int | None], space: int) -> Iterator[int]:
    """Yield the size of each part in a space: the wanted size, or less if no more is left.

    None gets all that the other parts leave.
    """
    rest = max(0, space - sum(each or 0 for each in wanted))
    for each in wanted:
        part = min(space, rest if each is None else each)
        yield part
        space -= part
