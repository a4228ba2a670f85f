"""Lists the commands in the order of `driflamme --help`, without the modules that run them.

A wing adds commands by its module `commands.py`, which contains only lines of the list. The wing's
other modules are loaded only when such a command runs.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.texts import Text

SEAM: Final = "commands"
"""The name of the seam for commands, and of a wing's module that serves this seam."""


class ListedCommand(NamedTuple):
    """A line of the list of commands."""

    name: str
    help: Text
    """The sentence in the list, with which the command's own help begins."""
    module: str
    """The module of the command. A name with a leading dot is in `driflamme_tui.cli.commands`."""
    after: str = ""
    """The core command after which the list shows a wing's command; "" for a core command."""


class WingCommands(NamedTuple):
    """The commands that a wing adds to the list."""

    commands: tuple[ListedCommand, ...]


_CORE: Final = (
    ListedCommand(
        "learn",
        "Learn the game in ten minutes: a guided first game against bots.",
        ".host_command",
    ),
    ListedCommand("host", "Open a table for others and take a seat.", ".host_command"),
    ListedCommand("play", "Play against bots, on this machine only.", ".host_command"),
    ListedCommand("join", "Sit down at a table that somebody has opened.", ".join_command"),
    ListedCommand("watch", "Watch a table; you see what everybody sees.", ".join_command"),
    ListedCommand(
        "history",
        "List your past games, the latest first; driflamme replay NUMBER shows one.",
        ".past_games_commands",
    ),
    ListedCommand(
        "replay",
        "Look back at a game, step by step, from any seat or with all cards open.",
        ".replay_command",
    ),
    ListedCommand(
        "board",
        "Play from any position, and see what the strongest bot thinks of each answer.",
        ".position_commands",
    ),
    ListedCommand("stats", "Summarise your past games.", ".past_games_commands"),
    ListedCommand(
        "puzzle",
        "Solve a puzzle: which answer wins most often in a real position?",
        ".position_commands",
    ),
    ListedCommand("rules", "Print the rules, or all about one card.", ".rules_command"),
    ListedCommand("help", "Print a page of the guide, or the list of pages.", ".rules_command"),
    ListedCommand(
        "keys",
        "Print all keys as they are set, in the form of the options file.",
        ".rules_command",
    ),
    ListedCommand(
        "arena",
        "Let bots play against each other, and print how strong they are.",
        ".contest_commands",
    ),
    ListedCommand(
        "position",
        "List the legal actions of a position, or play from it.",
        ".position_commands",
    ),
    ListedCommand("doctor", "Check this machine for playing and hosting.", ".doctor_command"),
)
"""The commands of the core, in the order of the list."""

_OLD_NAMES: Final = (
    ListedCommand("tables", "The old name of driflamme join --list.", ".tables_command"),
    ListedCommand("simulate", "The old name of driflamme arena --trace.", ".contest_commands"),
)
"""Old names of commands, which still work. No list shows them."""

CORE_COMMANDS: Final[Mapping[str, ListedCommand]] = {
    each.name: each for each in (*_CORE, *_OLD_NAMES)
}
"""The commands of the core by name, including old names."""


def all_commands() -> dict[str, ListedCommand]:
    """Return all commands by name, in the order of the list. Old names are left out."""
    from netcode.registry import wing_values

    added: dict[str, list[ListedCommand]] = {}
    for wing in wing_values("driflamme_tui", SEAM, WingCommands):
        for each in wing.commands:
            added.setdefault(each.after, []).append(each)
    found = (one for each in _CORE for one in (each, *added.get(each.name, ())))
    return {each.name: each for each in found}


def listed_command(name: str) -> ListedCommand | None:
    """Return a command by its name, also by an old one; None for an unknown name.

    A core command is found without loading wings.
    """
    return CORE_COMMANDS.get(name) or all_commands().get(name)
