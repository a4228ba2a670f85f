"""Stores results, such as a contest's deals, in a file with one line each.

The format is JSON Lines: first a heading, then the results in the order in which they were
finished. A later run with the same heading, or with more games, continues the file.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final, Generic, TypeVar

import engine
from engine.arena.contest import Budget, Contest, DealResult, GameResult, Job
from engine.texts import ExplainedError, Text

FORMAT: Final = 1
"""The version of the format. It rises when a change makes older files unreadable."""

DECIDES_NO_GAME: Final = (
    *(f"arena/{each}.py" for each in ("pettingzoo_env", "pool", "rating", "results", "summary")),
    *("bots/plans.py", "puzzles", "replaying.py", "statistics.py", "training/"),
)
"""Prefixes of the engine's files that no game of a contest loads."""

Found = TypeVar("Found")


class ResultsError(ExplainedError):
    """Raised if a file of results cannot be continued."""


class Results(Generic[Found]):
    """An open file of results: its earlier results, and a method that adds new ones."""

    def __init__(self, file: IO[str], found: list[Found]) -> None:
        self._file = file
        self.found = found
        """The results in the file at its opening, oldest first."""

    def add(self, value: Any) -> None:
        """Append one result, which must be plain data for JSON, to the file."""
        self._file.write(_line(value))
        self._file.flush()


@contextmanager
def open_results(
    path: Path, about: dict[str, Any], read: Callable[[Any], Found]
) -> Iterator[Results[Found]]:
    """Open or create a file of results.

    `about` has the settings that determine the results, as data for JSON; the heading of the file
    contains these settings. `read` parses the data of each result.

    Raises OSError if the file cannot be opened. Raises ResultsError if another program writes the
    file, or if the file has other contents. It also raises ResultsError for the results of other
    settings, or of another version of the engine.
    """
    about = heading(about)
    with path.open("a+", encoding="utf-8", newline="\n") as file:
        if not _locked(file):
            raise ResultsError(
                "{file} is being written by another arena: wait, or choose another file.",
                file=str(path),
            )
        file.seek(0)
        try:
            text = file.read()
            # Cut off an unfinished last line. Its result is computed again.
            whole = text[: text.rfind("\n") + 1]
            first, *lines = whole.splitlines() or [text]
            there = json.loads(first) if first else about
            if there["driflamme arena"] != FORMAT:
                raise ValueError(first)
            found = [read(json.loads(line)) for line in lines] if there == about else []
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            template: Text = "{file} does not hold results of an arena: choose another file."
            raise ResultsError(template, file=str(path)) from error
        if there != about:
            template = "{file} holds results of other arguments: choose another file."
            if there | {"engine": about["engine"]} == about:
                template = (
                    "{file} holds results of another version of Driflamme: choose another file."
                )
            raise ResultsError(template, file=str(path))
        file.truncate(len(whole.encode()))
        if not whole:
            file.write(_line(about))
            file.flush()
        yield Results(file, found)


def heading(about: dict[str, Any]) -> dict[str, Any]:
    """Return the heading of a file: format, engine, and the settings that determine the results."""
    return {"driflamme arena": FORMAT, "engine": engine_digest(), **about}


def _locked(file: IO[str]) -> bool:
    """Lock the file while it is open. Return False if another process has locked it.

    Where files cannot be locked, nothing is locked and the result is True.
    """
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # Some file systems have no locks.
    return True


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def describe(contest: Contest) -> dict[str, Any]:
    """Return the settings that determine the deals of a contest, as data for JSON."""
    return {
        "bots": list(contest.bots),
        "players": list(contest.players),
        "editions": list(contest.editions),
        "pairs": [list(pair) for pair in contest.pairs],
        "seed": contest.seed,
        "iterations": contest.budget.iterations,
        "seconds": contest.budget.seconds,
    }


def write_deal(result: DealResult) -> dict[str, Any]:
    """Return a finished deal as data for JSON."""
    job = result.job
    line = {"players": job.players, "edition": job.edition, "bots": job.bots, "deal": job.deal}
    return line | {"games": [asdict(game) for game in result.games]}


def read_deal(seed: int, budget: Budget, value: Any) -> DealResult:
    """Return the deal of `write_deal`.

    Raises ValueError, TypeError or LookupError for any other data.
    """
    players, edition, deal = (int(value[name]) for name in ("players", "edition", "deal"))
    line_up = tuple(map(str, value["bots"]))
    job = Job(players, edition, line_up, deal, seed, budget)
    games = tuple(
        GameResult(
            seats=tuple(map(str, game["seats"])),
            places=tuple(map(int, game["places"])),
            influence=tuple(map(int, game["influence"])),
            decisions=int(game["decisions"]),
        )
        for game in value["games"]
    )
    shapes = {(len(game.seats), len(game.places), len(game.influence)) for game in games}
    if len(games) != players or shapes != {(players,) * 3} or not all(g.winners for g in games):
        raise ValueError(value)
    return DealResult(job, games)


@cache
def engine_digest() -> str:
    """Return a digest of the engine with its bots and their data.

    A compiled engine has the same digest. Files that no game of a contest loads are left out.
    """
    return digest(Path(engine.__file__).parent, DECIDES_NO_GAME)


def digest(root: Path, aside: Iterable[str] = ()) -> str:
    """Return a digest of the sources and data in a folder, as 16 hex digits.

    Documents, compiled files, and files whose path begins with a prefix in `aside` are omitted.
    """
    found = sha256()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        is_named = path.suffix not in (".md", ".pyd", ".so", ".typed") and "__pycache__" not in name
        if is_named and path.is_file() and not name.startswith(tuple(aside)):
            found.update(name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]
