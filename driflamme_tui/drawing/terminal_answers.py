"""Queries the terminal at the start: the width of its signs, its background, its colours.

All queries are sent as one text. Every terminal answers the last one, so that answer ends the wait.
A silent terminal costs `PATIENCE_S`.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Final, NamedTuple

SIGNS: Final = "▲★•─"
"""Signs of the table that terminals for East Asian languages may draw two cells wide."""

QUESTION: Final = f"\r{SIGNS}\x1b[6n\r\x1b[K\x1b]11;?\a\x1b]4;255;?\a\x1b[c"
"""The queries: cursor position after the signs, background, last of 256 colours, and kind of
terminal. Colour queries end with a bell: otherwise urxvt answers only one of two.
"""

PATIENCE_S: Final = 0.15
"""Seconds after the query to wait for the first byte of an answer."""

ONCE_BEGUN_S: Final = 0.5
"""Seconds to wait for the rest of an answer: a slow connection may deliver it in pieces."""

BYTES: Final = 4096
"""Maximum bytes of answers that are read."""

SILENT_TERMINALS: Final = ("dumb", "unknown", "linux", "eterm", "emacs")
"""Beginnings of `TERM` for terminals that would print the queries, or that always look the same."""

_CURSOR: Final = re.compile(r"\x1b\[\d+;(\d+)R")
_BACKGROUND: Final = re.compile(r"\x1b\]11;rgba?:([0-9a-f]+)/([0-9a-f]+)/([0-9a-f]+)", re.I)
_COLOUR: Final = re.compile(r"\x1b\]4;255;rgb")
_KIND: Final = re.compile(r"\x1b\[\?[\d;]*c")
_LIGHT_GROUNDS: Final = ("7", "15")
"""Values in `COLORFGBG` for light backgrounds. urxvt sets this variable, and may not answer."""

LATE_ANSWER: Final = re.compile(
    r"\x1b\[\d+;\d+R|\x1b\](?:11|4;255);[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[\?[\d;]*c"
)
"""Matches a late answer, which is no input of the player."""


class Answers(NamedTuple):
    """A terminal's answers, with defaults for missing ones."""

    is_wide: bool = False
    """True if the terminal draws signs of uncertain width two cells wide."""
    is_light: bool = False
    """True if the terminal's background is light."""
    has_256: bool = False
    """True if the terminal has at least 256 colours."""


def parse_answers(text: str, colours: str = "") -> Answers:
    """Return the answers in a terminal's output, with defaults for missing answers.

    `colours` is the value of `COLORFGBG`, which some terminals set. It counts if the terminal does
    not answer about its background.
    """
    cursor, background = _CURSOR.search(text), _BACKGROUND.search(text)
    usual = "fff" if colours.rpartition(";")[2] in _LIGHT_GROUNDS else "000"
    parts = usual if background is None else background.groups()
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in parts)
    return Answers(
        is_wide=cursor is not None and int(cursor[1]) > len(SIGNS) + 1,
        is_light=0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5,
        has_256=_COLOUR.search(text) is not None,
    )


def can_answer(environment: Mapping[str, str]) -> bool:
    """Return True if a terminal of this kind can be queried."""
    kind = environment.get("TERM", "")
    return (
        bool(kind) and not kind.startswith(SILENT_TERMINALS) and "INSIDE_EMACS" not in environment
    )


def prepare(environment: MutableMapping[str, str], answers: Answers) -> None:
    """Set variables that inform Rich and Textual of abilities and faults of the terminal."""
    kind = environment.get("TERM", "")
    if answers.has_256 and "color" not in kind and "COLORTERM" not in environment:
        environment["TERM"] = f"{kind}-256color"
    if kind.startswith("eterm"):
        # The terminal shows light colours as its own ink, which may be black on black.
        environment.setdefault("NO_COLOR", "1")


@contextmanager
def terminal_query(
    environment: Mapping[str, str], reads: int = 0, writes: int = 2
) -> Iterator[Callable[[], Answers]]:
    """Query the terminal behind these file descriptors.

    Yields a function that waits for the answers and returns them. The program should load its
    modules before it calls the function: the terminal answers meanwhile. If the terminal cannot be
    queried, the function returns default answers at once.
    """
    if sys.platform == "win32" or not can_answer(environment):
        yield Answers
        return
    import termios

    try:
        before = termios.tcgetattr(reads)
    except termios.error:
        yield Answers
        return
    quiet = [*before]
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    until = monotonic() + PATIENCE_S
    try:
        # Read raw: answers must not be echoed, and they do not end with a newline.
        with suppress(OSError, termios.error):
            termios.tcsetattr(reads, termios.TCSANOW, quiet)
            os.write(writes, QUESTION.encode())
        yield lambda: parse_answers(_read(reads, until), environment.get("COLORFGBG", ""))
    finally:
        with suppress(termios.error):
            termios.tcsetattr(reads, termios.TCSANOW, before)


def _read(number: int, until: float) -> str:
    """Return the answers that begin before a time, and leave later input to the app."""
    from select import select

    text = ""
    with suppress(OSError):
        while len(text) < BYTES and not _KIND.search(text):
            if not select([number], [], [], max(0.0, until - monotonic()))[0]:
                break
            if not text:
                until = monotonic() + ONCE_BEGUN_S
            part = os.read(number, 1)
            if not part:
                break
            text += part.decode("utf-8", "replace")
    return text
