"""What is remembered of the puzzles that somebody has solved, and of their days in a row."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from driflamme_tui.preferences.state_file import read_state, write_state

FILE: Final = "puzzles.json"
"""The name of the file that holds the progress."""

_Count = Annotated[int, Meta(ge=0)]


class PuzzleProgress(Struct, frozen=True):
    """Which puzzles have been solved, and how many days in a row at the first try.

    >>> days = PuzzleProgress().after(7, right=True, day=100).after(9, right=True, day=101)
    >>> days.streak_at(102), days.streak_at(103), days.after(3, right=False, day=102).streak
    (2, 0, 0)
    """

    solved: tuple[_Count, ...] = ()
    """The numbers of those that have been solved, in their order."""
    streak: _Count = 0
    """Days in a row, up to `day`, whose puzzle was solved at the first try."""
    day: _Count = 0
    """The last day whose puzzle was answered, counted as `date.toordinal` does."""

    def after(self, number: int, *, right: bool, day: int | None) -> "PuzzleProgress":
        """Return what is kept once a puzzle has been answered, that of a day or of no day."""
        kept = replace(self, solved=tuple(sorted({*self.solved, number}))) if right else self
        if day is None or day <= self.day:
            return kept
        return replace(kept, streak=self.streak_at(day) + 1 if right else 0, day=day)

    def streak_at(self, day: int) -> int:
        """Return the days in a row as they stand on a day: one that was left out ends them."""
        return self.streak if day <= self.day + 1 else 0


def recall_puzzles() -> PuzzleProgress:
    """Return what was kept last."""
    return read_state(FILE, PuzzleProgress, PuzzleProgress())


def keep_puzzles(progress: PuzzleProgress) -> None:
    """Keep it; where nothing can be kept, puzzles go on all the same."""
    write_state(FILE, progress)
