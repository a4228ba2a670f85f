"""Checks the project without some wings: its types, contracts and tests."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree import ElementTree

from scripts.lib.wings import ROOT, belong, files_of, module_of, paths, tests_of


def remove(names: Sequence[str], target: Path) -> None:
    """Copy the project into an empty folder, without some wings."""
    gone = {*files_of(names)}
    for path in paths():
        if path in gone:
            continue
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, target / path, follow_symlinks=False)
        if path.endswith((".md", "/wings/__init__.py", "pyproject.toml")):
            text = (target / path).read_text("utf-8")
            (target / path).write_text(without_lines(names, text), "utf-8")


def without_lines(names: Sequence[str], text: str) -> str:
    """Return a list of wings, a document or `pyproject.toml` without the lines of some wings."""
    if not names:
        return text
    any_of = "|".join(names)
    line = rf'^ *"({any_of})": \([^()]*\),\n|^.*(<!--|#) wing: ({any_of})\b.*\n'
    return re.sub(line, "", text, flags=re.M)


def make_environment(tree: Path) -> Path:
    """Make a `.venv` for a tree, with this environment's libraries.

    Return the folder of its programs.

    The present environment has the project installed, so programs would still find the removed
    modules there.
    """
    folder = tree / ".venv"
    venv.create(folder, symlinks=True)
    paths = {"base": str(folder), "platbase": str(folder)}
    site, programs = (Path(sysconfig.get_path(kind, vars=paths)) for kind in ("purelib", "scripts"))
    # If this environment was made in the same way, its libraries are in yet another environment.
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (site / "libraries.pth").write_text("\n".join((str(tree), *libraries)))
    made_of = Path(sys.prefix) / "driflamme-setup"
    if made_of.exists():
        # Without this file, `scripts/driflamme` would make a new environment.
        shutil.copy2(made_of, folder / made_of.name)
    for name in ("driflamme", "lint-imports"):
        text = (Path(sys.executable).parent / name).read_text("utf-8")
        _shebang, _, rest = text.partition("\n")
        (programs / name).write_text(f"#!{programs / 'python'}\n{rest}", "utf-8")
        (programs / name).chmod(0o755)
    return programs


def inventory(tree: Path) -> set[str]:
    """Return a tree's public names: commands, options, messages, settings and keys.

    Raises RuntimeError if the tree's program fails.
    """
    program = "from scripts.lib.wing_removal import print_inventory; print_inventory()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tree,
        env=environment(tree),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return {*done.stdout.splitlines()}


def print_inventory() -> None:
    """Print the inventory of the tree that this module belongs to."""
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


class Result(NamedTuple):
    """The result of checking the project without some wings."""

    ran: int
    failed: int
    skipped: int
    wrong: list[str]
    """A sentence, or the name of a check, for each failure."""


class Tests(NamedTuple):
    """The test functions of a report, and the reasons for skipped ones."""

    there: frozenset[str]
    skipped: Mapping[str, str]
    ran: int = 0
    """Number of tests that ran; `failed` and `left_out` are the numbers of failed and skipped
    tests.
    """
    failed: int = 0
    left_out: int = 0


def core_tests(names: Sequence[str]) -> frozenset[str]:
    """Return the tests of this tree that belong to none of these wings, by pytest's names."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "--no-header"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    tests = {line for line in done.stdout.splitlines() if "::" in line}
    of_wings = [pattern for name in names for pattern in tests_of(name)]
    return frozenset(each for each in tests if not belong(each.partition("::")[0], of_wings))


def reported(report: Path) -> Tests:
    """Return the tests in a report of the JUnit format, with the skipped ones."""
    there, skipped = set[str](), dict[str, str]()
    ran = failed = left_out = 0
    for case in ElementTree.parse(report).iter("testcase"):
        name = _function(f"{case.get('classname')}::{case.get('name')}")
        there.add(name)
        ran += 1
        failed += any(case.find(each) is not None for each in ("failure", "error"))
        found = case.find("skipped")
        if found is not None:
            left_out += 1
            skipped[name] = found.get("message", "")
    return Tests(frozenset(there), skipped, ran - left_out, failed, left_out)


def as_reported(test: str) -> str:
    """Return a test's name as a JUnit report has it."""
    path, _, name = test.partition("::")
    return _function(f"{module_of(path)}::{name}")


def _function(test: str) -> str:
    """Return the name of a test without its parameters, which wings may add."""
    return test.partition("[")[0]


def without(names: Sequence[str], workers: int | None = None) -> Result:
    """Check types, contracts and tests in a copy of the project without some wings.

    `workers` is the number of processes that run tests; by default one more than there are cores.
    """
    with TemporaryDirectory(prefix="wings-") as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        programs = prepare(names, tree)
        report = Path(folder) / "tests.xml"
        several = str(workers or 1 + (os.cpu_count() or 1))
        python = str(programs / "python")
        checks = {
            "types": [python, "-m", "mypy"],
            "import contracts": [str(programs / "lint-imports")],
            "tests": [
                *(python, "-m", "pytest", "-q", "-n", several, "--dist", "worksteal"),
                f"--junit-xml={report}",
            ],
        }
        wrong = []
        for check, command in checks.items():
            print(f"-- {check}", flush=True)
            if subprocess.run(command, cwd=tree, env=environment(tree)).returncode:
                wrong.append(check)
        if not report.exists():
            return Result(0, 0, 0, [*wrong, "the number of tests is not known", *_gone(tree)])
        tests = reported(report)
        wrong += [*_missed_tests(names, tests), *_gone(tree)]
        return Result(tests.ran, tests.failed, tests.left_out, wrong)


def prepare(names: Sequence[str], tree: Path) -> Path:
    """Make a tree without some wings, as a developer who deletes them would.

    Return the folder of its programs.
    """
    remove(names, tree)
    programs = make_environment(tree)
    python = str(programs / "python")
    # Make it a git repository, since some tests ask git for the project's files.
    for arguments in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *arguments], cwd=tree, check=True)
    # Generate files again, and pictures that show parts of a wing.
    written = ["-m", "scripts.lib.wing_table"], ["scripts/lib/catalogues.py"]
    for command in written:
        subprocess.run([python, *command], cwd=tree, env=environment(tree), check=True)
    drawn = ["-m", "pytest", "-q", "tests/driflamme_tui/app/test_snapshots.py"]
    command = [python, *drawn, "--snapshot-update"]
    subprocess.run(command, cwd=tree, env=environment(tree), stdout=subprocess.DEVNULL)
    changed = subprocess.run(
        ["git", "diff", "--stat"], cwd=tree, check=True, capture_output=True, text=True
    )
    print(f"-- written anew\n{changed.stdout}", flush=True)
    subprocess.run(["git", "add", "-A"], cwd=tree, check=True)
    return programs


def environment(tree: Path) -> Mapping[str, str]:
    """Return the environment in which programs of a tree run."""
    return {**os.environ, "PYTHONPATH": str(tree)}


def _missed_tests(names: Sequence[str], left: Tests) -> Iterator[str]:
    """Yield an error for missing tests, and one for tests that a removed wing made pytest skip."""
    print("-- number of tests", flush=True)
    wanted = {*map(as_reported, core_tests(names))}
    lost = sorted(wanted - left.there)
    print(f"   {len(wanted)} tests of the core and other wings, {len(lost)} of them are missing")
    if lost:
        yield "missing tests: " + ", ".join(lost[:9])
    skips = sorted(left.skipped.items())
    because = [each for each, why in skips if any(name in why for name in names)]
    if because:
        yield "skipped tests: " + ", ".join(because)


def _gone(tree: Path) -> Iterator[str]:
    """Compare names with a tree without a wing, and print the missing names.

    Yield an error if no name is missing, an error for new names, or an error if names cannot be
    read.
    """
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
