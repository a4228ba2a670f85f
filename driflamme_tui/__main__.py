"""Runs `driflamme` for `python -m driflamme_tui`."""

from driflamme_tui.cli.main import run

if __name__ == "__main__":
    run()
