"""How the line to the host is doing, in words."""

from math import ceil
from typing import Final

from driflamme_tui.model.lost_connection import LostLine
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs

STEADY_MS: Final = 10
"""Milliseconds by which the round trip may differ without a repaint."""
STEADY_PART: Final = 0.25
"""The part of the round trip by which it may differ without a repaint."""


def round_trip(latency_ms: int | None, glyphs: Glyphs) -> str:
    """Return the time that a message takes to the host and back; "" if it is not known."""
    if latency_ms is None:
        return ""
    return _("{sign} {n} ms").format(sign=glyphs.line, n=latency_ms)


def steady_latency(shown: int | None, measured: int | None) -> int | None:
    """Return which round trip to show: the one shown already, unless the new one is different."""
    if shown is None or measured is None:
        return measured
    little = max(STEADY_MS, shown * STEADY_PART)
    return shown if abs(measured - shown) <= little else measured


def clock_text(seconds: int) -> str:
    """Return a time as minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"


def lost_title(lost: LostLine, now: float) -> str:
    """Return that the line is lost, and when it is tried again.

    From the second attempt on it may be the host that is gone: who is cut off cannot tell.
    """
    left = ceil(lost.retry_at - now)
    if left <= 0:
        text = _("HOST DOES NOT ANSWER — trying now, attempt {attempt}")
        if lost.attempt == 1:
            text = _("LINE LOST — trying now, attempt {attempt}")
    else:
        text = _("HOST DOES NOT ANSWER — trying again in {n} s, attempt {attempt}")
        if lost.attempt == 1:
            text = _("LINE LOST — trying again in {n} s, attempt {attempt}")
    return text.format(n=left, attempt=lost.attempt)
