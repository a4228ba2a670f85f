"""The command line of `scripts/test --mutants`: which small changes the tests of a room notice.

A mutant is tried in a fork of a process that has loaded all that the tests need from outside the
clone, and first by the quickest of those tests that come through its line.
"""

import argparse
import ast
import importlib
import json
import math
import os
import re
import resource
import shutil
import signal
import sys
from bisect import bisect
from collections import defaultdict
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import pytest
from coverage import CoverageData
from hypothesis import HealthCheck, Phase, settings

ROOT: Final = Path(__file__).resolve().parents[2]

PACKAGES: Final = ("engine", "netcode", "driflamme_tui")
"""All that has rooms."""

SWAPS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    one: other
    for pair in (
        *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot)),
        *((ast.In, ast.NotIn), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.And, ast.Or)),
    )
    for one, other in (pair, pair[::-1])
}
"""What each operator is changed to; a number is changed to the next, True to False."""

UNSEEN: Final = ("frozen", "slots", "kw_only", "strict")
"""Arguments that only mypy and those who read look at."""

QUICK: Final = 1.0
"""Seconds of a core that those tests take which try a mutant first."""

MOST: Final = 30.0
"""Seconds that all do which try one at most, the cheapest of those that could notice it."""

LONGEST: Final = 3600.0
"""Seconds that the tests of a room may take as they are."""

PATIENCE: Final = 10
"""How many times as long as that they may take by the clock, on a machine with much else to do."""

ROOMS: Final = 2
"""How many rooms are tried at a time: while one's tests run as they are, another's mutants are."""

NOTICED: Final = {
    "engine": 80,
    "engine/arena": 70,
    "engine/bots": 75,
    "engine/training": 60,
    "netcode/carrying": 80,
    "netcode/client": 75,
    "netcode/joining": 85,
    "netcode/outside": 70,
    "netcode/protocol": 75,
    "netcode/relaying": 65,
    "netcode/sealed": 85,
    "netcode/server": 75,
    "netcode/storage": 80,
    "netcode/table": 85,
    "netcode/transport": 55,
    "netcode/workers": 75,
    "driflamme_tui/alone": 60,
    "driflamme_tui/app": 45,
    "driflamme_tui/cli": 45,
    "driflamme_tui/doors": 55,
    "driflamme_tui/drawing": 60,
    "driflamme_tui/hosting": 45,
    "driflamme_tui/keymap": 65,
    "driflamme_tui/model": 60,
    "driflamme_tui/plain": 50,
    "driflamme_tui/preferences": 60,
    "driflamme_tui/screens": 65,
    "driflamme_tui/seat": 20,
    "driflamme_tui/text": 80,
    "driflamme_tui/widgets": 15,
    "driflamme_tui/wording": 35,
}
"""By room, how many in a hundred were noticed when it was last measured, mostly of twenty: that
strays by some ten. Tests of several rooms together, as in `tests/e2e`, count for none."""

GATHERED: Final = Path("gathered.json")
"""Where a fork leaves what it found out, in its copy of the clone."""

PASSED: Final = 99
"""How a fork ends whose tests pass; not 0, as which a mutant may end it at once."""

FORK: Final = get_context("fork")


class Mutant(NamedTuple):
    """A change of a module, and those who could notice it."""

    module: Path
    place: int
    """Which of its places is changed."""
    text: str
    """The module with the change."""
    said: str
    """Where the change is, how that was and how it is."""
    stages: list[tuple[list[str], float]]
    """The tests that try it, and those that do then; how much of a core each stage may have."""


class Change(ast.NodeTransformer):
    """Makes one of all changes that a module allows, by its number, and counts them."""

    def __init__(self, which: int = -1) -> None:
        self.which = which
        self.count = 0
        self.line = 0
        """Where the change is."""
        self._at = 0

    def visit(self, node: ast.AST) -> ast.AST:
        """Return what is to stand in the place of a node."""
        self._at = getattr(node, "lineno", self._at)
        if isinstance(node, ast.keyword) and node.arg in UNSEEN:
            return node
        if (other := SWAPS.get(type(node))) is not None:
            changed = other()
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            changed = ast.Constant(
                not node.value if isinstance(node.value, bool) else node.value + 1
            )
        else:
            return self.generic_visit(node)
        self.count += 1
        if self.count != self.which + 1:
            return node
        self.line = self._at
        return changed


def change(text: str, which: int) -> tuple[str, int, str]:
    """Make a change in a module; return its text, the line, and how that was and is."""
    before, making = ast.unparse(ast.parse(text)), Change(which)
    after = ast.unparse(ast.fix_missing_locations(making.visit(ast.parse(text))))
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    was, now = next((was, now) for was, now in pairs if was != now)
    return after, making.line, f"{was.strip()}  ->  {now.strip()}"


def rooms(under: str) -> list[Path]:
    """Return the packages, in a folder of the clone, that have a folder of tests of their own."""
    found = [path.parent for path in Path(under).rglob("__init__.py")]
    return sorted(each for each in found if any(("tests" / each).glob("test_*.py")))


def modules(room: Path) -> list[Path]:
    """Return the modules of a room, without those of a room in it."""
    inner = [each for each in rooms(str(room)) if each != room]
    paths = sorted(room.rglob("*.py"))
    return [path for path in paths if not any(path.is_relative_to(each) for each in inner)]


def tests(room: Path) -> list[str]:
    """Return what pytest is told to run the tests of a room, without those of a room in it."""
    inner = [f"--ignore=tests/{each}" for each in rooms(str(room)) if each != room]
    return [*inner, f"tests/{room}"]


def function(test: str) -> str:
    """Return a test without its parameters, and without which part of it runs."""
    return re.split(r"[\[|]", test)[0]


class Gathering:
    """A plugin of pytest that leaves word what of a core each test took, and what they loaded."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Add one case of a test, with the processes that it has started and waited for."""
        before = sum(os.times()[:4])
        done = yield
        self.seconds[function(item.nodeid)] += sum(os.times()[:4]) - before
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember who fails."""
        if report.failed:
            self.failed.add(function(report.nodeid))

    def pytest_unconfigure(self) -> None:
        """Leave word."""
        files = [(name, getattr(each, "__file__", None)) for name, each in sys.modules.items()]
        outside = [name for name, file in files if file and not file.startswith(os.getcwd())]
        for each in self.failed:
            self.seconds.pop(each, None)
        told = [*self.failed], self.seconds, outside
        GATHERED.write_text(json.dumps(told), encoding="utf-8")


def enter(folder: str) -> None:
    """Make this process one that tries mutants, in a copy of the clone of its own."""
    tree = Path(folder) / str(os.getpid())
    ignored = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(os.curdir, tree, ignore=ignored)
    os.chdir(tree)
    sys.path[0] = str(tree)


def passes(told: list[str], seconds: float, *plugins: object) -> bool:
    """Return whether tests pass in a fork of this process that may have so much of a core."""

    def run() -> None:
        os.setpgid(0, 0)
        # An endless loop ends, and so does who waits for what never comes.
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds),) * 2)
        signal.alarm(PATIENCE * math.ceil(seconds))
        with open("output", "wb") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        settings.register_profile(
            "mutants",
            max_examples=10,
            deadline=None,
            derandomize=True,
            phases=(Phase.explicit, Phase.generate),  # which example is the least is of no interest
            suppress_health_check=(HealthCheck.too_slow,),
        )
        options = ["-qx", "--assert=plain", "--hypothesis-profile=mutants", "-pno:cacheprovider"]
        os._exit(1 if pytest.main([*options, *told], plugins) else PASSED)

    child = FORK.Process(target=run)
    child.start()
    child.join()
    with suppress(ProcessLookupError):
        os.killpg(child.pid or 0, signal.SIGKILL)  # what it has started
    return child.exitcode == PASSED


def mutants(count: int, seed: int, room: Path) -> tuple[list[Mutant], list[str]]:
    """Pick changes of a room, and who could notice them; return too what its tests load.

    Its tests run as they are for that.
    """
    coverage = (f"--cov={room}", "--cov-context=test", "--cov-report=")
    GATHERED.unlink(missing_ok=True)
    passes([*coverage, "--maxfail=0", *tests(room)], LONGEST, Gathering())
    failed, seconds, outside = json.loads(GATHERED.read_text(encoding="utf-8"))
    for each in failed:
        print(f"left out, since it fails as it is: {each}", file=sys.stderr)
    data = CoverageData()
    data.read()
    changes = []
    for module in modules(room):
        all_of_it = Change()
        all_of_it.visit(ast.parse(module.read_bytes()))
        changes += [(module, place) for place in range(all_of_it.count)]
    found = []
    for module, place in Random(seed).sample(changes, min(count, len(changes))):
        text, line, said = change(module.read_text(encoding="utf-8"), place)
        through = {
            at: {function(each) for each in contexts if each}
            for at, contexts in data.contexts_by_lineno(str(module.absolute())).items()
        }
        # What runs in an import or in other processes is not seen: then all tests are to try.
        exact = through.get(line)
        near = exact or set().union(*through.values())
        told = [each for each in seconds if each in near or not exact]
        told.sort(key=lambda each: (each not in near, seconds[each]))
        taken = [*accumulate(seconds[each] for each in told)]
        quick, most = bisect(taken, QUICK) or 1, bisect(taken, MOST) or 1
        stages = [
            (stage, 10 + 3 * sum(seconds[each] for each in stage))
            for stage in (told[:quick], told[quick:most])
            if stage
        ]
        found.append(Mutant(module, place, text, f"{module}:{line}: {said}", stages))
    return found, outside


def is_noticed(outside: list[str], mutant: Mutant) -> bool:
    """Return whether a test fails with a change; say so if none does."""
    for name in outside:
        with suppress(Exception):  # some are made by others
            importlib.import_module(name)
    assert not {name.partition(".")[0] for name in sys.modules} & {*PACKAGES}
    before = mutant.module.read_bytes()
    mutant.module.write_text(mutant.text, encoding="utf-8")
    # A time of its own, by which Python knows that what it has compiled is another.
    os.utime(mutant.module, (mutant.place, mutant.place))
    try:
        noticed = not all(passes(*stage) for stage in mutant.stages)
    finally:
        mutant.module.write_bytes(before)
    if not noticed:
        print(f"not noticed: {mutant.said}", file=sys.stderr, flush=True)
    return noticed


def main(arguments: list[str]) -> int:
    """Change, test, tell."""
    parser = argparse.ArgumentParser(
        prog="scripts/test --mutants",
        description="Change an operator or a number of a room at random, in a copy of the clone, "
        "and run those tests of the room that come through it; again and again. Say what they did "
        "not notice, and how much they did.",
        allow_abbrev=False,
    )
    parser.add_argument("under", nargs="*", help="packages, such as engine or netcode/table")
    parser.add_argument("--count", type=int, default=50, help="how many changes (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    asked = parser.parse_args(arguments)
    os.chdir(ROOT)
    found = [room for under in asked.under or PACKAGES for room in rooms(under.rstrip("/"))]
    if not found:
        parser.error(f"there are no tests in tests/{asked.under[0]}")
    print(f"{'room':32}  made  seen  share  before", flush=True)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(ROOMS) as threads:
        pool = ProcessPoolExecutor(1 + (os.cpu_count() or 1), FORK, enter, (folder,))

        def measure(room: Path) -> None:
            picked, outside = pool.submit(mutants, asked.count, asked.seed, room).result()
            seen = [*pool.map(partial(is_noticed, outside), picked)]
            share = f"{sum(seen) / len(seen):.0%}" if seen else "-"
            row = f"{room!s:32}  {len(seen):4}  {sum(seen):4}  {share:>5}"
            print(f"{row}  {NOTICED.get(room.as_posix(), '?'):>5}%", flush=True)

        try:
            list(threads.map(measure, found))
            return 0
        finally:
            pool.shutdown(cancel_futures=True)
            threads.shutdown(cancel_futures=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
