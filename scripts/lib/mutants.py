"""The command line of `scripts/test --mutants`: which small changes the tests of a room notice."""

import argparse
import ast
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

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


def parsed(path: Path) -> ast.Module:
    """Return a module as a tree."""
    return ast.parse(path.read_bytes())


def change(path: Path, which: int) -> str:
    """Make a change in a file; return its line, before and after."""
    tree = parsed(path)
    node, field, at, new, line = list(places(tree))[which]
    shown = node if isinstance(node, ast.expr | ast.AugAssign) else None
    before = ast.unparse(shown or getattr(node, field))
    if at is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[at] = new
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
    return f"{line}: {before}  ->  {ast.unparse(shown or new)}"


def rooms(under: str) -> list[Path]:
    """Return the packages, in a folder of the clone, that have a folder of tests of their own."""
    found = [path.parent.relative_to(ROOT) for path in (ROOT / under).rglob("__init__.py")]
    return sorted(each for each in found if any((ROOT / "tests" / each).glob("test_*.py")))


def modules(room: Path) -> list[Path]:
    """Return the modules of a room, without those of a room in it."""
    inner = [ROOT / each for each in rooms(str(room)) if each != room]
    paths = sorted((ROOT / room).rglob("*.py"))
    return [path for path in paths if not any(path.is_relative_to(each) for each in inner)]


def tests(room: Path, module: str) -> list[str]:
    """Return what pytest is told to run the tests of a room, first those named after a module."""
    there = f"tests/{room}"
    inner = [f"--ignore=tests/{each}" for each in rooms(str(room)) if each != room]
    first = (ROOT / there).glob(f"test_{module}.py")
    return [*inner, *(str(path.relative_to(ROOT)) for path in first), there]


class Clones:
    """Copies of the clone, in which changes are tried side by side."""

    def __init__(self, folder: Path, number: int) -> None:
        self._free = SimpleQueue[Path]()
        ignored = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis")
        for each in range(number):
            shutil.copytree(ROOT, folder / str(each), ignore=ignored)
            self._free.put(folder / str(each))

    def notice(self, room: Path, path: Path, which: int | None, limit: float | None) -> str | None:
        """Return what the tests of a room did not notice; what runs longer than a limit was."""
        tree = self._free.get()
        changed = tree / path.relative_to(ROOT)
        try:
            said = "" if which is None else change(changed, which)
            command = [sys.executable, "-m", "pytest", "-qx", *tests(room, path.stem)]
            none = subprocess.DEVNULL
            run = subprocess.Popen(command, cwd=tree, stdout=none, stderr=none, process_group=0)
            try:
                return said if run.wait(limit) == 0 else None
            except subprocess.TimeoutExpired:
                return None
            finally:
                if run.poll() is None:
                    os.killpg(run.pid, signal.SIGKILL)
                    run.wait()
        finally:
            shutil.copy(path, changed)
            self._free.put(tree)


def main(arguments: list[str]) -> int:
    """Change, test, tell; return 1 if the tests of a room fail without any change."""
    parser = argparse.ArgumentParser(
        prog="scripts/test --mutants",
        description="Change an operator or a number of a room at random, in a copy of the clone, "
        "and run that room's tests; again and again. Say what they did not notice, and how much "
        "they did, room by room.",
        allow_abbrev=False,
    )
    parser.add_argument("under", nargs="*", help="packages, such as engine or netcode/table")
    parser.add_argument("--count", type=int, default=50, help="how many changes (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    asked = parser.parse_args(arguments)
    at_once = os.cpu_count() or 1
    found = [room for under in asked.under or PACKAGES for room in rooms(under.rstrip("/"))]
    if not found:
        parser.error(f"there are no tests in tests/{asked.under[0]}")
    with TemporaryDirectory() as folder, ThreadPoolExecutor(at_once) as pool:
        clones = Clones(Path(folder), at_once)

        def measure(room: Path) -> str:
            """Return the line of a room in the table."""
            there = modules(room)
            begun = time.monotonic()
            if clones.notice(room, there[0], None, None) is None:
                return f"{room!s:32}  its tests fail as they are"
            limit = 10 + 4 * (time.monotonic() - begun)
            changes = [(path, at) for path in there for at, _ in enumerate(places(parsed(path)))]
            chosen = Random(asked.seed).sample(changes, min(asked.count, len(changes)))
            noticed = len(chosen)
            tried = [pool.submit(clones.notice, room, *each, limit) for each in chosen]
            for (path, _), done in zip(chosen, tried, strict=True):
                if (said := done.result()) is not None:
                    noticed -= 1
                    print(f"not noticed: {path.relative_to(ROOT)}:{said}", flush=True)
            share = f"{noticed / len(chosen):.0%}" if chosen else "-"
            return f"{room!s:32}  {len(chosen):4}  {noticed:4}  {share:>5}"

        lines = [measure(room) for room in found]
    print("", f"{'room':32}  made  seen  share", *lines, sep="\n")
    return int(any("fail" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
