"""Computes the arrangement of the lobby's parts for a given size of the terminal."""

from typing import Final, NamedTuple

PADDING: Final = 2
"""Columns of padding at the sides, and for the scrollbar of a list."""

GUTTER: Final = 3
"""Columns between two parts: a line with a blank on both sides."""

ROOMY: Final = 112
"""Minimum columns of the screen at which seats have two rows even if one row is wide enough."""

WIDEST_LEFT: Final = 72
WIDEST_RIGHT: Final = 52
"""Maximum columns of seats and settings: longer rows are hard to read."""

LOW: Final = 22
"""Number of rows of the screen below which the invitation's second row only has a warning, if any.
"""

RULE_ROWS: Final = 24
"""Minimum rows of the screen for a line below the invitation."""


class Needs(NamedTuple):
    """The minimum columns that each part needs, and the rows of the QR code."""

    short: int
    """Columns of the seats with one row each."""
    tall: int
    """Columns of the seats with two rows each."""
    settings: int
    code: int
    """Columns of the QR code; 0 if there is none."""
    code_rows: int


class Arrangement(NamedTuple):
    """The places of the parts, and their widths."""

    is_beside: bool
    """True if the settings stand beside the seats, not below them."""
    is_tall: bool
    """True if a seat has two rows."""
    left: int
    """Columns of the seats and the chat."""
    right: int
    """Columns of the settings and the explanation."""
    has_code: bool
    """True if the QR code is shown at the right."""


def arrange(width: int, rows: int, needs: Needs, *, stacks: bool = False) -> Arrangement:
    """Return the arrangement of the parts in `width` columns and `rows` rows.

    With `stacks`, the settings stand below the seats, even if they fit beside them.
    """
    space = width - PADDING
    tall_width = needs.tall + GUTTER + needs.settings
    least = min(needs.short, needs.tall) + GUTTER + needs.settings
    if least > space or stacks:
        return Arrangement(False, needs.short > space, space, space, False)
    has_code = bool(needs.code) and needs.code_rows <= rows
    has_code = has_code and tall_width + GUTTER + needs.code <= space
    if has_code:
        space -= GUTTER + needs.code
    both = space - GUTTER
    right = max(needs.settings, min(both * 2 // 5, WIDEST_RIGHT, both - needs.short))
    left = min(both - right, WIDEST_LEFT)
    is_tall = needs.short > left or width >= ROOMY
    if needs.tall > left and is_tall:
        right = needs.settings
        left = both - right
    return Arrangement(True, is_tall, left, right, has_code)
