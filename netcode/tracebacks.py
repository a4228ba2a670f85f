"""Errors for the log: what kind they are and where they came from, and nothing that is in them.

An error's own text, values and lines of source may hold cards, keys or codes.
"""

from collections.abc import Iterator
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
    for each in _chain(error):
        if len(told) == MAXIMUM_ERRORS:
            break
        frames = [
            f"{_file(frame)}:{line} {frame.f_code.co_qualname}"
            for frame, line in walk_tb(each.__traceback__)
        ]
        if len(frames) > MAXIMUM_FRAMES:
            frames = ["…", *frames[-MAXIMUM_FRAMES:]]
        told.append(" at ".join(filter(None, (type(each).__name__, ", ".join(frames)))))
    return "; after ".join(told)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that led to it, as Python tells of them."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        yield error
        seen.add(id(error))
        if error.__cause__ is not None or error.__suppress_context__:
            error = error.__cause__
        else:
            error = error.__context__


def _file(frame: FrameType) -> str:
    """Return the file of a frame, from its package on: where that lies is the user's own affair."""
    parts = PurePath(frame.f_code.co_filename).parts
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    if package in parts[:-1]:
        return "/".join(parts[len(parts) - 1 - parts[::-1].index(package) :])
    return parts[-1] if parts else ""
