"""Looking at cards: at what the mouse points at or, if wanted, at what the arrow keys are on."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import Cursor
from engine.position import cards_in
from engine.view import View

Zones: TypeAlias = list[list[Cursor]]
"""What can be looked at, in groups that are never empty."""


class Looking:
    """What is looked at."""

    def __init__(self, zones: Callable[[], Zones]) -> None:
        """Look at nothing yet; `zones` tells what there is now."""
        self.cursor: Cursor | None = None
        """What is looked at."""
        self.on = False
        """Whether the arrow keys move the cursor, and do nothing else."""
        self._zones = zones

    def point(self, cursor: Cursor | None) -> None:
        """Look at what the mouse is on, unless the keys look around."""
        if not self.on:
            self.cursor = cursor

    def toggle(self, view: View) -> None:
        """Start or stop looking with the arrow keys, at the card that is being resolved."""
        zones = self._zones()
        self.on = not self.on and bool(zones)
        self.cursor = None
        if self.on:
            at = min(view.at, len(view.queue) - 1)
            self.cursor = Cursor(at) if at >= 0 else zones[0][0]

    def along(self, by: int, *, mirrored: bool) -> None:
        """Look at the next card, screen-wise."""
        if self.cursor is not None:
            zone, at = self._zone(), self._zone().index(_whole(self.cursor))
            by = -by if mirrored and self.cursor.index >= 0 else by
            self.cursor = zone[(at + by) % len(zone)]

    def edge(self, index: int) -> None:
        """Look at the first card of the zone, or with -1 at the last."""
        if self.cursor is not None:
            self.cursor = self._zone()[index]

    def next_zone(self) -> None:
        """Go on to the next zone."""
        if self.cursor is not None:
            zones, cursor = self._zones(), _whole(self.cursor)
            now = next((index for index, zone in enumerate(zones) if cursor in zone), -1)
            self.cursor = zones[(now + 1) % len(zones)][0]

    def depth(self, by: int, view: View) -> None:
        """Look a card further down a stack, or further up."""
        cursor = self.cursor
        if self.on and cursor is not None and 0 <= cursor.index < len(view.queue):
            deepest = len(cards_in(view.queue[cursor.index])) - 1
            self.cursor = Cursor(cursor.index, max(0, min(deepest, cursor.depth + by)))

    def _zone(self) -> list[Cursor]:
        assert self.cursor is not None
        cursor = _whole(self.cursor)
        return next((zone for zone in self._zones() if cursor in zone), [cursor])


def _whole(cursor: Cursor) -> Cursor:
    """Return the stack of a cursor that is on one of its covered cards, or the cursor itself."""
    return replace(cursor, depth=0)
