"""Proves that each wing, an optional part of the program, can be deleted.

The core is everything that belongs to no wing. It should name no wing, and should pass its tests
without it:

    scripts/wings --quick           which modules of the core name a wing, or need it to be imported
    scripts/wings [WING ...]        the rest of the project without a wing: types, contracts, tests
    scripts/wings --coverage        the lines of the core that only the tests of one wing execute
                                    (with --packages engine netcode: only of these, in less time)

Without a name all wings are tried, each alone and then all together.
"""

import argparse
import ast
import fnmatch
import gc
import json
import os
import re
import subprocess
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from scripts.lib.wing import Wing
from scripts.lib.wing_table import lists

ROOT: Final = Path(__file__).resolve().parents[2]

PACKAGES: Final = ("engine", "netcode", "driflamme_tui")


def _load(name: str) -> Wing:
    """Return a wing's properties from its tests; without them, only its name is special."""
    module = f"tests.wings.{name}.wing"
    if not (ROOT / f"{module.replace('.', '/')}.py").exists():
        return Wing.called(name)
    found = import_module(module).WING
    assert isinstance(found, Wing), module
    return found


WINGS: Final = {name: _load(name) for name in lists("netcode") | lists("driflamme_tui")}


def modules_of(name: str) -> tuple[str, ...]:
    """Return the patterns of the files of a wing, without its tests."""
    folders = (f"{package}/wings/{name}/*" for package in ("netcode", "driflamme_tui"))
    return (*folders, *WINGS[name].files)


def tests_of(name: str) -> tuple[str, ...]:
    """Return the patterns of a wing's tests: alone, and together with another wing."""
    folders = name, f"pairs/{name}_*", f"pairs/*_{name}"
    return tuple(f"tests/wings/{folder}/*" for folder in folders)


@cache
def paths() -> tuple[str, ...]:
    """Return the files of the project, including uncommitted ones."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(path for path in listed.stdout.splitlines() if (ROOT / path).is_file())


def belong(path: str, patterns: Iterable[str]) -> bool:
    """Return True if a path matches one of the patterns."""
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def files_of(names: Iterable[str]) -> list[str]:
    """Return the files of some wings, with their tests."""
    patterns = [each for name in names for each in (*modules_of(name), *tests_of(name))]
    return [path for path in paths() if belong(path, patterns)]


@cache
def core() -> tuple[str, ...]:
    """Return the modules that belong to no wing."""
    of_wings = [pattern for name in WINGS for pattern in modules_of(name)]
    of_wings.append("*/wings/__init__.py")
    return tuple(
        path
        for path in paths()
        if path.endswith(".py") and path.startswith(PACKAGES) and not belong(path, of_wings)
    )


# Knowledge of the core


class Known(NamedTuple):
    """The places where the core names a wing."""

    modules: list[str]
    branches: int
    """Number of conditions and cases that name the wing."""


def known(name: str) -> Known:
    """Return the core modules that name a wing in their code, and the number of such branches.

    Modules that are exceptions of the wing are left out.
    """
    found, branches = [], 0
    for path in core():
        if path in WINGS[name].exceptions:
            continue
        text = (ROOT / path).read_text("utf-8")
        if not WINGS[name].pattern.search(text):
            # Parsing takes many times as long as searching, so skip modules without a match.
            continue
        tree = ast.parse(text)
        lines = _matching_lines(text, tree, WINGS[name].pattern)
        if lines:
            found.append(path)
            branches += sum(not lines.isdisjoint(span) for span in _conditions(tree))
    return Known(found, branches)


def names_wing(path: str, name: str) -> bool:
    """Return True if a module names a wing in its code."""
    text = (ROOT / path).read_text("utf-8")
    found = WINGS[name].pattern.search(text)
    return bool(found and _matching_lines(text, ast.parse(text), WINGS[name].pattern))


def unused_names(name: str) -> list[str]:
    """Return the names of a wing that neither its modules nor its exceptions contain any more."""
    patterns = *modules_of(name), *WINGS[name].exceptions
    modules = [path for path in paths() if path.endswith(".py") and belong(path, patterns)]
    texts = [(ROOT / path).read_text("utf-8") for path in modules]
    return [each for each in WINGS[name].names if not any(re.search(each, text) for text in texts)]


def _matching_lines(text: str, tree: ast.Module, names: re.Pattern[str]) -> set[int]:
    lines = {at for at, line in enumerate(text.splitlines(), 1) if names.search(line)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text and isinstance(node, ast.Expr):
            lines -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return lines


def _conditions(tree: ast.Module) -> Iterator[range]:
    """Yield the lines of each condition and of each pattern of a case."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield range(node.test.lineno, (node.test.end_lineno or node.test.lineno) + 1)
        elif isinstance(node, ast.match_case):
            pattern = node.pattern
            yield range(pattern.lineno, pattern.end_lineno + 1)


# Imports without a wing


class _Without(MetaPathFinder):
    """Blocks the import of modules."""

    def __init__(self, gone: frozenset[str]) -> None:
        self._gone = gone

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise ModuleNotFoundError for blocked modules; return None for others."""
        if name in self._gone:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def block(names: Sequence[str]) -> None:
    """Block the modules of some wings in this process."""
    gone = {path for path in files_of(names) if path.endswith(".py")}
    left = {str(Path(path).parent) for path in paths() if path not in gone}
    emptied = {str(Path(path).parent) for path in gone} - left
    sys.meta_path.insert(0, _Without(frozenset(map(module_of, gone | emptied))))


def module_of(path: str) -> str:
    """Return the name of a module by its path."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def broken_imports(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the core and test files that cannot be imported without each group of wings.

    Raises RuntimeError if the check itself fails.
    """
    # Import libraries once. Import our modules in a new process for each group.
    program = "import json, sys; from scripts.lib.wings import _print_broken\n"
    program += "_print_broken(json.loads(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps(groups)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return [found[" ".join(group)] for group in groups]


def imported_without(
    group: Sequence[str], files: Sequence[str], broken: Mapping[frozenset[str], Sequence[str]]
) -> list[str]:
    """Return the files to import without a group of wings.

    `broken` has the broken files of other groups. A file that can be imported without more wings
    can be imported without fewer, so leave it out.
    """
    wanted = {*files} - {*files_of(group)}
    for larger, wrong in broken.items():
        if larger > {*group}:
            wanted &= {*files_of(larger), *wrong}
    return [path for path in files if path in wanted]


def _print_broken(groups: Sequence[Sequence[str]]) -> None:
    sys.path.insert(0, str(ROOT))
    # No module is garbage, and each search for garbage would look at all of them.
    gc.disable()
    files = [path for path in paths() if _is_imported(path)]
    for path in files:
        _is_whole(path)
    broken: dict[frozenset[str], list[str]] = {}
    for group in sorted(groups, key=len, reverse=True):
        broken[frozenset(group)] = _broken_without(group, imported_without(group, files, broken))
    print(json.dumps({" ".join(group): broken[frozenset(group)] for group in groups}))


def _broken_without(group: Sequence[str], files: Sequence[str]) -> list[str]:
    """Return the files that a new process cannot import without a group of wings."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        # Core modules that were imported without more wings stay as they are.
        _unload({*map(module_of, core())} - {*map(module_of, files)})
        block(group)
        with open(writer, "w") as output:
            json.dump([path for path in files if not _is_whole(path)], output)
        os._exit(0)
    os.close(writer)
    with open(reader) as output:
        text = output.read()
    if os.waitpid(child, 0)[1]:
        raise SystemExit(f"the imports without {group} ended otherwise")
    broken: list[str] = json.loads(text)
    return broken


def _unload(stay: Container[str]) -> None:
    """Forget our imported modules, except those that stay."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in (*PACKAGES, "tests") and name not in stay:
            del sys.modules[name]
            package, _, last = name.rpartition(".")
            if package in sys.modules:
                # Otherwise `from PACKAGE import NAME` would find the former module.
                vars(sys.modules[package]).pop(last, None)


def _is_imported(path: str) -> bool:
    # Test modules import their helpers. Do not import other helpers: some are programs.
    is_test = path.startswith("tests/") and Path(path).name.startswith(("test_", "conftest"))
    is_ours = path.startswith(PACKAGES) and not path.endswith("__main__.py")
    return path.endswith(".py") and (is_test or is_ours)


def _is_whole(path: str) -> bool:
    try:
        import_module(module_of(path))
    except ImportError:
        return False
    except BaseException as error:
        # A test module that skips itself can be imported.
        if type(error).__name__ != "Skipped":
            raise
    return True


# The command


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="scripts/wings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("wings", nargs="*", metavar="WING", help=", ".join(WINGS))
    parser.add_argument("--quick", action="store_true", help="run no test")
    parser.add_argument(
        "--coverage", action="store_true", help="which lines of the core only one wing executes"
    )
    parser.add_argument(
        "--packages", nargs="+", metavar="FOLDER", help="with --coverage: measure these alone"
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="the processes that run tests; one more than cores"
    )
    parser.add_argument("--together", action="store_true", help="try the named wings all at once")
    options = parser.parse_args()
    unknown = [name for name in options.wings if name not in WINGS]
    if unknown:
        parser.error(f"there is no wing {unknown[0]!r}; there are {', '.join(WINGS)}")
    wanted = options.wings or [*WINGS]
    groups = [[name] for name in wanted] + ([[*WINGS]] if not options.wings else [])
    if options.together:
        groups = [wanted]
    if options.coverage:
        from scripts.lib.wing_coverage import print_coverage

        return print_coverage(wanted, options.packages or [*PACKAGES])
    if options.quick:
        for name in wanted:
            modules, branches = known(name)
            print(f"{name}: known in {len(modules)} core modules and {branches} branches")
            for path, reason in WINGS[name].exceptions.items():
                print(f"  besides in {path}: {reason}")
        for group, broken in zip(groups, broken_imports(groups), strict=True):
            tests = sum(path.startswith("tests/") for path in broken)
            title = group[0] if len(group) == 1 else "all together"
            print(f"without {title}: {tests} tests and {len(broken) - tests} modules do not import")
        return 0
    from scripts.lib.wing_removal import without

    results = {" ".join(group): without(group, options.workers) for group in groups}
    for title, (ran, failed, skipped, wrong) in results.items():
        print(
            f"without {title}: {ran} tests ran, {failed} failed, {skipped} were skipped;", end=" "
        )
        print(", ".join(wrong) or "all is well")
    return int(any(result.wrong for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())
