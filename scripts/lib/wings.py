"""Proves that each wing, an optional part of the program, can be deleted.

The core is what is no wing's. It should not know any wing, and should pass its tests without it:

    scripts/wings --quick           which modules of the core know a wing, or need it to be imported
    scripts/wings [WING ...]        the rest of the tree without a wing: types, contracts and tests
    scripts/wings --coverage        the lines of the core that only the tests of one wing execute
                                    (with --packages engine netcode: of these, in less time)

Without a name all wings are tried, each alone and then all together.
"""

import argparse
import ast
import fnmatch
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Final, NamedTuple
from xml.etree import ElementTree

ROOT: Final = Path(__file__).resolve().parents[2]

PACKAGES: Final = ("engine", "netcode", "driflamme_tui")


class Wing(NamedTuple):
    """What belongs to a wing, as patterns of paths, and by which names others know it."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    names: re.Pattern[str]


def wing(name: str, modules: str, tests: str, names: str) -> Wing:
    """Return a wing; what stands in the folders called like it belongs to it as well."""
    pairs = f"tests/wings/pairs/{name}_*/* tests/wings/pairs/*_{name}/*"
    folders = f"netcode/wings/{name}/* driflamme_tui/wings/{name}/*"
    return Wing(
        (*folders.split(), *modules.split()),
        (f"tests/wings/{name}/*", *pairs.split(), *tests.split()),
        re.compile(names),
    )


WINGS: Final = {
    "sealed": wing(
        "sealed",
        "scripts/lib/bench_sealed.py",
        "",
        r"[Ss]eal(?!evel)|\bgame_key|[Pp]arcel(?!s of)|\bleaf\b|\bleaves\b(?= of| stand| for)"
        r"|LEAVES\b|\bowed\b|Owed\b|OPENING\b|open_owed|_ask_to_open|LogAt|log_at|own_program"
        r"|SealedInterpreter|OwnState|known_cards|LeaveBe|VoteMissing|vote_words|may_vote|action_vote"
        r"|\bproof_|LogIn\b|\bgid\b|PassingOn|passing_on|dealing"
        r"|successors"
        r"|carries_on|carried_on|HandOver|RelayPass|relay_pass"
        r"|[Tt]akeover|take_over|taken_over|call_host",
    ),
    "relay": wing(
        "relay",
        "",
        "",
        r"[Rr]elay(?!s the parcels|s it\b|er\b)",
    ),
    "router": wing(
        "router",
        "",
        "",
        r"\boutside\b(?! their)|Outside\b|_outside|outside_|[Rr]outer|upnp|UPnP|PCP\b"
        r"|port_lease|PortLease",
    ),
    "doors": wing(
        "doors",
        "",
        "",
        r"\bdoors?\b|\bDoors?\b|has_doors|_doors|doors_|OpenDoors|visitor|asyncssh"
        r"|aiohttp|\bssh\b|ssh_|BESIDE_A_DOOR|DOOR",
    ),
    "clubs": wing(
        "clubs",
        "",
        "",
        r"\bclub|Club|CLUB|[Ll]eague|OpenTable\b|\basleep|_asleep|\.wake\(entry|\bServe\b"
        r"|to_sleep|sleep_later|TableInfo|ask_club|\bmember\b|(?<!RE)MEMBER",
    ),
    "hints": wing(
        "hints",
        "",
        "",
        r"(?<!\")\bhint|Hint|[Cc]oach",
    ),
}
"""The wings, by name. The older patterns of paths go as their modules move into the folders."""

_LEAVES: Final = "the notation has letters for cards that nobody has opened, with or without a wing"
_ON_DISK: Final = "the form of the journal is published, and never changes silently"
_ON_THE_WIRE: Final = "the fields of a message of the core are published, and absent by default"
_LEAGUE: Final = "bots learn against a league of earlier ones, which has nothing to do with clubs"

EXCEPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "sealed": {
        "engine/actions.py": _LEAVES,
        "engine/cards.py": _LEAVES,
        "engine/arena/pettingzoo_env.py": _LEAVES,
        "engine/leaves.py": "a game on unopened cards needs the rules of the engine",
        "engine/record.py": "a record of any game is read by any program; the proof is only kept",
        "netcode/protocol/messages.py": _ON_THE_WIRE + ": `game_key`, `dealing`, `successors`",
        "netcode/protocol/refusal_sentences.py": "an ordinary table refuses a `game_key`",
        "netcode/protocol/table_settings.py": _ON_THE_WIRE + ": `sealed`",
        "netcode/storage/database.py": _ON_DISK + ": the table `sealed_records`",
        "netcode/table/play.py": "an ordinary table refuses a `game_key`",
        "netcode/table/requests.py": "a `game_key` goes to the kind of game",
        "netcode/table/snapshot.py": _ON_DISK + ": the field `parcels`",
    },
    "router": {
        "driflamme_tui/cli/shared_options.py": "a host may have opened a port by hand",
    },
    "clubs": {
        "engine/training/generations.py": _LEAGUE,
        "engine/training/self_play.py": _LEAGUE,
    },
}
"""By wing, the modules of the core that may name it, each with the reason."""


@cache
def paths() -> tuple[str, ...]:
    """Return the files of the project, those that are not committed yet too."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(path for path in listed.stdout.splitlines() if (ROOT / path).is_file())


def belong(path: str, patterns: Iterable[str]) -> bool:
    """Return whether one of the patterns matches a path."""
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def files_of(names: Iterable[str]) -> list[str]:
    """Return the files of some wings, with their tests."""
    patterns = [pattern for name in names for pattern in (*WINGS[name].modules, *WINGS[name].tests)]
    return [path for path in paths() if belong(path, patterns)]


def core() -> list[str]:
    """Return the modules that belong to no wing."""
    of_wings = [pattern for wing in WINGS.values() for pattern in wing.modules]
    of_wings.append("*/wings/__init__.py")
    return [
        path
        for path in paths()
        if path.endswith(".py") and path.startswith(PACKAGES) and not belong(path, of_wings)
    ]


# What the core knows


class Known(NamedTuple):
    """How much of the core knows a wing."""

    modules: list[str]
    branches: int
    """The conditions and cases that name it."""


def known(name: str) -> Known:
    """Return which modules of the core name a wing in their code, and in how many branches.

    Leaves out the exceptions.
    """
    found, branches = [], 0
    for path in core():
        if path in EXCEPTIONS.get(name, ()):
            continue
        text = (ROOT / path).read_text("utf-8")
        tree = ast.parse(text)
        lines = _matching_lines(text, tree, WINGS[name].names)
        if lines:
            found.append(path)
            branches += sum(not lines.isdisjoint(span) for span in _conditions(tree))
    return Known(found, branches)


def names_wing(path: str, name: str) -> bool:
    """Return whether a module names a wing in its code."""
    text = (ROOT / path).read_text("utf-8")
    return bool(_matching_lines(text, ast.parse(text), WINGS[name].names))


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


# What is left without a wing


class _Without(MetaPathFinder):
    """Keeps modules from being found."""

    def __init__(self, gone: frozenset[str]) -> None:
        self._gone = gone

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise ModuleNotFoundError for what is gone, and leave the rest to others."""
        if name in self._gone:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def block(names: Sequence[str]) -> None:
    """Keep the modules of some wings from being found, in this process."""
    gone = {path for path in files_of(names) if path.endswith(".py")}
    left = {str(Path(path).parent) for path in paths() if path not in gone}
    emptied = {str(Path(path).parent) for path in gone} - left
    sys.meta_path.insert(0, _Without(frozenset(map(_module, gone | emptied))))


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def broken_imports(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the files, of the core and of the tests, that do not import without each group."""
    # Libraries are imported once, our own modules anew in a process for each group.
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
    return [line.split() for line in done.stdout.splitlines()]


def _print_broken(groups: Sequence[Sequence[str]]) -> None:
    sys.path.insert(0, str(ROOT))
    kept = [path for path in paths() if _is_imported(path)]
    for path in kept:
        _is_whole(path)
    for group in groups:
        child = os.fork()
        if not child:
            for name in [*sys.modules]:
                if name.partition(".")[0] in (*PACKAGES, "tests"):
                    del sys.modules[name]
            block(group)
            gone = files_of(group)
            broken = [path for path in kept if path not in gone and not _is_whole(path)]
            print(*broken, flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise SystemExit(f"the imports without {group} ended otherwise")


def _is_imported(path: str) -> bool:
    # What helps tests is imported by them; some of it is a program, and runs when imported.
    is_test = path.startswith("tests/") and Path(path).name.startswith(("test_", "conftest"))
    is_ours = path.startswith(PACKAGES) and not path.endswith("__main__.py")
    return path.endswith(".py") and (is_test or is_ours)


def _is_whole(path: str) -> bool:
    try:
        importlib.import_module(_module(path))
    except ImportError:
        return False
    except BaseException as error:
        # A test that skips itself has been found.
        if type(error).__name__ != "Skipped":
            raise
    return True


def remove(names: Sequence[str], target: Path) -> None:
    """Copy the project into an empty folder, without some wings."""
    gone = {*files_of(names)}
    listed = re.compile(rf'^ *"({"|".join(names)})": \([^()]*\),\n', re.M)
    for path in paths():
        if path in gone:
            continue
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, target / path, follow_symlinks=False)
        if re.fullmatch(r"(netcode|driflamme_tui)/wings/__init__\.py", path):
            # The line of a wing is all that the rest of the program has of it.
            text = (target / path).read_text("utf-8")
            (target / path).write_text(listed.sub("", text), "utf-8")


def inventory(tree: Path) -> set[str]:
    """Return what players and other programs meet in a tree: commands, options, messages, keys."""
    program = "from scripts.lib.wings import _print_inventory; _print_inventory()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return {*done.stdout.splitlines()}


def _print_inventory() -> None:
    from typer.main import get_command

    from driflamme_tui.cli.command_list import all_commands as shell_commands
    from driflamme_tui.cli.program import app
    from driflamme_tui.keymap.key_bindings import all_commands
    from netcode.protocol.codec import messages_from_client, messages_from_host
    from netcode.protocol.table_settings import TableSettings

    group = get_command(app)
    for name in shell_commands():
        command = group.get_command(None, name)  # type: ignore[attr-defined]
        print(f"command {name}")
        for parameter in command.params:
            print(*(f"option {name} {each}" for each in parameter.opts), sep="\n")
    for kinds in (messages_from_client(), messages_from_host()):
        print(*(f"message {each.__name__}" for each in kinds), sep="\n")
    print(*(f"setting {each}" for each in TableSettings.__struct_fields__), sep="\n")
    print(*(f"key {each}" for each in all_commands()), sep="\n")


class Tests(NamedTuple):
    """The functions of tests in a report, and why some were skipped."""

    there: frozenset[str]
    skipped: Mapping[str, str]


def core_tests(names: Sequence[str]) -> frozenset[str]:
    """Return the tests of this tree that belong to no wing of some, as pytest names them."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "--no-header"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    tests = {line for line in done.stdout.splitlines() if "::" in line}
    of_wings = [pattern for name in names for pattern in WINGS[name].tests]
    return frozenset(each for each in tests if not belong(each.partition("::")[0], of_wings))


def tests_of(report: Path) -> Tests:
    """Return the tests of a report in the form of JUnit, and those that were skipped."""
    there, skipped = set[str](), dict[str, str]()
    for case in ElementTree.parse(report).iter("testcase"):
        name = _function(f"{case.get('classname')}::{case.get('name')}")
        there.add(name)
        found = case.find("skipped")
        if found is not None:
            skipped[name] = found.get("message", "")
    return Tests(frozenset(there), skipped)


def as_reported(test: str) -> str:
    """Return the name that a report in the form of JUnit has for a test."""
    path, _, name = test.partition("::")
    return _function(f"{_module(path)}::{name}")


def _function(test: str) -> str:
    """Return the name of a test without its parameters, which may be what wings bring."""
    return test.partition("[")[0]


def without(names: Sequence[str]) -> list[str]:
    """Return what fails in the rest of the tree: types, contracts, tests and what they count."""
    with TemporaryDirectory(prefix="wings-") as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        remove(names, tree)
        (tree / ".venv").symlink_to(ROOT / ".venv")
        # Some tests ask which files belong to the project.
        for arguments in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", *arguments], cwd=tree, check=True)
        report = Path(folder) / "tests.xml"
        environment = {**os.environ, "PYTHONPATH": str(tree)}
        table = [sys.executable, "-m", "scripts.lib.wing_table"]
        subprocess.run(table, cwd=tree, env=environment, check=True)
        workers = str(1 + (os.cpu_count() or 1))
        checks = {
            "types": ["mypy"],
            "import contracts": ["lint-imports"],
            "tests": [
                *("python", "-m", "pytest", "-q", "-n", workers, "--dist", "worksteal"),
                f"--junit-xml={report}",
            ],
        }
        failed = []
        for check, (tool, *arguments) in checks.items():
            program = str(ROOT / ".venv" / "bin" / tool)
            print(f"-- {check}", flush=True)
            done = subprocess.run([program, *arguments], cwd=tree, env=environment)
            if done.returncode:
                failed.append(check)
        failed += [*_missed_tests(names, report), *_gone(tree)]
        return failed


def _missed_tests(names: Sequence[str], report: Path) -> Iterator[str]:
    """Yield what is wrong with the number of tests that are left, or are skipped."""
    print("-- number of tests", flush=True)
    if not report.exists():
        yield "the number of tests is not known"
        return
    left, wanted = tests_of(report), {*map(as_reported, core_tests(names))}
    lost = sorted(wanted - left.there)
    print(f"   {len(wanted)} tests of the core and other wings, {len(lost)} of them are missing")
    if lost:
        yield "missing tests: " + ", ".join(lost[:9])
    skips = sorted(left.skipped.items())
    because = [each for each, why in skips if any(name in why for name in names)]
    if because:
        yield "skipped tests: " + ", ".join(because)


def _gone(tree: Path) -> Iterator[str]:
    """Yield what is new without a wing; print what is gone."""
    print("-- gone", flush=True)
    try:
        before, after = inventory(ROOT), inventory(tree)
    except RuntimeError as error:
        yield f"no inventory: {str(error).splitlines()[-1]}"
        return
    print(*sorted(before - after), sep="\n", flush=True)
    if not before - after:
        yield "nothing that players or programs meet is gone"
    if after - before:
        yield "what is new without it: " + ", ".join(sorted(after - before))


# What only the tests of a wing execute


CORE_TESTS: Final = "core"
"""Stands for the tests that belong to no wing, where an owner of tests is named."""


def covered_by_one_wing(lines: Mapping[str, Mapping[str, set[int]]]) -> dict[str, dict[str, int]]:
    """Return by wing and module of the core how many lines only the tests of this wing execute.

    Args:
        lines: The lines that were executed, by the owner of the tests and by path. Those that a
            module executes when it is imported belong to no test, and the modules of seams are
            there for wings.
    """
    # This file is run by its path.
    sys.path.insert(0, str(ROOT))
    from scripts.lib.wing_table import seams

    seam_modules = {path for seam in seams() for path in (seam.defined, seam.reader)}
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for path in core():
        if path in seam_modules:
            continue
        inner = _lines_of_functions(path)
        for name in lines.keys() - {CORE_TESTS}:
            others = [lines[each].get(path, set()) for each in lines if each != name]
            alone = lines[name].get(path, set()) & inner - set[int]().union(*others)
            if alone:
                found[name][path] = len(alone)
    return found


def _lines_of_functions(path: str) -> set[int]:
    """Return the lines that stand in the body of a function."""
    found = set[int]()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found |= {*range(node.body[0].lineno, (node.end_lineno or 0) + 1)}
    return found


def executed(wanted: Sequence[str], packages: Sequence[str]) -> dict[str, dict[str, set[int]]]:
    """Return the lines that the tests of each owner execute, by path.

    Each owner has a run of its own: this takes half the time of noting the test of each line.
    """
    from coverage import CoverageData

    runs = {CORE_TESTS: ["tests", "--ignore=tests/wings"]}
    runs |= {name: [f"tests/wings/{name}"] for name in wanted}
    if [*packages] != [*PACKAGES]:
        # Tests of the face execute little of the others that their own tests do not.
        folders = [f"tests/{each}" for each in packages if (ROOT / "tests" / each).exists()]
        runs[CORE_TESTS] = [*folders, "tests/e2e", "--ignore=tests/wings"]
    found: dict[str, dict[str, set[int]]] = {}
    with TemporaryDirectory(prefix="wings-") as folder:
        for name, tests in runs.items():
            file = Path(folder) / name
            command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"]
            command += [*tests, "--cov-report=", *(f"--cov={each}" for each in packages)]
            print(f"-- {name}: {' '.join(tests)}", flush=True)
            subprocess.run(command, cwd=ROOT, env={**os.environ, "COVERAGE_FILE": str(file)})
            data = CoverageData(str(file))
            data.read()
            files = [path for path in data.measured_files() if Path(path).is_relative_to(ROOT)]
            found[name] = {
                Path(path).relative_to(ROOT).as_posix(): {*(data.lines(path) or ())}
                for path in files
            }
    return found


# The command


def main() -> int:
    """Do what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="scripts/wings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("wings", nargs="*", metavar="WING", help=", ".join(WINGS))
    parser.add_argument("--quick", action="store_true", help="run no test")
    parser.add_argument("--coverage", action="store_true", help="run all tests with coverage")
    parser.add_argument(
        "--packages", nargs="+", metavar="FOLDER", help="with --coverage: measure these alone"
    )
    options = parser.parse_args()
    unknown = [name for name in options.wings if name not in WINGS]
    if unknown:
        parser.error(f"there is no wing {unknown[0]!r}; there are {', '.join(WINGS)}")
    wanted = options.wings or [*WINGS]
    groups = [[name] for name in wanted] + ([[*WINGS]] if not options.wings else [])
    if options.coverage:
        packages = options.packages or [*PACKAGES]
        for name, found in covered_by_one_wing(executed(wanted, packages)).items():
            print(f"{name}: {sum(found.values())} lines in {len(found)} modules")
            for path, lines in sorted(found.items(), key=lambda each: -each[1]):
                print(f"  {path}: {lines}")
        return 0
    if options.quick:
        for name in wanted:
            modules, branches = known(name)
            print(f"{name}: known in {len(modules)} core modules and {branches} branches")
            for path, reason in EXCEPTIONS.get(name, {}).items():
                print(f"  besides in {path}: {reason}")
        for group, broken in zip(groups, broken_imports(groups), strict=True):
            tests = sum(path.startswith("tests/") for path in broken)
            title = group[0] if len(group) == 1 else "all together"
            print(f"without {title}: {tests} tests and {len(broken) - tests} modules do not import")
        return 0
    failed = {" ".join(group): without(group) for group in groups}
    for title, checks in failed.items():
        print(f"without {title}: {', '.join(checks) or 'all is well'}")
    return int(any(failed.values()))


if __name__ == "__main__":
    sys.exit(main())
