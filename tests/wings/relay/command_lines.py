"""The command line that opens a relay."""

from typing import Final

from tests.support.command_lines import CommandLines

COMMAND_LINES: Final = CommandLines(listening=("relay",))
