"""A file of results, such as a contest's deals, which grows by a line for each.

It is JSON Lines: first what the results are about, then each, in the order in which they were
finished. Whoever asks for the same, or for more of it, goes on from there.
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
from engine.words import ExplainedError, Text

FORMAT: Final = 1
"""The version of a file of results: it goes up when one is no longer read as it was."""

DECIDES_NO_GAME: Final = (
    *(f"arena/{each}.py" for each in ("pettingzoo_env", "pool", "rating", "results", "summary")),
    *("bots/plans.py", "puzzles", "replaying.py", "statistics.py", "training/"),
)
"""How the names of files begin that nobody loads to play a contest's game."""

Found = TypeVar("Found")


class ResultsError(ExplainedError):
    """A file of results that cannot be gone on with."""


class Results(Generic[Found]):
    """An open file of results: what it held, and what is added to it."""

    def __init__(self, file: IO[str], found: list[Found]) -> None:
        self._file = file
        self.found = found
        """What was there, in the order in which it was added."""

    def add(self, value: Any) -> None:
        """Write one more, in JSON's types, whole and at once."""
        self._file.write(_line(value))
        self._file.flush()


@contextmanager
def open_results(
    path: Path, about: dict[str, Any], read: Callable[[Any], Found]
) -> Iterator[Results[Found]]:
    """Give a file of results, begun if there is none; raises ResultsError, and OSError.

    `about` says what the results follow from; it is JSON, as is what `read` is given of each.
    """
    about = heading(about)
    with path.open("a+", encoding="utf-8", newline="\n") as file:
        if not _locked(file):
            raise ResultsError("{file} is being written by another arena.", file=str(path))
        file.seek(0)
        try:
            text = file.read()
            # A line at which somebody was stopped is cut off, and what it was to say is redone.
            whole = text[: text.rfind("\n") + 1]
            first, *lines = whole.splitlines() or [text]
            there = json.loads(first) if first else about
            if there["driflamme arena"] != FORMAT:
                raise ValueError(first)
            found = [read(json.loads(line)) for line in lines] if there == about else []
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            template: Text = "{file} does not hold results of an arena."
            raise ResultsError(template, file=str(path)) from error
        if there != about:
            template = "{file} has results of other arguments."
            if there | {"engine": about["engine"]} == about:
                template = "{file} holds results of another version of Driflamme."
            raise ResultsError(template, file=str(path))
        file.truncate(len(whole.encode()))
        if not whole:
            file.write(_line(about))
            file.flush()
        yield Results(file, found)


def heading(about: dict[str, Any]) -> dict[str, Any]:
    """Return what is said at first of results: their format, the engine, what they are about."""
    return {"driflamme arena": FORMAT, "engine": engine_digest(), **about}


def _locked(file: IO[str]) -> bool:
    """Take the file for as long as it is open, where the system can do that; False if taken."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # A file system without locks.
    return True


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def describe(contest: Contest) -> dict[str, Any]:
    """Return what the deals of a contest follow from, in JSON's types."""
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
    """Return a finished deal of a contest, in JSON's types."""
    job = result.job
    line = {"players": job.players, "edition": job.edition, "bots": job.bots, "deal": job.deal}
    return line | {"games": [asdict(game) for game in result.games]}


def read_deal(seed: int, budget: Budget, value: Any) -> DealResult:
    """Return the deal that `write_deal` wrote; raises ValueError, TypeError or LookupError."""
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
    """Return what tells this engine, its bots and their data from every other version of them.

    Whether it is compiled makes no difference, nor does anything that decides no game.
    """
    return digest(Path(engine.__file__).parent, DECIDES_NO_GAME)


def digest(root: Path, aside: Iterable[str] = ()) -> str:
    """Return a digest of the sources and the data in a folder, without what is left aside."""
    found = sha256()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        told = path.suffix not in (".md", ".pyd", ".so", ".typed") and "__pycache__" not in name
        if told and path.is_file() and not name.startswith(tuple(aside)):
            found.update(name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]
