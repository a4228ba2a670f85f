"""Errors for the log: what kind they are and where they came from, and nothing that is in them.

An error's own text, values and lines of source may hold cards, keys or codes.
"""

from pathlib import PurePath
from traceback import walk_tb
from types import FrameType
from typing import Final

MAXIMUM_FRAMES: Final = 20
"""Of each error, those nearest to where it came from: an endless recursion has a thousand."""

MAXIMUM_ERRORS: Final = 5
"""Of those that led to one another, the last."""


def described(error: BaseException) -> str:
    """Return an error and those that led to it as one line: kinds, files, lines and functions."""
    told: list[str] = []
    seen: list[int] = []
    each: BaseException | None = error
    while each is not None and id(each) not in seen and len(seen) < MAXIMUM_ERRORS:
        seen.append(id(each))
        frames = [
            f"{_file(frame)}:{line} {frame.f_code.co_qualname}"
            for frame, line in walk_tb(each.__traceback__)
        ]
        if len(frames) > MAXIMUM_FRAMES:
            frames = ["…", *frames[-MAXIMUM_FRAMES:]]
        told.append(" at ".join(filter(None, (type(each).__name__, ", ".join(frames)))))
        has_cause = each.__cause__ is not None or each.__suppress_context__
        each = each.__cause__ if has_cause else each.__context__
    return "; after ".join(told)


def _file(frame: FrameType) -> str:
    """Return the file of a frame, from its package on: where that lies is the user's own affair."""
    parts = PurePath(frame.f_code.co_filename).parts
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    if package in parts[:-1]:
        return "/".join(parts[len(parts) - 1 - parts[::-1].index(package) :])
    return parts[-1] if parts else ""
