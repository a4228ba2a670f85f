"""How far somebody has come in the lesson, kept in a small file in the user's state folder.

It is written anew, and put in place whole, after every answer and every topic that was read: a
program that ends at any moment leaves either the file as it was or the new one.
"""

import json
from dataclasses import dataclass
from typing import Final

from driflamme_tui.lesson.lesson_script import DEAL, SCRIPT
from driflamme_tui.lesson.next_page import IDS
from driflamme_tui.preferences.state_file import state_path, write_state
from engine.record import Record, RecordError, replay

FILE: Final = "lesson.json"
"""The name of the file that holds the progress."""

LONGEST: Final = 1 << 16
"""Maximum size of the file in bytes: fifty times what a whole lesson takes."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What has been played and read."""

    tokens: tuple[str, ...] = ()
    """All answers so far, the opponents' too."""
    told: tuple[str, ...] = ()
    """The topics that have been read."""
    finished: bool = False
    """Whether the lesson has been played to its end, this time or before."""


class DamagedError(ValueError):
    """What is kept is not the beginning of a lesson."""


def recall() -> Progress:
    """Return what was kept last; raises DamagedError. What cannot be read is as good as nothing."""
    try:
        with state_path(FILE).open("rb") as file:
            kept = file.read(LONGEST + 1)
    except OSError:
        return Progress()
    try:
        fields = json.loads(kept[:LONGEST])
        script, tokens, told, finished = (
            fields[name] for name in ("script", "tokens", "told", "finished")
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DamagedError("no lesson") from None
    words = isinstance(tokens, list) and isinstance(told, list)
    if not words or not all(isinstance(each, str) for each in (*tokens, *told)):
        raise DamagedError("no words")
    if script != SCRIPT or not IDS.issuperset(told) or len(set(told)) < len(told):
        raise DamagedError("another lesson")
    try:
        for _step in replay(Record(DEAL, tuple(tokens))):
            pass
    except RecordError:
        raise DamagedError("against the rules") from None
    return Progress(tuple(tokens), tuple(told), finished is True)


def keep(progress: Progress) -> None:
    """Keep it; where nothing can be kept, the lesson goes on all the same."""
    fields = {
        "script": SCRIPT,
        "tokens": progress.tokens,
        "told": progress.told,
        "finished": progress.finished,
    }
    write_state(FILE, fields)


def finished_or_begun() -> tuple[bool, bool]:
    """Return whether the lesson was finished once, and whether one is under way."""
    try:
        kept = recall()
    except DamagedError:
        return False, False
    under_way = bool(kept.tokens or kept.told) and len(kept.told) < len(IDS)
    return kept.finished, under_way
