"""The registry of commands: all of them by id, and which exist together on a screen.

What a command is called and by which key stands in `screen_commands`, `table_commands` and
`overlay_commands`, and nowhere else. Screens take their bindings through `key_bindings`, which also
knows which keys a player has chosen instead; key bars, prompts, help and the command palette ask
there. How a command is carried out is the screen's business: its method `action_...`.
"""

from collections.abc import Iterable
from typing import Final

from driflamme_tui.keymap import overlay_commands, screen_commands, table_commands
from driflamme_tui.keymap.command_type import Command, CommandSet, On

DEFINED_IN: Final = (screen_commands, table_commands, overlay_commands)
"""The modules that define commands."""

COMMANDS: Final = {
    command.id: command for commands in CommandSet.__subclasses__() for command in commands.in_order
}
"""Every command by its id, in the order in which help lists them."""

SCREENS: Final[dict[str, tuple[On, ...]]] = {
    "start": ("everywhere", "helped", "opted", "start"),
    "code": ("everywhere", "helped", "code"),
    "club": ("everywhere", "helped", "opted", "list", "club"),
    "league": ("everywhere", "helped", "opted", "list", "league"),
    "history": ("everywhere", "helped", "opted", "list", "past", "history"),
    "statistics": ("everywhere", "helped", "opted", "past", "statistics"),
    "deletion": ("everywhere", "helped", "deletion"),
    "lobby": ("everywhere", "helped", "opted", "session", "lobby"),
    "table": ("everywhere", "helped", "opted", "session", "table"),
    "board": ("everywhere", "helped", "opted", "session", "table", "board"),
    "lesson": ("everywhere", "helped", "opted", "session", "table", "lesson"),
    "lesson end": ("everywhere", "helped", "lesson end"),
    "result": ("everywhere", "helped", "opted", "session", "result"),
    "replay": ("everywhere", "helped", "opted", "replay"),
    "search": ("writing", "search"),
    "find": ("everywhere", "helped", "find"),
    "writing": ("writing",),
    "talk": ("writing", "talk"),
    "events": ("everywhere", "helped", "overlay", "events"),
    "known": ("everywhere", "helped", "overlay", "known"),
    "help": ("everywhere", "help"),
    "leave": ("everywhere", "helped", "leave"),
    "people": ("everywhere", "helped", "people"),
    "phrases": ("everywhere", "helped", "phrases"),
    "invitation": ("everywhere", "helped", "invitation"),
    "options": ("everywhere", "helped", "options"),
    "commands": ("commands",),
}
"""Which commands exist at one time, so that each needs a key of its own."""


def commands_on(kinds: Iterable[On]) -> list[Command]:
    """Return the commands of these sets, in the registry's order."""
    wanted = set(kinds)
    return [command for command in COMMANDS.values() if command.on in wanted]
