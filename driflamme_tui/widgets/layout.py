"""How the table shares out the screen: sizes of cards and heights of zones.

One unbroken row of small cards is better than two rows of big ones, since adjacency is the
game; only when the smallest cards overflow a row is the Queue broken into rows. Sizes are
chosen for all the cards that may still come in a phase, so that nothing shifts under the hand
of somebody who is choosing.
"""

from dataclasses import dataclass, replace
from typing import Final

from engine.cards import HAND

MINIMUM_WIDTH: Final = 80
MINIMUM_HEIGHT: Final = 24

HEADER: Final = 1
PROMPT: Final = 3
KEYS: Final = 1
HAND_TITLE: Final = 1
RAIL: Final = 1

HAND_MARGIN: Final = 3
"""Columns of the hand beside its cards."""
HELP_WIDTH: Final = 30
"""Columns that the help beside the hand keeps, however large the cards."""
EVENTS: Final = 3
"""Rows that the events keep before the cards of the hand may be larger than the smallest."""

WIDE: Final = 120
"""From here on, what is publicly known stands beside the events."""
TALL: Final = 32
"""From here on, zones have air between them and seats a fourth row."""


@dataclass(frozen=True, slots=True)
class CardSize:
    """One size of card."""

    name: str
    width: int
    """Of the card itself."""
    height: int
    pitch: int
    """From one card to the next."""


FULL: Final = CardSize("full", 11, 8, 12)
COMPACT: Final = CardSize("compact", 9, 6, 9)
MINIMAL: Final = CardSize("minimal", 6, 4, 6)
MICRO: Final = CardSize("micro", 6, 3, 6)

SIZES: Final = (FULL, COMPACT, MINIMAL)
"""From the largest; micro is for a Queue of several rows, where there is no room for more."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything goes on a screen of one size, for a Queue of up to so many stacks."""

    width: int
    height: int
    card: CardSize
    per_row: int
    """Stacks in one row of the Queue."""
    rows: int
    tabs: int
    """Rows for the covered cards that hang under each row of stacks."""
    hand_card: CardSize
    air: int
    """Empty rows between zones."""
    seats: int
    """Rows for the players."""

    @property
    def queue_height(self) -> int:
        """Rows of the Queue with its rail and tabs."""
        return self.rows * self.row_height

    @property
    def row_height(self) -> int:
        """Rows of one row of stacks."""
        return RAIL + self.card.height + self.tabs

    @property
    def hand_height(self) -> int:
        """Rows of the hand, which are those of the help beside it."""
        return HAND_TITLE + self.hand_card.height

    @property
    def events_height(self) -> int:
        """Rows that are left for the events."""
        fixed = HEADER + self.seats + self.queue_height + PROMPT + self.hand_height + KEYS
        return max(0, self.height - fixed - 3 * self.air)


def fit(width: int, height: int, stacks: int, tallest: int) -> Layout:
    """Return the layout for a Queue of up to `stacks` stacks, up to `tallest` cards high."""
    tall = height >= TALL
    air = 1 if tall else 0
    seats = 4 if tall else 3
    stacks = max(1, stacks)
    queue_rows = _rows_for_queue(height)
    needed = max(2, tallest - 1)
    used = max(1, tallest - 1)
    for size in SIZES:
        room = queue_rows - RAIL - size.height
        if stacks * size.pitch <= width - 2 and (room >= needed or (size is MINIMAL and room >= 1)):
            return _with_hand(
                Layout(width, height, size, stacks, 1, min(used, room), MINIMAL, air, seats)
            )
    per_row = max(1, (width - 2) // MICRO.pitch)
    rows = -(-stacks // per_row)
    even = -(-stacks // rows)
    spare = height - (HEADER + seats + PROMPT + HAND_TITLE + MINIMAL.height + KEYS + 3 * air)
    hand = MINIMAL
    room = (spare - EVENTS) // rows - RAIL - MINIMAL.height
    if room >= 1:
        return Layout(width, height, MINIMAL, even, rows, min(used, room), MINIMAL, air, seats)
    room = spare // rows - RAIL - MICRO.height
    if room < 0:
        hand = MICRO
        room = 0
    return Layout(width, height, MICRO, even, rows, min(1, room), hand, air, seats)


def _with_hand(layout: Layout) -> Layout:
    """Return the layout with the largest cards in hand that leave room beside and below them."""
    for size in SIZES[SIZES.index(layout.card) :]:
        larger = replace(layout, hand_card=size)
        fits = HAND * size.pitch + HAND_MARGIN <= layout.width - HELP_WIDTH
        if fits and larger.events_height >= EVENTS:
            return larger
    return layout


def _rows_for_queue(height: int) -> int:
    """10 rows of 24, 13 of 40, 16 of 50."""
    return 10 + max(0, height - 24) * 6 // 26
