"""The command line of `scripts/test --mutants`: finds small changes that the tests do not notice.

Each mutant is tried in a copy of the clone, by the tests that execute its line, cheapest first,
until one fails. The same seed makes the same mutants. Limits count processor seconds, so a busy
machine takes longer, and finds the same.
"""

import argparse
import ast
import json
import os
import shutil
import signal
import subprocess
import sys
from bisect import bisect
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from itertools import accumulate, islice
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from coverage import CoverageData
from grimp import build_graph

from scripts.lib.mutant_runs import ENDLESS, FAILED, NO_TIME, OTHER, Request

ROOT: Final = Path(__file__).resolve().parents[2]

PACKAGES: Final = ("engine", "netcode", "driflamme_tui")
"""The modules directly in one of these form a package, and so does each folder."""

FACE: Final = "driflamme_tui"
"""The package of the user interface."""

SWAPS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    one: other
    for pair in (
        *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot)),
        *((ast.In, ast.NotIn), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.And, ast.Or)),
    )
    for one, other in (pair, pair[::-1])
}
"""The replacement of each operator. A number is replaced by the next one, and True by False."""

UNSEEN: Final = ("frozen", "slots", "kw_only", "strict")
"""Arguments that only mypy and readers can notice."""

AROUND: Final = 60
"""Number of characters of a line that are shown before and after a change."""

MOST: Final = 60.0
"""Maximum processor seconds for the tests of one mutant. The cheapest tests come first, and those
that compare pictures are added at the end.
"""

PICTURES: Final = ("/test_snapshots.py::", "_pictures.py::")
"""Parts of the ids of tests that compare pictures. They see all of a screen, but cost the most."""

PATIENCE: Final = 3
"""Maximum cost of the tests with a change, in multiples of their cost without one."""

BEGINNING: Final = 20
"""Processor seconds for a process to import the tests."""

PYTEST: Final = (
    *(sys.executable, "-m", "pytest", "-q", "-pno:cacheprovider", "--hypothesis-seed=0"),
    *("-p", "scripts.lib.mutant_runs", "-p", "no:faulthandler"),
)

PATIENT: Final = {**os.environ, "STUCK_S": "300"}
"""The environment of tests. On a busy machine, even a test that never ends needs longer to fail."""

NOTICED: Final = {
    "driflamme_tui/app": 80,
    "driflamme_tui/cli": 75,
    "driflamme_tui/drawing": 65,
    "driflamme_tui/hosting": 85,
    "driflamme_tui/keymap": 75,
    "driflamme_tui/model": 75,
    "driflamme_tui/plain": 80,
    "driflamme_tui/preferences": 85,
    "driflamme_tui/replay": 65,
    "driflamme_tui/screens": 50,
    "driflamme_tui/seat": 85,
    "driflamme_tui/study": 65,
    "driflamme_tui/text": 95,
    "driflamme_tui/widgets": 80,
    "driflamme_tui/wings/clubs": 95,
    "driflamme_tui/wings/days": 70,
    "driflamme_tui/wings/doors": 85,
    "driflamme_tui/wings/hints": 70,
    "driflamme_tui/wings/relay": 65,
    "driflamme_tui/wings/router": 75,
    "driflamme_tui/wings/sealed": 70,
    "driflamme_tui/wording": 85,
    "engine": 80,
    "engine/arena": 80,
    "engine/bots": 90,
    "engine/training": 75,
    "netcode": 65,
    "netcode/client": 80,
    "netcode/joining": 85,
    "netcode/protocol": 60,
    "netcode/server": 85,
    "netcode/storage": 60,
    "netcode/table": 85,
    "netcode/transport": 70,
    "netcode/wings/clubs": 65,
    "netcode/wings/days": 70,
    "netcode/wings/relay": 70,
    "netcode/wings/router": 60,
    "netcode/wings/sealed": 75,
    "netcode/workers": 70,
}
"""Percentage of noticed mutants of each package in the last measurement, mostly out of twenty. The
percentage varies by about ten points between measurements. That of `app`, `screens`, `drawing` and
`widgets` is a lower bound, measured with a part of their tests.
"""


class Mutant(NamedTuple):
    """A changed module."""

    module: Path
    place: int
    """The index of the change among all possible changes of the module."""
    line: int
    text: str
    """The module with the change."""
    description: str
    """The line of the change, with the code before and after; "" for an unchanged module."""


class Change(ast.NodeTransformer):
    """Makes one of all possible changes of a module, selected by number, and counts them."""

    def __init__(self, which: int = -1) -> None:
        self.which = which
        self.count = 0
        self.line = 0
        self._at = 0

    def visit(self, node: ast.AST) -> ast.AST:
        """Count the possible changes; return the node, or its replacement at the chosen change."""
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
    """Change a module; return its text, the line, and the code before and after."""
    before, making = ast.unparse(ast.parse(text)), Change(which)
    after = ast.unparse(ast.fix_missing_locations(making.visit(ast.parse(text))))
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    was, now = next((was.strip(), now.strip()) for was, now in pairs if was != now)
    # `ast.unparse` writes a whole table on one line, so show only the code around the change.
    at = next((at for at, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), len(was))
    begin = max(0, at - AROUND)
    return after, making.line, f"{was[begin:][: 2 * AROUND]}  ->  {now[begin:][: 2 * AROUND]}"


def files(package: Path, names: str = "*.py", folder: str = ".") -> list[Path]:
    """Return the files of a package that match `names`.

    With a `folder`, return those below the same path in this folder, such as the package's tests.
    """
    there = Path(folder, package)
    return sorted(there.glob(names) if str(package) in PACKAGES else there.rglob(names))


def mutants(count: int, seed: int, package: Path) -> list[Mutant]:
    """Choose changes of a package. The last mutant is unchanged, and checks the tests."""
    changes = []
    for module in files(package):
        all_of_it = Change()
        all_of_it.visit(ast.parse(module.read_bytes()))
        changes += [(module, place) for place in range(all_of_it.count)]
    found = []
    for module, place in Random(seed).sample(changes, min(count, len(changes))):
        text, line, description = change(module.read_text(encoding="utf-8"), place)
        found.append(Mutant(module, place, line, text, f"{module}:{line}: {description}"))
    unchanged = found[0].module.read_text(encoding="utf-8")
    return [*found, found[0]._replace(text=unchanged, description="")]


def tests(of: set[Path]) -> list[str]:
    """Return the test files that import these modules, directly or through one other module.

    All tests of the modules' packages are included, and of a wing all tests in its folder. A module
    of the user interface gets all tests of the user interface, since commands are imported by a
    computed name.
    """
    graph = build_graph(*PACKAGES, "tests", cache_dir=None)
    found = set[Path]()
    for module in of:
        found.update(files(Path(*module.parts[:-1][:2]), "test_*.py", "tests"))
        if module.parts[1] == "wings":
            found.update(Path("tests", *module.parts[1:-1]).rglob("test_*.py"))
        if module.parts[0] == FACE:
            found.update(Path("tests", FACE).rglob("test_*.py"))
        name = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
        near = graph.find_modules_that_directly_import(name)
        for each in near.union(*map(graph.find_modules_that_directly_import, near)):
            path = Path(*each.split(".")).with_suffix(".py")
            if path.match("test_*.py"):
                found.add(path)
    return sorted(map(str, found))


class Tests:
    """The tests of some modules, as they run on the unchanged clone."""

    def __init__(self, tree: Path, of: set[Path], workers: int) -> None:
        self.tree = tree.resolve()
        self.data = CoverageData(str(tree / ".coverage"))
        self.files = tests(of)
        costs = tree / "costs.json"
        measured = [f"--cov={folder}" for folder in sorted({module.parent for module in of})]
        options = [f"-n{workers}", f"--costs-to={costs}", "--cov-context=test", "--cov-report="]
        subprocess.run(
            [*PYTEST, *options, *measured, *self.files],
            cwd=tree,
            env=PATIENT,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        self.data.read()
        measured_costs: dict[str, float] = json.loads(costs.read_text(encoding="utf-8"))
        self.seconds = {test: cost for test, cost in measured_costs.items() if cost >= 0}
        """Processor seconds of each passing test, while its lines were traced."""
        self.failed = measured_costs.keys() - self.seconds.keys()

    def of(self, mutant: Mutant) -> tuple[list[str], float]:
        """Return the tests for a mutant, and their seconds."""
        lines = self.data.contexts_by_lineno(str(self.tree / mutant.module))
        through = {
            line: self.seconds.keys() & {each.rpartition("|")[0] for each in tests}
            for line, tests in lines.items()
        }
        # Lines that run during imports or in other processes are not traced. Then use all tests.
        exact = through.get(mutant.line)
        near = set().union(*through.values())
        found = sorted(
            exact or self.seconds, key=lambda each: (each not in near, self.seconds[each])
        )
        some = bisect([*accumulate(self.seconds[each] for each in found)], MOST) or 1
        pictures = [test for test in found[some:] if any(part in test for part in PICTURES)]
        chosen = [*found[:some], *pictures]
        return chosen, sum(self.seconds[each] for each in chosen)


def copied(tree: Path) -> Path:
    """Copy the clone to a folder and return it."""
    ignored = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis")
    return Path(shutil.copytree(ROOT, tree, ignore=ignored))


class Runner:
    """A process that has imported some tests, and runs them with mutants."""

    def __init__(self, tree: Path, files: Sequence[str]) -> None:
        self.tree = tree
        requests, self._to = os.pipe()
        self._from, results = os.pipe()
        self._process = subprocess.Popen(
            [*PYTEST, f"--requests={requests}", f"--results={results}", *files],
            cwd=tree,
            env=PATIENT,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(requests, results),
        )
        os.close(requests)
        os.close(results)
        self._results = os.fdopen(self._from)
        # Wait until the modules are imported: a change of a file would be imported with them.
        self._results.readline()

    def run(self, request: Request) -> str:
        """Send a request to the process; return its result, or `FAILED` if it has ended."""
        with suppress(BrokenPipeError):
            os.write(self._to, f"{json.dumps(request)}\n".encode())
        return self._results.readline().strip() or FAILED

    def close(self) -> None:
        """End the process, and all processes of its tests."""
        os.close(self._to)
        self._results.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def is_noticed(runner: Runner, mutant: Mutant, tests: list[str], seconds: float) -> bool:
    """Return True if a test fails with a change.

    Otherwise print the change, which no test has noticed or for which the time was too short.
    """
    module = runner.tree / mutant.module
    before = module.read_text(encoding="utf-8")
    module.write_text(mutant.text, encoding="utf-8")
    # Change the file's time, so that Python compiles the module again.
    os.utime(module, (mutant.place, mutant.place))
    cpu_s = round(BEGINNING + PATIENCE * seconds)
    unchanged = before if mutant.description else ""
    try:
        with TemporaryDirectory() as folder:
            request = Request(str(mutant.module), unchanged, tests, cpu_s, folder)
            result = runner.run(request)
            if result == OTHER:
                fresh = Runner(runner.tree, sorted({test.partition("::")[0] for test in tests}))
                try:
                    result = fresh.run(request._replace(before=""))
                finally:
                    fresh.close()
    finally:
        module.write_text(before, encoding="utf-8")
    is_seen = result in (FAILED, ENDLESS)
    if not is_seen and mutant.description:
        # A time-out proves nothing.
        print(
            f"{result if result == NO_TIME else 'not noticed'}: {mutant.description}",
            file=sys.stderr,
            flush=True,
        )
    return is_seen


def main(arguments: list[str]) -> int:
    """Try mutants, and report the ones that no test has noticed."""
    parser = argparse.ArgumentParser(
        prog="scripts/test --mutants",
        description="Change an operator or a number of a package at random, in a copy of the "
        "clone, and run the tests that execute its line. Print each change that no test noticed, "
        "and the share of noticed changes of each package.",
        allow_abbrev=False,
    )
    parser.add_argument("packages", nargs="*", help="engine, netcode/table and so on (default all)")
    parser.add_argument("--count", type=int, default=50, help="how many changes (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    options = parser.parse_args(arguments)
    os.chdir(ROOT)
    packages = [Path(package) for package in options.packages or NOTICED]
    if nothing := [str(package) for package in packages if not files(package)]:
        parser.error(f"there is nothing in {', '.join(nothing)}")
    picked = {package: mutants(options.count, options.seed, package) for package in packages}
    everything = [mutant for made in picked.values() for mutant in made]
    workers = os.cpu_count() or 1
    with (
        TemporaryDirectory() as folder,
        ExitStack() as running,
        ThreadPoolExecutor(workers) as threads,
    ):
        trees = [copied(Path(folder, str(number))) for number in range(workers)]
        gathered = Tests(trees[0], {mutant.module for mutant in everything}, workers)
        runners = SimpleQueue[Runner]()
        for runner in threads.map(lambda tree: Runner(tree, gathered.files), trees):
            runners.put(running.enter_context(closing(runner)))

        def is_seen(mutant: Mutant) -> bool:
            runner = runners.get()
            try:
                return is_noticed(runner, mutant, *gathered.of(mutant))
            finally:
                runners.put(runner)

        for each in sorted(gathered.failed):
            print(f"left out, since it fails as it is: {each}", file=sys.stderr)
        seen = threads.map(is_seen, everything)
        print(f"{'package':32}  made  seen  share  before", flush=True)
        for package, made in picked.items():
            *noticed, without = islice(seen, len(made))
            count, share = sum(noticed), f"{fmean(noticed):.0%}"
            row = f"{package!s:32}  {len(noticed):4}  {count:4}  {share:>5}"
            failing = "; but they fail without a change too" if without else ""
            print(f"{row}  {NOTICED.get(package.as_posix(), '?'):>5}%{failing}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
