"""What a command is, and which keys are taken before any command has one."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, ClassVar, Final, NamedTuple, TypeAlias

from msgspec import Struct

from engine.cards import CARDS, FAMILIES
from engine.words import Text

BAR: Final = "key bar"
"""The context in which labels are translated: a word or two, there is little room."""


class Command(Struct, eq=False):
    """Something that can be done; an attribute of a `CommandSet`.

    The screen's method `action_...` does it, and `is_possible` says when it can.
    """

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
    repeats: bool = False
    """Whether a key that is held down does it again and again."""
    priority: bool = False
    """Whether its key comes before those of whatever has the focus."""
    id: str = ""
    """What the config file calls it: as the set and the attribute, unless given."""


class JoinedCommand(NamedTuple):
    """A command of a wing at every table."""

    name: str
    """What its id ends with."""
    command: Command
    after: str
    """The name of the command after which help lists it. Without such a command it is the last."""
    bar_after: str = ""
    """The name of the command after which the key bar has it; empty if it has no place there."""
    needs_company: bool = False
    """Whether it means nothing where nobody else can be."""


Entry: TypeAlias = "Command | tuple[Command, Command]"
"""What has a place in the key bar: a command, or two that go together, such as back and forth."""


def done_by(entry: Entry) -> Command:
    """Return which command a click on an entry carries out: the second of two."""
    return entry[1] if isinstance(entry, tuple) else entry


class CommandSet:
    """What can be done in one place, each command an attribute.

    A set also has the commands of those that it is derived from, so each screen has one set.
    """

    kinds: ClassVar[list[type["CommandSet"]]] = []
    """Every set, in the order in which `driflamme keys` lists them."""
    own: ClassVar[tuple[Command, ...]]
    """The commands that this set adds, in the order in which help lists them."""
    bar: ClassVar[str] = ""
    """The names of what stands in the key bar; those of two that share an entry with / between.

    Where there is little room each in turn is there that fits; the way out, last of all, stays.
    """
    entries: ClassVar[tuple[Entry, ...]] = ()
    """What these names stand for."""
    without: ClassVar[tuple[Command, ...]] = ()
    """Commands of the sets that it is derived from, which mean nothing here and have no key."""

    listed_after: ClassVar[str] = ""
    """The id of the command after which help and `driflamme keys` list a wing's own."""

    def __init_subclass__(
        cls, prefix: str, joined: Sequence[JoinedCommand] = (), listed_after: str = ""
    ) -> None:
        """Give each command an id, which begins like this; add the commands of wings."""
        cls.listed_after = listed_after
        values = [*vars(cls).items()]
        for each in joined:
            names = [name for name, _ in values]
            at = names.index(each.after) + 1 if each.after in names else len(names)
            values.insert(at, (each.name, each.command))
            setattr(cls, each.name, each.command)
            if each.bar_after:
                cls.bar = re.sub(rf"\b{each.bar_after}\b", rf"\g<0> {each.name}", cls.bar)
        found: list[Command] = []
        for name, value in values:
            if isinstance(value, Command):
                value.id = value.id or f"{prefix}.{name.replace('_', '-')}"
                found.append(value)
            elif isinstance(value, dict):
                found += value.values()
        cls.own = tuple(found)
        cls.kinds.append(cls)
        entries = (
            (getattr(cls, one), getattr(cls, other)) if other else getattr(cls, one)
            for one, _pair, other in (names.partition("/") for names in cls.bar.split())
        )
        cls.entries = tuple(entry for entry in entries if entry not in cls.without)

    @classmethod
    @cache
    def in_order(cls) -> tuple[Command, ...]:
        """Return all commands of the set, its own first."""
        kinds = [kind for kind in cls.__mro__ if kind in cls.kinds]
        return tuple(each for each in listed(kinds) if each not in cls.without)


def listed(kinds: Sequence[type[CommandSet]]) -> list[Command]:
    """Return the commands of sets as they are listed: a wing's where it wants them."""
    ids = {each.id for kind in kinds for each in kind.own}
    found = [each for kind in kinds if kind.listed_after not in ids for each in kind.own]
    for kind in kinds:
        if kind.listed_after in ids:
            at = [each.id for each in found].index(kind.listed_after) + 1
            found[at:at] = kind.own
    return found


def one_line(
    name: str,
    keys: str,
    action: Callable[[str], str],
    help: Text,
    *,
    shifted: bool = False,
    repeats: bool = False,
) -> dict[str, Command]:
    """Return a command for each of these characters, which stand in one line of help.

    Their keys cannot be changed.

    Args:
        name: What their ids begin with.
        keys: The characters.
        action: Returns what Textual runs for a character.
        help: What they do.
        shifted: Whether the capital letter does the same.
        repeats: Whether a key that is held down does it again and again.
    """
    commands: dict[str, Command] = {}
    for key in keys:
        commands[key] = Command(
            f"{key},{key.upper()}" if shifted else key,
            action(key),
            help,
            repeats=repeats,
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
