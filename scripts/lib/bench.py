"""The command line of `scripts/bench`: one subcommand for each bench_NAME.py beside this file.

Such a module's docstring begins with the line that `--help` shows, and it has
`measure(short: bool) -> list[Figure]`, which with `short` takes as little time as it can, for
figures that mean nothing. Only the one that was asked for is imported, so that a benchmark measures
a process without the others' imports; `all` gives each a process of its own.
"""

import argparse
import ast
import importlib
import subprocess
import sys
from pathlib import Path

from scripts.lib.figures import print_figures

PREFIX = "bench_"
ALL = "all"


def summaries() -> dict[str, str]:
    """The first docstring line of every benchmark there is, by its name."""
    found = {}
    for path in sorted(Path(__file__).parent.glob(f"{PREFIX}*.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[path.stem.removeprefix(PREFIX)] = docstring.partition("\n")[0]
    return found


def run(arguments: list[str]) -> int:
    """Run what was asked for and return the exit status: 1 if one of all fails."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Print how fast a part of Driflamme is on this machine.",
        epilog="\n".join(f"{name:8}{text}" for name, text in summaries().items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("name", choices=[*summaries(), ALL], help="what is measured, as below")
    parser.add_argument("--short", action="store_true", help="in seconds: whether it runs")
    asked = parser.parse_args(arguments)
    if asked.name == ALL:
        options = [each for each in arguments if each != ALL]
        command = [sys.executable, __file__, *options]
        return max(subprocess.run([*command, name]).returncode for name in summaries())
    module = importlib.import_module(f"scripts.lib.{PREFIX}{asked.name}")
    print_figures(asked.name, module.measure(asked.short))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
