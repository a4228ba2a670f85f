"""A lost connection to the table, as the screens show it."""

from msgspec import Struct


class LostLine(Struct, frozen=True):
    """A connection to the table that is lost and tried again."""

    attempt: int
    """The number, from 1, of the attempt that comes next, or is under way."""
    retry_at: float
    """The time of that attempt, in seconds of the app's clock."""
