"""The command line of `scripts/bench`: one subcommand for each bench_NAME.py beside this file.

Such a module's docstring begins with the line that `--help` shows, and it has
`measure(short: bool) -> list[Figure]`, which with `short` takes as little time as it can, for
figures that mean nothing. Only the one that was asked for is imported, so that a benchmark measures
a process without the others' imports; `all` gives each a process of its own.
"""

import argparse
import ast
import importlib
import json as json_format
import subprocess
import sys
from pathlib import Path

from scripts.lib.figures import Figure, as_object, print_figures, show

PREFIX = "bench_"
ALL = "all"


def summaries() -> dict[str, str]:
    """The first docstring line of every benchmark there is, by its name."""
    found = {}
    for path in sorted(Path(__file__).parent.glob(f"{PREFIX}*.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[path.stem.removeprefix(PREFIX)] = docstring.partition("\n")[0]
    return found


def parser() -> argparse.ArgumentParser:
    """Return the command line, which itself ends the process with 2 when it is used wrongly."""
    top = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Print how fast a part of Driflamme is on this machine.",
        epilog="example: scripts/bench engine --json",
        allow_abbrev=False,
    )
    names = top.add_subparsers(dest="name", metavar="NAME", required=True)
    for name, summary in {**summaries(), ALL: "All of them, one after the other."}.items():
        command = names.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        command.add_argument("--json", action="store_true", help="print one JSON object")
        command.add_argument(
            "--short", action="store_true", help="take seconds: whether it runs, not how fast"
        )
    return top


def run(arguments: list[str]) -> int:
    """Run what was asked for and return the exit status."""
    asked = parser().parse_args(arguments)
    if asked.name == ALL:
        return run_all(asked.json, asked.short)
    module = importlib.import_module(f"scripts.lib.{PREFIX}{asked.name}")
    print_figures(asked.name, module.measure(asked.short), asked.json)
    return 0


def run_all(json: bool, short: bool) -> int:
    """Run each benchmark in a process of its own, and print the figures of all; 1 if one fails."""
    figures: dict[str, list[Figure]] = {}
    failed = []
    for name in summaries():
        print(f"{name} ...", file=sys.stderr, flush=True)
        command = [sys.executable, __file__, name, "--json", *(["--short"] if short else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            failed.append(name)
            continue
        figures[name] = [
            Figure(figure, fields["value"], fields["unit"])
            for figure, fields in json_format.loads(done.stdout).items()
        ]
    if json:
        print(json_format.dumps({name: as_object(each) for name, each in figures.items()}))
    else:
        show(figures)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
