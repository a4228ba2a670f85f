"""The command line that opens a club."""

from typing import Final

from tests.support.command_lines import CommandLines

COMMAND_LINES: Final = CommandLines(
    listening=("serve",),
    hosting=(("serve",),),
    running={"a club": (("serve", "--bind", "127.0.0.1", "--port", "0"), "Ctrl-C")},
)
