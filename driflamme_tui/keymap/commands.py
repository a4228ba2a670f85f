"""Everything that can be done in the app, as values: what it is called, by which key, and where.

This is the one place in which a key is named. Screens take their bindings from here through
`key_bindings.py`, which also knows which keys a player has chosen instead; key bars, prompts, help
and the command palette ask there. How a command is carried out is the screen's business: its method
`action_...`.
"""

from collections.abc import Iterable
from typing import Final

from driflamme_tui.keymap.command import BAR, CARD_LETTERS, TAKEN, UNBOUND, Command, On
from driflamme_tui.keymap.general_commands import CLUB, EVERYWHERE, SESSION, START
from driflamme_tui.keymap.history_commands import DELETION, HISTORY, PAST, STATISTICS
from driflamme_tui.keymap.lobby_commands import LOBBY
from driflamme_tui.keymap.overlay_commands import OPTIONS, OVERLAYS, PALETTE, PEOPLE
from driflamme_tui.keymap.replay_commands import REPLAY
from driflamme_tui.keymap.table_commands import LESSON, RESULT, TABLE

__all__ = [
    "BAR",
    "CARD_LETTERS",
    "COMMANDS",
    "SCREENS",
    "TAKEN",
    "UNBOUND",
    "Command",
    "On",
    "commands_on",
]

COMMANDS: Final = {
    command.id: command
    for command in (
        *EVERYWHERE,
        *START,
        *CLUB,
        *HISTORY,
        *STATISTICS,
        *PAST,
        *DELETION,
        *SESSION,
        *LOBBY,
        *TABLE,
        *LESSON,
        *RESULT,
        *REPLAY,
        *OVERLAYS,
        *PEOPLE,
        *OPTIONS,
        *PALETTE,
    )
}
"""Every command by its id, in the order in which help lists them."""

SCREENS: Final[dict[str, tuple[On, ...]]] = {
    "start": ("everywhere", "helped", "opted", "start"),
    "code": ("everywhere", "helped", "code"),
    "club": ("everywhere", "helped", "opted", "club"),
    "history": ("everywhere", "helped", "opted", "past", "history"),
    "statistics": ("everywhere", "helped", "opted", "past", "statistics"),
    "deletion": ("everywhere", "helped", "deletion"),
    "lobby": ("everywhere", "helped", "opted", "session", "lobby"),
    "table": ("everywhere", "helped", "opted", "session", "table"),
    "lesson": ("everywhere", "helped", "opted", "session", "table", "lesson"),
    "lesson end": ("everywhere", "helped", "lesson end"),
    "result": ("everywhere", "helped", "opted", "session", "result"),
    "replay": ("everywhere", "helped", "opted", "replay"),
    "find": ("everywhere", "helped", "find"),
    "writing": ("writing",),
    "talk": ("writing", "talk"),
    "events": ("everywhere", "helped", "overlay", "events"),
    "known": ("everywhere", "helped", "overlay", "known"),
    "help": ("everywhere", "help"),
    "leave": ("everywhere", "helped", "leave"),
    "people": ("everywhere", "helped", "people"),
    "invitation": ("everywhere", "helped", "invitation"),
    "options": ("everywhere", "helped", "options"),
    "commands": ("commands",),
}
"""Which commands exist at one time, so that each needs a key of its own."""


def commands_on(kinds: Iterable[On]) -> list[Command]:
    """Return the commands of these sets, in the registry's order."""
    wanted = set(kinds)
    return [command for command in COMMANDS.values() if command.on in wanted]
