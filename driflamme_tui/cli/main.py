"""Starts the `driflamme` command, as the shell does."""

import sys


def run() -> None:
    """Run the program: the entry point that is installed as `driflamme`."""
    if getattr(sys, "frozen", False) or sys.argv[1:2] == ["--run-module"]:
        # Import here: an ordinary start runs no hidden command.
        from netcode.child_process import run_hidden_command

        if run_hidden_command(sys.argv):
            return
    else:
        from driflamme_tui.cli.hidden_arguments import hide_secrets

        hide_secrets()
    from driflamme_tui.cli.quick_start import find_modules_quickly, for_good

    find_modules_quickly()
    with for_good():
        from driflamme_tui.cli.program import app
        from driflamme_tui.text.i18n import started_as
    app(prog_name=started_as())
