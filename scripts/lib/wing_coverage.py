"""Finds the lines of the core that only the tests of one wing execute."""

import ast
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from scripts.lib.wing_table import seams
from scripts.lib.wings import PACKAGES, ROOT, WINGS, core

CORE_TESTS: Final = "core"
"""The owner of all tests that belong to no wing."""


SCREENS: Final = ("app", "drawing", "screens", "widgets", "wording", "study", "keymap", "model")
"""Folders with tests of screens. They execute only code that has its own tests."""


def covered_by_one_wing(
    lines: Mapping[str, Mapping[str, set[int]]],
) -> dict[str, dict[str, set[int]]]:
    """Return, by wing and core module, the lines that only this wing's tests execute.

    Args:
        lines: The executed lines, by the owner of the tests and by path. Lines that run at import
            belong to no test, and modules of seams exist for wings: both are left out.
    """
    seam_modules = {path for seam in seams() for path in (seam.defined, seam.reader)}
    executed_at_all = {path for modules in lines.values() for path in modules}
    found: dict[str, dict[str, set[int]]] = defaultdict(dict)
    for path in executed_at_all.intersection(core()) - seam_modules:
        inner = _lines_of_functions(path)
        for name in lines.keys() - {CORE_TESTS}:
            others = [lines[each].get(path, set()) for each in lines if each != name]
            alone = lines[name].get(path, set()) & inner - set[int]().union(*others)
            if alone and not (name in WINGS and path in WINGS[name].covers):
                found[name][path] = alone
    return found


def _lines_of_functions(path: str) -> set[int]:
    """Return the lines in the bodies of functions."""
    found = set[int]()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found |= {*range(node.body[0].lineno, (node.end_lineno or 0) + 1)}
    return found


def executed(wanted: Sequence[str], packages: Sequence[str]) -> dict[str, dict[str, set[int]]]:
    """Return the lines that each owner's tests execute, by path.

    The wings' tests run first, one wing after another. The other tests run last, measured only for
    modules with lines that a single wing's tests execute.
    """
    found: dict[str, dict[str, set[int]]] = {}
    for name in wanted:
        found[name] = _measured([f"tests/wings/{name}"], [f"{each}/*" for each in packages])
    left = {path for modules in covered_by_one_wing(found).values() for path in modules}
    tests = ["tests", "--ignore=tests/wings", "--ignore=tests/scripts"]
    if not any(path.startswith("engine/") for path in left):
        tests.append("--ignore=tests/engine")
    if [*packages] != [*PACKAGES]:
        # Leave out the tests of screens, which take long. They execute hardly any line of another
        # package that the other tests do not execute.
        tests += [f"--ignore=tests/driflamme_tui/{each}" for each in SCREENS]
    found[CORE_TESTS] = _measured(tests, sorted(left))
    return found


def _measured(tests: Sequence[str], modules: Sequence[str]) -> dict[str, set[int]]:
    """Run tests; return the lines of some modules that they execute, by path."""
    from coverage import CoverageData

    with TemporaryDirectory(prefix="wings-") as folder:
        settings, file = Path(folder) / "settings", Path(folder) / "lines"
        include = "".join(f"\n    {ROOT / each}" for each in modules)
        settings.write_text(f"[run]\ninclude ={include}\n")
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *tests]
        command += ["--cov", f"--cov-config={settings}", "--cov-report="]
        print(f"-- {' '.join(tests)}: {len(modules)} patterns", flush=True)
        subprocess.run(command, cwd=ROOT, env={**os.environ, "COVERAGE_FILE": str(file)})
        data = CoverageData(str(file))
        data.read()
        return {
            Path(path).relative_to(ROOT).as_posix(): {*(data.lines(path) or ())}
            for path in data.measured_files()
            if Path(path).is_relative_to(ROOT)
        }


def print_coverage(wanted: Sequence[str], packages: Sequence[str]) -> int:
    """Print the lines that only the tests of one wing execute; return 1 if there are any."""
    found = covered_by_one_wing(executed(wanted, packages))
    for name, modules in found.items():
        print(f"{name}: {sum(map(len, modules.values()))} lines in {len(modules)} modules")
        for path, lines in sorted(modules.items(), key=lambda each: -len(each[1])):
            print(f"  {path}: {', '.join(map(str, sorted(lines)))}")
    return int(bool(found))
