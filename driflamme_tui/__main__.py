"""Lets `python -m driflamme_tui` do what `driflamme` does."""

from driflamme_tui.cli.main import run

if __name__ == "__main__":
    run()
