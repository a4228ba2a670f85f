"""Starts the `driflamme` command, as the shell does."""

from driflamme_tui.cli.imports_without_gc import for_good


def run() -> None:
    """Start from the shell: the entry point that is installed as `driflamme`."""
    with for_good():
        from driflamme_tui.cli.program import app
    app(prog_name="driflamme")
