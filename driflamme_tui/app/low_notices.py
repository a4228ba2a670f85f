"""Divides notices at a table into pages, so that they hide events, but no card and no question.

This module receives the time, and has no timer and no screen.
"""

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from driflamme_tui.text.cell_widths import wrap_text

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

LEAST_S: Final = 4.0
"""Minimum seconds for which a page is shown."""


class Page(NamedTuple):
    """A part of a notice that is shown at once."""

    notice: str
    """The whole notice."""
    text: str
    rows: int
    seconds: float
    """The time for which the page is shown."""
    severity: "SeverityLevel"


def pages_of(
    notice: str, width: int, rows: int, seconds: float, severity: "SeverityLevel"
) -> list[Page]:
    """Return the pages of a notice.

    Args:
        notice: The text.
        width: The columns of a row.
        rows: The maximum number of rows of a page.
        seconds: The time for the whole notice.
        severity: The severity, which is that of each page.
    """
    lines = wrap_text(notice, width, width)
    parts = [lines[first : first + rows] for first in range(0, len(lines), rows)]
    each_s = seconds if len(parts) == 1 else max(LEAST_S, seconds / len(parts))
    return [Page(notice, " ".join(part), len(part), each_s, severity) for part in parts]


class LowNotices:
    """The pages of notices that are shown, and those that wait for space."""

    def __init__(self) -> None:
        self._waiting: deque[Page] = deque()
        self._shown: list[tuple[float, Page]] = []
        """The shown pages, each with the time of its end."""

    def add(self, pages: Sequence[Page]) -> None:
        """Let the pages of a notice wait after those of earlier notices."""
        self._waiting.extend(pages)

    def withdraw(self, notice: str) -> list[Page]:
        """Drop a notice; return its pages that are shown now."""
        self._waiting = deque(page for page in self._waiting if page.notice != notice)
        gone = [page for _end, page in self._shown if page.notice == notice]
        self._shown = [(end, page) for end, page in self._shown if page.notice != notice]
        return gone

    def due(self, now: float, rows: int) -> list[Page]:
        """Return the waiting pages that are shown from now on, in `rows` rows together.

        The pages of one notice follow each other.
        """
        self._shown = [(end, page) for end, page in self._shown if end > now]
        due: list[Page] = []
        while self._waiting:
            page = self._waiting[0]
            used = sum(shown.rows for _end, shown in self._shown)
            follows = any(shown.notice == page.notice for _end, shown in self._shown)
            if self._shown and (follows or used + page.rows > rows):
                break
            self._waiting.popleft()
            self._shown.append((now + page.seconds, page))
            due.append(page)
        return due

    def next_change(self, now: float) -> float | None:
        """Return the seconds until a shown page ends; None if no page waits."""
        if not self._waiting:
            return None
        return max(0.0, min((end for end, _page in self._shown), default=now) - now)
