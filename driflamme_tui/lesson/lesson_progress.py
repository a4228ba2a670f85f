"""How far somebody has come in the lesson, kept in a small file in the user's state folder.

It is written anew, and put in place whole, after every answer and every topic that was read: a
program that ends at any moment leaves either the file as it was or the new one.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_state_path

from driflamme_tui.lesson.lesson_script import DEAL, SCRIPT
from driflamme_tui.lesson.tutor import IDS
from driflamme_tui.preferences.whole_file import whole_file
from engine.record import Record, RecordError, replay

FILE: Final = "lesson.json"

LONGEST: Final = 1 << 16
"""Bytes that the file may have: a game's answers and the topics take a fiftieth of them."""


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


def _path() -> Path:
    return user_state_path("driflamme", appauthor=False) / FILE


def recall() -> Progress:
    """Return what was kept last; raises DamagedError. What cannot be read is as good as nothing."""
    try:
        with _path().open("rb") as file:
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
    path = _path()
    fields = {
        "script": SCRIPT,
        "tokens": progress.tokens,
        "told": progress.told,
        "finished": progress.finished,
    }
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, force=True) as file:
            json.dump(fields, file)


def finished_or_begun() -> tuple[bool, bool]:
    """Return whether the lesson was finished once, and whether one is under way."""
    try:
        kept = recall()
    except DamagedError:
        return False, False
    under_way = bool(kept.tokens or kept.told) and len(kept.told) < len(IDS)
    return kept.finished, under_way
