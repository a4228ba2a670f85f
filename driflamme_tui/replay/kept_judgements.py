"""Stores the judgements of past games, so that a second look at them is immediate.

Each player of each game has a file. Without the files, the same judgements are computed again.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from msgspec import Struct

from driflamme_tui.preferences.remembered import StoredValue, state_path
from driflamme_tui.replay.judging import Advice, judged_before
from engine.cards import Seat
from engine.record import RecordError
from engine.replaying import Replay
from netcode.table.finished_game import identity

FOLDER: Final = "judged"
"""The folder of the judgement files, inside the folder of the user's state."""

JUDGE: Final = 1
"""The version of the judge, which rises when the judgements of the same decisions would change."""

MOST_GAMES: Final = 100
"""Maximum number of files; the oldest are deleted."""


class Judgements(Struct, frozen=True):
    """The judgements of one player's decisions in one game."""

    judge: int = 0
    """The version of the judge; 0 without judgements."""
    advice: tuple[Advice, ...] = ()


def kept_advice(replay: Replay, seat: Seat) -> dict[int, Advice]:
    """Return the stored judgements of a player's decisions, by step; {} if none are stored."""
    kept = None if (file := _file(replay, seat)) is None else file.recall()
    if kept is None or kept.judge != JUDGE:
        return {}
    return judged_before(replay, seat, kept.advice)


def keep_advice(replay: Replay, seat: Seat, advice: Mapping[int, Advice]) -> None:
    """Store the judgements of a player's decisions; errors of the disk are ignored."""
    own = judged_before(replay, seat, advice)
    if own and (file := _file(replay, seat)) is not None and own != kept_advice(replay, seat):
        file.keep(Judgements(JUDGE, tuple(own[step] for step in sorted(own))))
        _delete_oldest()


def _file(replay: Replay, seat: Seat) -> StoredValue[Judgements] | None:
    with suppress(RecordError):
        name = f"{identity(replay.record).hex()}-{replay.families[seat]}.json"
        return StoredValue(f"{FOLDER}/{name}", Judgements, Judgements())
    return None


def _delete_oldest() -> None:
    with suppress(OSError):
        files = sorted(state_path(FOLDER).iterdir(), key=lambda path: path.stat().st_mtime)
        for path in files[:-MOST_GAMES]:
            path.unlink()
