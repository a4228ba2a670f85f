"""What all commands have in common: translated help, and one sentence when something is wrong."""

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from driflamme_tui.i18n import _, set_language

FAILED = 1
"""Exit status when the machine would not do what was asked."""

BAD_INPUT = 2
"""Exit status when something impossible was asked."""

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


def fail(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    """End the command with one sentence on standard error."""
    _complain(sentence)
    raise typer.Exit(status)


class CommandGroup(TyperGroup):
    """The commands, in the player's language, never ending in a traceback for bad input.

    Texts of help are marked with `N_` where they stand and translated here.
    """

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and end the process with its status."""
        _print_what_the_terminal_can()
        set_language(None)
        for command in (self, *self.commands.values()):
            if isinstance(command, TyperCommand | TyperGroup):
                _translate(command)
        try:
            status = super().main(
                args, prog_name, complete_var, False, windows_expand_args, **extra
            )
        except (KeyboardInterrupt, typer.Abort):
            status = INTERRUPTED
        except OSError as error:
            _complain(error.strerror or str(error))
            _forget_output()
            status = FAILED
        except Exception as error:
            # Typer's own complaints have had different bases, but all have this method.
            message = getattr(error, "format_message", None)
            if message is None:
                raise
            _complain(" ".join(message().split()))
            status = BAD_INPUT
        sys.exit(status if isinstance(status, int) else 0)


def _complain(sentence: str) -> None:
    typer.echo(f"driflamme: {sentence}", err=True)


def _translate(command: TyperCommand | TyperGroup) -> None:
    command.help = _(command.help) if command.help else None
    command.epilog = _(command.epilog) if command.epilog else None
    for parameter in command.params:
        text = getattr(parameter, "help", None)
        if text:
            setattr(parameter, "help", _(text))  # noqa: B010 - only some kinds have it


def _print_what_the_terminal_can() -> None:
    """Let a terminal that lacks a letter show a question mark rather than fail."""
    with contextlib.suppress(AttributeError, ValueError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]


def _forget_output() -> None:
    """Keep Python from trying once more, when it ends, to write what could not be written."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
