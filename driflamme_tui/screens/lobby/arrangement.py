"""Where the parts of the lobby stand in a terminal of some size."""

from typing import Final, NamedTuple

PADDING: Final = 2
"""Columns beside everything, and for the bar with which a list scrolls."""

GUTTER: Final = 3
"""Columns between two parts: a line with a blank on both sides."""

ROOMY: Final = 112
"""Columns from which a seat has two rows."""

WIDEST_LEFT: Final = 72
WIDEST_RIGHT: Final = 52
"""The most columns of seats and settings: longer rows are hard to read."""

LOW: Final = 22
"""Rows below which the invitation has one row."""

RULED: Final = 24
"""Rows from which a rule stands below the invitation."""


class Needs(NamedTuple):
    """How many columns the parts need at least."""

    short: int
    """The seats, with a row each."""
    tall: int
    """The seats, with two rows each."""
    settings: int
    code: int
    """The QR code; 0 if there is none."""
    code_rows: int


class Arrangement(NamedTuple):
    """Where the parts stand, and how wide they are."""

    is_beside: bool
    """Whether the settings stand beside the seats, and not below them."""
    is_tall: bool
    """Whether a seat has two rows."""
    left: int
    """Columns of the seats and the chat."""
    right: int
    """Columns of the settings and the explanation."""
    has_code: bool
    """Whether the QR code stands at the right."""


def arrange(width: int, rows: int, needs: Needs) -> Arrangement:
    """Return where everything stands in so many columns, and so many rows of the parts."""
    room = width - PADDING
    tall_room = needs.tall + GUTTER + needs.settings
    least = min(needs.short, needs.tall) + GUTTER + needs.settings
    if least > room:
        return Arrangement(False, needs.short > room, room, room, False)
    has_code = bool(needs.code) and needs.code_rows <= rows
    has_code = has_code and tall_room + GUTTER + needs.code <= room
    if has_code:
        room -= GUTTER + needs.code
    both = room - GUTTER
    right = max(needs.settings, min(both * 2 // 5, WIDEST_RIGHT, both - needs.short))
    left = min(both - right, WIDEST_LEFT)
    is_tall = needs.short > left or width >= ROOMY
    if needs.tall > left and is_tall:
        right = needs.settings
        left = both - right
    return Arrangement(True, is_tall, left, right, has_code)
