"""The file of a contest's results, which grows by a line for each deal.

It is JSON Lines: first what the contest is about, then each finished deal, in the order in which
they were finished. The same contest, or a longer one, goes on from there.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

import engine
from engine.arena.contest import Contest, DealResult, GameResult, Job
from engine.words import N_, ExplainedError

FORMAT: Final = 1
"""The version of a file of results: it goes up when one is no longer read as it was."""


DECIDES_NO_GAME: Final = (
    *(
        f"arena/{each}.py"
        for each in ["pettingzoo_env", "pool", "rating", "ray_cluster", "results", "summary"]
    ),
    *("bots/plans.py", "puzzles", "replaying.py", "statistics.py", "training/"),
)
"""How the names of files begin that nobody loads to play a contest's game."""


class ResultsError(ExplainedError):
    """A file of results that cannot be gone on with."""


class Results:
    """An open file of results: what of a contest it holds, and what is added to it."""

    def __init__(self, file: IO[str], found: tuple[DealResult, ...]) -> None:
        self._file = file
        self.found = found
        """The finished deals, in the order of the contest."""

    def add(self, result: DealResult) -> None:
        """Write one more deal, whole and at once."""
        job = result.job
        line = {"players": job.players, "edition": job.edition, "bots": job.bots, "deal": job.deal}
        self._file.write(_line(line | {"games": [asdict(game) for game in result.games]}))
        self._file.flush()


@contextmanager
def open_results(path: Path, contest: Contest) -> Iterator[Results]:
    """Give the file of a contest, begun if there is none; raises ResultsError, and OSError."""
    about = describe(contest)
    with path.open("a+", encoding="utf-8", newline="\n") as file:
        if not locked(file):
            raise ResultsError(N_("{file} is being written by another arena."), file=str(path))
        file.seek(0)
        try:
            text = file.read()
            # A line at which somebody was stopped is cut off, and that deal is played again.
            whole = text[: text.rfind("\n") + 1]
            heading, *lines = whole.splitlines() or [text]
            there = json.loads(heading) if heading else about
            if there["driflamme arena"] != FORMAT:
                raise ValueError(heading)
            found = [_read(line, contest) for line in lines] if there == about else []
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            template = N_("{file} does not hold results of an arena.")
            raise ResultsError(template, file=str(path)) from error
        if there != about:
            template = N_("{file} holds results that came about with other arguments.")
            if there | {"engine": about["engine"]} == about:
                template = N_("{file} holds results of another version of Driflamme.")
            raise ResultsError(template, file=str(path))
        file.truncate(len(whole.encode()))
        if not whole:
            file.write(_line(about))
        results = {result.job: result for result in found}
        yield Results(file, tuple(results[job] for job in contest.jobs() if job in results))


def locked(file: IO[str]) -> bool:
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


def describe(contest: Contest) -> dict[str, Any]:
    """Return what the deals of a contest follow from, in JSON's types."""
    return {
        "driflamme arena": FORMAT,
        "engine": engine_digest(),
        "bots": list(contest.bots),
        "players": list(contest.players),
        "editions": list(contest.editions),
        "pairs": [list(pair) for pair in contest.pairs],
        "seed": contest.seed,
        "iterations": contest.budget.iterations,
        "seconds": contest.budget.seconds,
    }


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def _read(line: str, contest: Contest) -> DealResult:
    """Return what a line says; raises ValueError, TypeError or LookupError if it says nothing."""
    value = json.loads(line)
    players, edition, deal = (int(value[name]) for name in ("players", "edition", "deal"))
    line_up = tuple(map(str, value["bots"]))
    job = Job(players, edition, line_up, deal, contest.seed, contest.budget)
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
        raise ValueError(line)
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
