"""How far somebody has come in the lesson, kept in a small file in the user's state folder.

It is written anew, and put in place whole, after every answer and every topic that was read: a
program that ends at any moment leaves either the file as it was or the new one.
"""

from typing import Final

import msgspec
from msgspec import Struct

from driflamme_tui.lesson.lesson_script import DEAL, SCRIPT
from driflamme_tui.lesson.next_page import IDS
from driflamme_tui.preferences.state_file import state_path, write_state
from engine.record import Record, replay

FILE: Final = "lesson.json"
"""The name of the file that holds the progress."""


class Progress(Struct, frozen=True):
    """What has been played and read."""

    tokens: tuple[str, ...] = ()
    """All answers so far, the opponents' too."""
    told: tuple[str, ...] = ()
    """The topics that have been read."""
    finished: bool = False
    """Whether the lesson has been played to its end, this time or before."""
    script: int = SCRIPT
    """The version of the lesson that it is about."""


class DamagedError(ValueError):
    """What is kept is not the beginning of a lesson."""


def recall() -> Progress:
    """Return what was kept last; raises DamagedError. What cannot be read is as good as nothing."""
    try:
        kept = state_path(FILE).read_bytes()
    except OSError:
        return Progress()
    try:
        progress = msgspec.json.decode(kept, type=Progress)
        for _step in replay(Record(DEAL, progress.tokens)):
            pass
    except (ValueError, RecursionError):
        raise DamagedError("no lesson") from None
    known = IDS.issuperset(progress.told) and len(set(progress.told)) == len(progress.told)
    if progress.script != SCRIPT or not known:
        raise DamagedError("another lesson")
    return progress


def keep(progress: Progress) -> None:
    """Keep it; where nothing can be kept, the lesson goes on all the same."""
    write_state(FILE, progress)


def finished_or_begun() -> tuple[bool, bool]:
    """Return whether the lesson was finished once, and whether one is under way."""
    try:
        kept = recall()
    except DamagedError:
        return False, False
    under_way = bool(kept.tokens or kept.told) and len(kept.told) < len(IDS)
    return kept.finished, under_way
