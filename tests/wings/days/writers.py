"""The files that games of days store on a host."""

from collections.abc import Callable
from typing import Final

WRITERS: Final[list[Callable[[], object]]] = []

ELSEWHERE: Final = {
    # Creates exclusively, and so follows no link.
    ("wings/days/call_command.py", "O_CREAT"),
}
"""Modules that may create files with other functions than the program's own, each with its call."""
