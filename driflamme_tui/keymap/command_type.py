"""What a command is, and which keys are taken before any command has one."""

from collections.abc import Callable
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from msgspec import Struct

from driflamme_tui.text.i18n import Text
from engine.cards import CARDS, FAMILIES

On: TypeAlias = Literal[
    "app",
    "everywhere",
    "helped",
    "writing",
    "start",
    "code",
    "list",
    "search",
    "club",
    "league",
    "history",
    "statistics",
    "past",
    "deletion",
    "session",
    "lobby",
    "table",
    "result",
    "talk",
    "overlay",
    "events",
    "known",
    "help",
    "leave",
    "people",
    "phrases",
    "invitation",
    "commands",
    "opted",
    "options",
    "board",
    "lesson",
    "lesson end",
    "replay",
    "find",
]
"""A set of commands that a screen, an overlay or a widget has; most screens have several."""

BAR: Final = "key bar"
"""The context in which labels are translated: a word or two, there is little room."""


class Command(Struct, eq=False):
    """Something that can be done; an attribute of a `CommandSet`."""

    keys: str
    """Its keys unless the player has chosen others, as Textual names them, with commas between."""
    action: str
    """What Textual runs on the screen."""
    help: Text
    """A sentence without a full stop, for help and the command palette."""
    label: Annotated[Text, "key bar"] = ""
    """What the key bar calls it."""
    row: "Command | None" = None
    """The command in whose line of help this one's key stands too."""
    follows: "Command | None" = None
    """The command that opened what this one closes: its keys are these, whatever they are."""
    shares: "Command | None" = None
    """The command whose key does this as well, at times when that key has no other meaning."""
    fixed: bool = False
    """Whether its keys cannot be changed."""
    listed: bool = True
    """Whether the command palette has it: not what only makes sense as a key."""
    priority: bool = False
    """Whether its key comes before those of whatever has the focus."""
    id: str = ""
    """What the config file calls it: as the set and the attribute, unless given."""
    on: On | Literal[""] = ""
    """Where it can be done, see `SCREENS`: as the set has it, unless given."""


class CommandSet:
    """The commands of a screen as attributes, so that a misspelt command is a type error."""

    in_order: ClassVar[tuple[Command, ...]]
    """All of them, in the order in which help lists them."""

    def __init_subclass__(cls, on: On, prefix: str = "") -> None:
        """Tell each command what it is called, and where it can be done."""
        found: list[Command] = []
        for name, value in vars(cls).items():
            if isinstance(value, Command):
                value.id = value.id or f"{prefix or on}.{name.replace('_', '-')}"
                found.append(value)
            elif isinstance(value, dict):
                found += value.values()
        for command in found:
            command.on = command.on or on
        cls.in_order = tuple(found)


def one_line(
    name: str, keys: str, action: Callable[[str], str], help: Text, *, shifted: bool = False
) -> dict[str, Command]:
    """Return a command for each of these characters, which stand in one line of help.

    Their keys cannot be changed.

    Args:
        name: What their ids begin with.
        keys: The characters.
        action: Returns what Textual runs for a character.
        help: What they do.
        shifted: Whether the capital letter does the same.
    """
    commands: dict[str, Command] = {}
    for key in keys:
        commands[key] = Command(
            f"{key},{key.upper()}" if shifted else key,
            action(key),
            help,
            row=commands.get(keys[0]),
            fixed=True,
            listed=False,
            id=f"{name}-{key}",
        )
    return commands


CARD_LETTERS: Final = CARDS.lower()
"""The letters of the cards as they are typed, in lower case."""

TAKEN: Final = frozenset(f"{CARD_LETTERS}{CARDS}{FAMILIES}{FAMILIES.upper()}")
"""Keys that choose a card or a family on the table, and can therefore do nothing else there."""

UNBOUND: Final = "unbound"
"""The key in the binding of a command that has none yet; no terminal sends it."""
