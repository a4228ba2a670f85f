"""Where the zones of a table stand: in rows, whose sizes the table has worked out by itself."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

Part: TypeAlias = tuple[Widget, int | None]
"""A zone and its columns: None for those that the others of its row leave."""

Row: TypeAlias = tuple[int | None, Sequence[Part]]
"""The height of a row, None for what the others leave, and its zones from the left."""


class Zones(Layout):
    """Has zones stand as they are told to; one that is in no row is not to be seen."""

    name = "zones"
    rows: Sequence[Row] = ()

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Place the zones, in so much room."""
        return [
            WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, zone)
            for zone, region in self.placed(size)
            if zone in children
        ]

    def placed(self, size: Size) -> Iterator[tuple[Widget, Region]]:
        """Yield each zone, and where it stands in so much room."""
        y = 0
        heights = _shared([height for height, _parts in self.rows], size.height)
        for height, (_height, parts) in zip(heights, self.rows, strict=True):
            x = 0
            widths = _shared([width for _zone, width in parts], size.width)
            for width, (zone, _width) in zip(widths, parts, strict=True):
                yield zone, Region(x, y, width, height)
                x += width
            y += height


def _shared(wanted: Sequence[int | None], room: int) -> Iterator[int]:
    """Yield how much each has of some room: what it wants as far as there is any, or the rest."""
    rest = max(0, room - sum(each or 0 for each in wanted))
    for each in wanted:
        part = min(room, rest if each is None else each)
        yield part
        room -= part
