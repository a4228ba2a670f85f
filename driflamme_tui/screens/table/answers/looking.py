"""Lets a reader look at cards and players without choosing one, by mouse or arrow keys."""

from collections.abc import Callable

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import Cursor
from engine.cards import Seat
from engine.position import cards_in
from engine.views import View


def zones_of(view: View, you: Seat | None) -> list[list[Cursor]]:
    """Return groups of cards and players to look at. No group is empty.

    `you` is the seat whose hand is shown.
    """
    zones = [
        [Cursor(index) for index in range(len(view.queue))],
        [Cursor(card=card) for card in (view.hands[you] if you is not None else "")],
        [Cursor(card=card) for card in (view.aside[you] if you is not None else "")],
        [Cursor(seat=seat) for seat in range(view.players)],
    ]
    return [zone for zone in zones if zone]


class Looking:
    """The card or player under the mouse, or in looking mode at the cursor of the arrow keys."""

    def __init__(self, zones: Callable[[], list[list[Cursor]]]) -> None:
        """Start without a cursor. `zones` returns groups of possible cursors; no group is empty."""
        self.cursor: Cursor | None = None
        """The present card or player; None without one."""
        self.on = False
        """True in looking mode: the arrow keys then only move the cursor."""
        self._zones = zones

    def point(self, cursor: Cursor | None) -> None:
        """Look at the thing under the mouse, except in looking mode."""
        if not self.on:
            self.cursor = cursor

    def toggle(self, view: View) -> None:
        """Start or stop looking mode. Start at the card that is being resolved.

        If no card is being resolved, start at the first card or player.
        """
        zones = self._zones()
        self.on, self.cursor = not self.on and bool(zones), None
        if self.on:
            at = min(view.at, len(view.queue) - 1)
            self.cursor = Cursor(at) if at >= 0 else zones[0][0]

    def along(self, by: int, *, mirrored: bool) -> None:
        """Look at the thing `by` places further in its zone, in the order on the screen.

        After the last thing follows the first. Without a cursor, do nothing.

        With `mirrored`, the Queue is shown from right to left.
        """
        if self.cursor is not None:
            zone, whole = self._zone(), replace(self.cursor, depth=0)
            by = -by if mirrored and self.cursor.index >= 0 else by
            self.cursor = zone[(zone.index(whole) + by) % len(zone)]

    def edge(self, index: int) -> None:
        """Look at the first card of the zone; with -1, at the last."""
        self.cursor = self._zone()[index]

    def next_zone(self) -> None:
        """Go to the first card or player of the next zone. The first zone follows the last."""
        zones, zone = self._zones(), self._zone()
        now = zones.index(zone) if zone in zones else -1
        self.cursor = zones[(now + 1) % len(zones)][0]

    def depth(self, by: int, view: View) -> None:
        """Look `by` cards deeper in a stack, or higher if `by` is negative. Stop at both ends."""
        cursor = self.cursor
        if cursor is not None and 0 <= cursor.index < len(view.queue):
            deepest = len(cards_in(view.queue[cursor.index])) - 1
            self.cursor = Cursor(cursor.index, max(0, min(deepest, cursor.depth + by)))

    def _zone(self) -> list[Cursor]:
        """Return the zone of the cursor, regardless of its depth in a stack."""
        assert self.cursor is not None
        whole = replace(self.cursor, depth=0)
        return next((zone for zone in self._zones() if whole in zone), [whole])
