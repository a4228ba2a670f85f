"""Writes the output of commands, and ends commands with an error."""

import shutil
import sys
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Annotated, Final, NoReturn, TextIO

import typer

from driflamme_tui.text.i18n import _
from engine.texts import Text

STANDARD_OUTPUT: Final = "-"
"""The name that stands for the standard output where a file is expected."""

Force = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]


AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON, for programs.")]


@contextmanager
def output_to(file: str, force: bool) -> Iterator[TextIO]:
    """Yield the file to write to; standard output for `-`.

    If the file exists without `force`, or cannot be written, end the command.
    """
    if file == STANDARD_OUTPUT:
        yield sys.stdout
        return
    from netcode.whole_file import whole_file

    try:
        with whole_file(file, force=force) as output:
            yield output
    except FileExistsError:
        fail("{file!r} already exists; --force replaces it.", file=file)
    except OSError as error:
        end_with(not_written(file, error))


def go_only_with(option: str, value: object, others: Mapping[str, object]) -> None:
    """End the command if an option is given, but not one of `others`."""
    if _is_given(value) and not any(map(_is_given, others.values())):
        fail("Use {option} only with {others}.", option=option, others=", ".join(others))


def go_not_together(options: Mapping[str, object]) -> None:
    """End the command if more than one of these options is given."""
    given = [option for option, value in options.items() if _is_given(value)]
    if len(given) > 1:
        one, other, *_more = given
        fail("Use either {one} or {other}, not both.", one=one, other=other)


def _is_given(value: object) -> bool:
    """Return True if an option was given: its value is not None, False, "" or []."""
    return value not in (None, False, "", [])


def not_written(file: str, error: OSError) -> str:
    """Return the sentence that a file cannot be written, with the reason."""
    why = error.strerror or str(error)
    return _("{file!r} cannot be written: {why}. Choose another file.", file=file, why=why)


def columns(rows: Sequence[Sequence[str]], names: Collection[int] = (0,)) -> Iterator[str]:
    """Yield the lines of a table.

    The columns with indexes in `names` are aligned left, and the others, with figures, right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        sides = (
            f"{text:<{width}}" if at in names else f"{text:>{width}}" for at, (text, width) in cells
        )
        yield "  ".join(sides).rstrip()


STATUS_FAILED: Final = 1
"""The exit status if a valid request failed."""

BAD_INPUT: Final = 2
"""The exit status for an impossible request."""

STATUS_INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as in shells."""


def complain(sentence: str) -> None:
    """Write a sentence about a problem to standard error."""
    echo_error(f"driflamme: {sentence}")


def echo_error(text: str) -> None:
    """Write a text to standard error, wrapped at whole words in a terminal."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        lines = (
            textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
            for line in text.splitlines()
        )
        text = "\n".join(chain.from_iterable(lines))
    typer.echo(text, err=True)


def end_with(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    """Write one sentence to standard error, and end the command with a status."""
    complain(sentence)
    raise typer.Exit(status)


def fail(template: Text, **values: object) -> NoReturn:
    """Write a sentence about an impossible request to standard error, and end the command."""
    end_with(_(template, **values))
