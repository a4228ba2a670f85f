"""The command line of `scripts/bench`: one subcommand for each bench_NAME.py in this folder.

The first line of such a module's docstring is its line in `--help`. The module has a function
`measure(short: bool) -> list[Figure]`. With `short` it takes as little time as possible, and its
figures are meaningless. Only the chosen module is imported, so that other imports do not change its
figures. `all` runs each module in a separate process.
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
    """Return the first docstring line of every benchmark, by name."""
    found = {}
    for path in sorted(Path(__file__).parent.glob(f"{PREFIX}*.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[path.stem.removeprefix(PREFIX)] = docstring.partition("\n")[0]
    return found


def run(arguments: list[str]) -> int:
    """Run the benchmarks that the arguments name; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Print how fast a part of Driflamme is on this machine.",
        epilog="\n".join(f"{name:8}{text}" for name, text in summaries().items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("name", choices=[*summaries(), ALL], help="what is measured, as below")
    parser.add_argument("--short", action="store_true", help="in seconds: whether it runs")
    chosen = parser.parse_args(arguments)
    if chosen.name == ALL:
        options = [each for each in arguments if each != ALL]
        command = [sys.executable, __file__, *options]
        return max(subprocess.run([*command, name]).returncode for name in summaries())
    module = importlib.import_module(f"scripts.lib.{PREFIX}{chosen.name}")
    print_figures(chosen.name, module.measure(chosen.short))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
