"""Command lines of wings for tests of the core.

A wing brings them in `tests/wings/NAME/command_lines.py`, under the name `COMMAND_LINES`.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import pytest

from tests.support.wings import brought


class CommandLines(NamedTuple):
    """The command lines of one wing, sorted by the tests that run them."""

    listening: tuple[str, ...] = ()
    """Commands that listen until a signal ends them; all have `--bind`, `--port` and `--status`."""
    hosting: tuple[tuple[str, ...], ...] = ()
    """Command lines that open tables for others."""
    read_a_file: Mapping[str, list[str]] = {}
    """By command, a line that reads the game in a FILE."""
    read_a_game: Mapping[str, list[str]] = {}
    """By command, a line that reads game 99 of the history."""
    as_json: Mapping[str, tuple[tuple[str, ...], ...]] = {}
    """By command, the lines that print JSON with all documented fields."""
    prepare: Callable[[pytest.MonkeyPatch], object] = lambda _patch: None
    """Prepares data for these lines to print."""
    running: Mapping[str, tuple[tuple[str, ...], str]] = {}
    """Programs that run until their player ends them, each with a pattern of its first output."""


OF_WINGS: Final = brought("command_lines", CommandLines)
