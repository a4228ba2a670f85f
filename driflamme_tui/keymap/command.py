"""What a command is, and which keys are taken before any command has one."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.cards import CARDS, FAMILIES

On: TypeAlias = Literal[
    "app",
    "everywhere",
    "helped",
    "writing",
    "start",
    "code",
    "club",
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
    "invitation",
    "commands",
    "opted",
    "options",
    "lesson",
    "lesson end",
    "replay",
    "find",
]
"""A set of commands that a screen, an overlay or a widget has; most screens have several."""

BAR: Final = "key bar"
"""The context in which labels are translated: a word or two, there is little room."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be done."""

    id: str
    """What the config file calls it."""
    on: On
    """Where it can be done; see `SCREENS`."""
    keys: str
    """Its keys unless the player has chosen others, as Textual names them, with commas between."""
    action: str
    """What Textual runs on the screen."""
    help: str
    """A sentence without a full stop, for help and the command palette, to be translated."""
    label: str = ""
    """What the key bar calls it, to be translated with the context `BAR`."""
    row: str = ""
    """The command in whose line of help this one's key stands too."""
    follows: str = ""
    """The command that opened what this one closes: its keys are these, whatever they are."""
    shares: str = ""
    """The command whose key does this as well, at times when that key has no other meaning."""
    fixed: bool = False
    """Whether its keys cannot be changed."""
    listed: bool = True
    """Whether the command palette has it: not what only makes sense as a key."""
    priority: bool = False
    """Whether its key comes before those of whatever has the focus."""


CARD_LETTERS: Final = CARDS.lower()

TAKEN: Final = frozenset(f"{CARD_LETTERS}{CARDS}{FAMILIES}{FAMILIES.upper()}")
"""Keys that choose a card or a family on the table, and can therefore do nothing else there."""

UNBOUND: Final = "unbound"
"""Stands for a key in the binding of a command without one, which a player may still give it. No
terminal sends it."""
