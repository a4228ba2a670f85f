"""The command line of `scripts/bench`: one subcommand for each bench_NAME.py beside this file.

Such a module's docstring begins with the line that `--help` shows, and it has
`main(json: bool) -> int`, which prints its figures (with `json`, one object and nothing else)
and returns the exit status. If it has `add_options(parser)`, `main` takes those options too. Only
the one that was asked for is imported, so that a benchmark measures a process without the others'
imports.
"""

import argparse
import ast
import importlib
import sys
from pathlib import Path
from typing import Protocol, cast

PREFIX = "bench_"


class Benchmark(Protocol):
    """What a module bench_NAME.py provides."""

    def main(self, json: bool, **options: object) -> int:
        """Measure, print, and return the exit status."""


def summaries() -> dict[str, str]:
    """The first docstring line of every benchmark there is, by its name."""
    found = {}
    for path in sorted(Path(__file__).parent.glob(f"{PREFIX}*.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[path.stem.removeprefix(PREFIX)] = docstring.partition("\n")[0]
    return found


def parser(asked: str) -> argparse.ArgumentParser:
    """The command line, which itself ends the process with 2 when it is used wrongly.

    It knows the options of that one benchmark only which is asked for.
    """
    top = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Print how fast a part of Driflamme is on this machine.",
        epilog="example: scripts/bench engine --json",
        allow_abbrev=False,
    )
    names = top.add_subparsers(dest="name", metavar="NAME", required=True)
    for name, summary in summaries().items():
        command = names.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        command.add_argument("--json", action="store_true", help="print one JSON object")
        if name == asked:
            add_options = getattr(importlib.import_module(PREFIX + name), "add_options", None)
            if add_options is not None:
                add_options(command)
    return top


def run(arguments: list[str]) -> int:
    """Run the benchmark that was asked for and return its exit status."""
    name = next((each for each in arguments if not each.startswith("-")), "")
    asked = vars(parser(name).parse_args(arguments))
    benchmark = cast(Benchmark, importlib.import_module(PREFIX + asked.pop("name")))
    return benchmark.main(**asked)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
