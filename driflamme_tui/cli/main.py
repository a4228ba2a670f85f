"""Starts the `driflamme` command, as the shell does."""

import sys

from driflamme_tui.cli.imports_without_gc import for_good
from netcode.own_process import run_own_command


def run() -> None:
    """Start from the shell: the entry point that is installed as `driflamme`."""
    if run_own_command(sys.argv):
        return
    with for_good():
        from driflamme_tui.cli.program import app
    app(prog_name="driflamme")
