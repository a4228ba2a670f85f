"""The command lines that verify sealed games."""

from typing import Final

from tests.support.command_lines import CommandLines

COMMAND_LINES: Final = CommandLines(
    read_a_file={"verify": ["verify", "FILE"]},
    read_a_game={"verify": ["verify", "99"]},
)
