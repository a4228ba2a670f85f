"""Describes errors for logs by kind and origin, without any value.

Messages of errors, their values and source lines may contain cards, keys or codes.
"""

from pathlib import PurePath
from traceback import walk_tb
from types import FrameType
from typing import Final

MAXIMUM_FRAMES: Final = 20
"""Maximum number of frames of one error: the innermost ones. Endless recursion would give a
thousand.
"""

MAXIMUM_ERRORS: Final = 5
"""Maximum number of errors in a chain of causes, latest first."""


def error_line(error: BaseException) -> str:
    """Return an error and its causes as one line: kinds, files, lines and functions."""
    lines: list[str] = []
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
        lines.append(" at ".join(filter(None, (type(each).__name__, ", ".join(frames)))))
        has_cause = each.__cause__ is not None or each.__suppress_context__
        each = each.__cause__ if has_cause else each.__context__
    return "; after ".join(lines)


def import_failure(error: BaseException) -> str:
    """Return the reason why a module cannot be imported, in one clause: error, module and line."""
    kind, place = type(error).__name__, ""
    if isinstance(error, ImportError) and error.name:
        kind += f" ({error.name})"
    for frame, line in walk_tb(error.__traceback__):
        if not frame.f_code.co_filename.startswith("<frozen"):
            place = f"{_file(frame)}:{line}"
    return " at ".join(filter(None, (kind, place)))


def wing_in(error: BaseException) -> str:
    """Return the name of the outermost wing whose code an error passed through; "" for no wing."""
    modules = (
        str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)
    )
    return next(filter(None, map(wing_of, modules)), "")


def wing_of(module: str) -> str:
    """Return the name of the wing that a module belongs to; "" for a module of the core.

    >>> wing_of("netcode.wings.sealed.messages")
    'sealed'
    """
    return module.partition(".wings.")[2].partition(".")[0]


def _file(frame: FrameType) -> str:
    """Return the file of a frame as a path within its package. The rest of the path is private."""
    parts = PurePath(frame.f_code.co_filename).parts
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    if package in parts[:-1]:
        return "/".join(parts[len(parts) - 1 - parts[::-1].index(package) :])
    return parts[-1] if parts else ""
