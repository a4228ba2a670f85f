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
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

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


def change(path: Path, which: int) -> str:
    """Make a change in a file; return its line, before and after."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node, field, at, new, line = list(places(tree))[which]
    shown = node if isinstance(node, ast.expr | ast.AugAssign) else None
    before = ast.unparse(shown or getattr(node, field))
    if at is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[at] = new
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
    return f"{line}: {before}  ->  {ast.unparse(shown or new)}"


def passes(tree: Path, tests: str, limit: float | None = None) -> bool:
    """Return whether the tests pass in a copy of the tree; what runs longer than a limit fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", str(os.cpu_count() or 1), tests]
    none = subprocess.DEVNULL
    run = subprocess.Popen(command, cwd=tree, stdout=none, stderr=none, start_new_session=True)
    try:
        return run.wait(limit) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()


def main(arguments: list[str]) -> int:
    """Change, test, tell; return 1 if the tests fail without any change."""
    parser = argparse.ArgumentParser(
        prog="scripts/test --mutants",
        description="Change an operator or a number of a room at random, in a copy of the clone, "
        "and run that room's tests; again and again. Say what they did not notice.",
        allow_abbrev=False,
    )
    parser.add_argument("room", help="a package, such as engine or netcode/table")
    parser.add_argument("--count", type=int, default=50, help="how many changes (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    asked = parser.parse_args(arguments)
    room = Path(asked.room.rstrip("/"))
    tests = f"tests/{room}"
    if not (ROOT / room).is_dir() or not (ROOT / tests).exists():
        parser.error(f"there is no {room} with tests in {tests}")
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "clone"
        ignored = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, tree, ignore=ignored)
        begun = time.monotonic()
        if not passes(tree, tests):
            print(f"{tests} fails as it is", file=sys.stderr)
            return 1
        limit = 60 + 5 * (time.monotonic() - begun)
        found = [
            (path, at)
            for path in sorted((tree / room).rglob("*.py"))
            for at, _ in enumerate(places(ast.parse(path.read_bytes())))
        ]
        chosen = Random(asked.seed).sample(found, min(asked.count, len(found)))
        noticed = 0
        for path, which in chosen:
            text = path.read_bytes()
            said = change(path, which)
            if passes(tree, tests, limit):
                print(f"not noticed: {path.relative_to(tree)}:{said}", flush=True)
            else:
                noticed += 1
            path.write_bytes(text)
    share = f"{noticed / len(chosen):.0%}"
    print(f"{room}: {noticed} of {len(chosen)} noticed, {share} (seed {asked.seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
