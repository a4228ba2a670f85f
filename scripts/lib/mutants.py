"""The command line of `scripts/test --mutants`: which small changes the tests of a room notice."""

import argparse
import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from coverage import CoverageData

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


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, str, int | None, ast.AST, int]]:
    """Yield each change: in which field of which node, where in it, what goes there, the line."""
    lines: dict[ast.AST, int] = {}
    for node in ast.walk(tree):
        line = lines[node] = getattr(node, "lineno", lines.get(node, 0))
        for field, value in ast.iter_fields(node):
            for at, each in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(each, ast.AST):
                    continue
                lines.setdefault(each, line)
                if (other := SWAPS.get(type(each))) is not None:
                    yield node, field, at, other(), line
                elif isinstance(each, ast.Constant) and isinstance(each.value, int):
                    changed = not each.value if isinstance(each.value, bool) else each.value + 1
                    yield node, field, at, ast.Constant(changed), each.lineno


def change(path: Path, which: int) -> tuple[int, str]:
    """Make a change in a file; return its line, and how that was and is."""
    tree = ast.parse(path.read_bytes())
    node, field, at, new, line = list(places(tree))[which]
    shown = node if isinstance(node, ast.expr | ast.AugAssign) else None
    before = ast.unparse(shown or getattr(node, field))
    if at is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[at] = new
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
    return line, f"{before}  ->  {ast.unparse(shown or new)}"


def rooms(under: str) -> list[Path]:
    """Return the packages, in a folder of the clone, that have a folder of tests of their own."""
    found = [path.parent.relative_to(ROOT) for path in (ROOT / under).rglob("__init__.py")]
    return sorted(each for each in found if any((ROOT / "tests" / each).glob("test_*.py")))


def modules(room: Path) -> list[Path]:
    """Return the modules of a room, without those of a room in it."""
    inner = [ROOT / each for each in rooms(str(room)) if each != room]
    paths = sorted((ROOT / room).rglob("*.py"))
    return [path for path in paths if not any(path.is_relative_to(each) for each in inner)]


def tests(room: Path) -> list[str]:
    """Return what pytest is told to run the tests of a room, without those of a room in it."""
    inner = [f"--ignore=tests/{each}" for each in rooms(str(room)) if each != room]
    return [*inner, f"tests/{room}"]


def passes(tree: Path, told: Iterable[str], limit: float | None = None) -> bool:
    """Return whether tests pass in a copy of the clone; what runs longer than a limit fails."""
    command, none = [sys.executable, "-m", "pytest", "-qx", *told], subprocess.DEVNULL
    run = subprocess.Popen(command, cwd=tree, stdout=none, stderr=none, process_group=0)
    try:
        return run.wait(limit) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()


def measure(count: int, seed: int, room: Path) -> str:
    """Change a copy of a room again and again; return its line of the table."""
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "clone"
        ignored = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, tree, ignore=ignored)
        begun = time.monotonic()
        seen = (f"--cov={room}", "--cov-context=test", "--cov-report=")
        if not passes(tree, [*seen, *tests(room)]):
            return f"{room!s:32}  its tests fail as they are"
        limit = 10 + 4 * (time.monotonic() - begun)
        data = CoverageData(str(tree / ".coverage"))
        data.read()
        trees = {path: ast.parse(path.read_bytes()) for path in modules(room)}
        changes = [(path, at) for path, each in trees.items() for at, _ in enumerate(places(each))]
        chosen = Random(seed).sample(changes, min(count, len(changes)))
        noticed = len(chosen)
        for path, which in chosen:
            changed = tree / path.relative_to(ROOT)
            line, said = change(changed, which)
            contexts = data.contexts_by_lineno(str(changed)).get(line, ())
            # Of a context, without the parameters of the test and which part of it ran. What runs
            # in an import or in other processes is not seen: then all tests are to try.
            through = sorted({re.split(r"[\[|]", each)[0] for each in contexts if each})
            if passes(tree, through or tests(room), limit):
                noticed -= 1
                print(f"not noticed: {path.relative_to(ROOT)}:{line}: {said}", flush=True)
            shutil.copy(path, changed)
    share = f"{noticed / len(chosen):.0%}" if chosen else "-"
    return f"{room!s:32}  {len(chosen):4}  {noticed:4}  {share:>5}"


def main(arguments: list[str]) -> int:
    """Change, test, tell; return 1 if the tests of a room fail without any change."""
    parser = argparse.ArgumentParser(
        prog="scripts/test --mutants",
        description="Change an operator or a number of a room at random, in a copy of the clone, "
        "and run those tests of the room that come through it; again and again. Say what they did "
        "not notice, and how much they did. Rooms are tried side by side.",
        allow_abbrev=False,
    )
    parser.add_argument("under", nargs="*", help="packages, such as engine or netcode/table")
    parser.add_argument("--count", type=int, default=50, help="how many changes (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    asked = parser.parse_args(arguments)
    found = [room for under in asked.under or PACKAGES for room in rooms(under.rstrip("/"))]
    if not found:
        parser.error(f"there are no tests in tests/{asked.under[0]}")
    pool = ProcessPoolExecutor(os.cpu_count())
    try:
        lines = [*pool.map(partial(measure, asked.count, asked.seed), found)]
    finally:
        pool.shutdown(cancel_futures=True)
    print("", f"{'room':32}  made  seen  share", *lines, sep="\n")
    return int(any("fail" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
