"""How a command ends early: one sentence on standard error, and an exit status."""

from typing import Final, NoReturn

import typer

FAILED: Final = 1
"""Exit status when the machine would not do what was asked."""

BAD_INPUT: Final = 2
"""Exit status when something impossible was asked."""

INTERRUPTED: Final = 130
"""Exit status after Ctrl-C, as shells have it."""


def complain(sentence: str) -> None:
    """Say on standard error what is not as it should be."""
    typer.echo(f"driflamme: {sentence}", err=True)


def fail(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    """End the command with one sentence on standard error."""
    complain(sentence)
    raise typer.Exit(status)
