"""Writes the output of commands, and ends commands with an error."""

import re
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Final, NoReturn, TextIO

import typer

from driflamme_tui.text.i18n import _
from engine.texts import Text

STANDARD_OUTPUT: Final = "-"
"""The name that stands for the standard output where a file is expected."""

COMMENT_AT: Final = 44
"""Columns before a comment on the same line."""

BETWEEN: Final = "  "
"""The space between two columns of a table."""

_WORD: Final = re.compile(r" *(?:(?<=: )\S*driflamme .*|[^ ]+)| +$")
"""A word with the spaces before it. A command after a colon counts as one word."""

_POSITION: Final = re.compile(r" *[12] [1-6] (?:-|[rbgyv][*?]?\d*) ")
"""The beginning of a line with a position in notation, which stays whole to be copied."""

Force = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


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
    """Return the sentence stating that a file cannot be written, with the reason."""
    why = error.strerror or str(error)
    return _("{file!r} cannot be written: {why}. Choose another file.", file=file, why=why)


def columns(rows: Sequence[Sequence[str]], names: Collection[int] = (0,)) -> Iterator[str]:
    """Yield the lines of a table.

    The columns with indexes in `names` are aligned left, and the others, with figures, right. In a
    terminal, columns for which a line has no space go to another line, with an indent.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    groups = _groups(widths, shutil.get_terminal_size().columns if sys.stdout.isatty() else None)
    for row in rows:
        for number, group in enumerate(groups):
            sides = (
                f"{row[at]:<{widths[at]}}" if at in names else f"{row[at]:>{widths[at]}}"
                for at in group
            )
            yield (BETWEEN * (number > 0) + BETWEEN.join(sides)).rstrip()


def _groups(widths: Sequence[int], space: int | None) -> list[list[int]]:
    """Return the columns of each line, by index; all in one line if `space` is None."""
    groups: list[list[int]] = [[]]
    used = 0
    for at, width in enumerate(widths):
        if space is not None and groups[-1] and used + len(BETWEEN) + width > space:
            groups.append([])
            used = 0
        used += len(BETWEEN) * (at > 0) + width
        groups[-1].append(at)
    return groups


STATUS_FAILED: Final = 1
"""The exit status if a valid request failed."""

BAD_INPUT: Final = 2
"""The exit status for an impossible request."""

STATUS_INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as in shells."""


def complain(sentence: str) -> None:
    """Write a sentence about a problem to standard error."""
    echo_error(f"driflamme: {sentence}")


def echo(text: str = "", *, err: bool = False, indent: int | None = None) -> None:
    """Write a text to standard output or standard error, wrapped at whole words in a terminal.

    Later rows of a line begin after `indent` columns; by default below the line's first word. A
    word that is longer than a row stays whole, so that a link can be copied. So does a command
    after a colon.
    """
    stream = sys.stderr if err else sys.stdout
    if stream.isatty():
        width = shutil.get_terminal_size().columns
        text = "\n".join(row for line in text.split("\n") for row in _wrapped(line, width, indent))
    typer.echo(text, err=err)


def echo_error(text: str) -> None:
    """Write a text to standard error, wrapped at whole words in a terminal."""
    echo(text, err=True)


def print_commented(line: str, comment: str) -> None:
    """Print a line of TOML with a comment, which stands above it if a terminal has no space."""
    whole = f"{line:{COMMENT_AT}} # {comment}"
    if sys.stdout.isatty() and len(whole) > shutil.get_terminal_size().columns:
        width = shutil.get_terminal_size().columns - len("# ")
        whole = "\n".join([*(f"# {row}" for row in _wrapped(comment, width)), line])
    typer.echo(whole)


def _wrapped(line: str, width: int, indent: int | None = None) -> Iterator[str]:
    """Yield the rows of a line; `indent` is that of `echo`."""
    from rich.cells import cell_len

    if _POSITION.match(line):
        yield line
        return
    if indent is None:
        indent = len(line) - len(line.lstrip(" "))
    row = ""
    for word in _WORD.findall(line):
        if row.strip() and cell_len(row + word) > width:
            yield row
            row = " " * indent + word.lstrip(" ")
        else:
            row += word
    yield row


def end_with(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    """Write one sentence to standard error, and end the command with a status."""
    complain(sentence)
    raise typer.Exit(status)


def fail(template: Text, **values: object) -> NoReturn:
    """Write a sentence about an impossible request to standard error, and end the command."""
    end_with(_(template, **values))
