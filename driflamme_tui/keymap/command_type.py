"""Defines the type of commands, and the keys that choose cards and families."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, ClassVar, Final, TypeAlias

from msgspec import Struct

from engine.cards import CARDS, FAMILIES
from engine.texts import Text

BAR: Final = "key bar"
"""The gettext context for labels in the key bar. A label has one or two words, since space is
short.
"""

LETTER: Final = "letter of yes"
"""The gettext context for `Command.letter`."""


class Command(Struct, eq=False):
    """A command, as an attribute of a `CommandSet`.

    The screen's method `action_...` runs the command, and `is_possible` decides when it can run.
    """

    keys: str
    """The command's default keys, by Textual's names, separated by commas."""
    action: str
    """The action that Textual runs on the screen."""
    help: Text
    """A sentence without a full stop, for help and the command palette."""
    label: Annotated[Text, "key bar"] = ""
    row: "Command | None" = None
    """The command whose line in the help also shows this command's key; None for a line of its own.
    """
    follows: "Command | None" = None
    """The command that opened the screen which this command closes. The two commands have the same
    keys. None for a command with its own keys.
    """
    shares: "Command | None" = None
    """Another command with the same key; None for a key of its own. The key runs this command only
    while the other command is impossible.
    """
    fixed: bool = False
    """True if the command's keys cannot be changed."""
    listed: bool = True
    """True if the command palette lists the command. Some commands make sense only as a key."""
    repeats: bool = False
    """True if a held key runs the command repeatedly."""
    priority: bool = False
    """True if the command's keys have priority over keys of the focused widget."""
    letter: Annotated[Text, "letter of yes"] = ""
    """The letter of an answer such as yes, to be translated; "" for a command that is no answer.
    `keys` has the letter in English.
    """
    id: str = ""
    """The command's id in the config file.

    The default is the prefix of the set, a dot, and the attribute's name.
    """


Entry: TypeAlias = "Command | tuple[Command, Command]"
"""An entry of the key bar: a command, or two that belong together, such as back and forth."""


def done_by(entry: Entry) -> Command:
    """Return the command that a click on an entry runs: of two commands, the second."""
    return entry[1] if isinstance(entry, tuple) else entry


class CommandSet:
    """The commands of a screen or widget, as attributes.

    A set inherits the commands of its base classes, so each screen has one set.
    """

    kinds: ClassVar[list[type["CommandSet"]]] = []
    """Every set, in the order of `driflamme keys`."""
    own: ClassVar[tuple[Command, ...]]
    """The commands that this set adds, in the order of the help."""
    bar: ClassVar[str] = ""
    """The names of the key bar's entries. A slash joins two commands that share an entry. If space
    is short, the first entries that fit are shown. Entries with a star, and the last one, which
    leaves, are always shown.
    """
    entries: ClassVar[tuple[Entry, ...]] = ()
    """The entries that `bar` names."""
    promised: ClassVar[frozenset[Entry]] = frozenset()
    """The entries with a star in `bar`."""
    without: ClassVar[tuple[Command, ...]] = ()
    """Inherited commands that have no meaning here, and get no key."""

    joined: ClassVar[tuple[type["CommandSet"], ...]] = ()
    """The sets of wings whose commands belong to this set."""
    listed_after: ClassVar[str] = ""
    """The id of the core command after which help and `driflamme keys` list a wing's commands; ""
    for no such command.
    """
    bar_after: ClassVar[str] = ""
    """The entry of a screen's key bar after which a wing's entries are shown; "" for the place
    before the last entry.
    """

    def __init_subclass__(
        cls,
        prefix: str,
        joined: Sequence[type["CommandSet"]] = (),
        listed_after: str = "",
        bar_after: str = "",
    ) -> None:
        """Set the missing ids of commands, with this prefix, and add the commands of wings."""
        cls.listed_after, cls.bar_after, cls.joined = listed_after, bar_after, tuple(joined)
        found: list[Command] = []
        for name, value in vars(cls).items():
            if isinstance(value, Command):
                value.id = value.id or f"{prefix}.{name.replace('_', '-')}"
                found.append(value)
            elif isinstance(value, dict):
                found += value.values()
        cls.own = tuple(found)
        cls.kinds.append(cls)
        for kind in joined:
            for name, value in vars(kind).items():
                if isinstance(value, Command):
                    setattr(cls, name, value)
        cls.bar = _bar_with(cls.bar, joined)
        entries = {
            (getattr(cls, one), getattr(cls, other)) if other else getattr(cls, one): star
            for names, star, _end in (each.partition("*") for each in cls.bar.split())
            for one, _pair, other in [names.partition("/")]
        }
        cls.entries = tuple(entry for entry in entries if entry not in cls.without)
        cls.promised = frozenset(entry for entry in cls.entries if entries[entry])

    @classmethod
    @cache
    def in_order(cls) -> tuple[Command, ...]:
        """Return all commands of the set, its own before inherited ones.

        The commands of joined sets are included, and those in `without` are left out.
        """
        kinds = [kind for kind in cls.__mro__ if kind in cls.kinds]
        kinds += [each for kind in kinds for each in kind.joined]
        return tuple(each for each in listed_commands(kinds) if each not in cls.without)


def _bar_with(bar: str, joined: Sequence[type[CommandSet]]) -> str:
    """Return a key bar with the entries of wings.

    An entry stands after the core entry that its set names, or else before the last entry.
    """
    names = bar.split()
    # Insert in reverse order, so that the first of several wings at one place stays first.
    for kind in reversed(joined):
        plain = [name.removesuffix("*") for name in names]
        is_there = kind.bar_after in plain
        at = plain.index(kind.bar_after) + 1 if is_there else max(0, len(names) - 1)
        names[at:at] = kind.bar.split()
    return " ".join(names)


def listed_commands(kinds: Sequence[type[CommandSet]]) -> list[Command]:
    """Return the commands of sets, including the commands of wings.

    A wing's commands follow the command that `listed_after` names.
    """
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
    """Return a command for each character of `keys`, all in one line of the help.

    The keys of these commands cannot be changed.

    Args:
        name: The beginning of the commands' ids.
        keys: The characters.
        action: Returns the action that Textual runs for a character.
        help: The sentence about all the commands.
        shifted: True if the capital letter does the same.
        repeats: True if a held key runs the command repeatedly.
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
"""The letters of the cards in lower case, as typed."""

TABLE_KEYS: Final = frozenset(f"{CARD_LETTERS}{CARDS}{FAMILIES}{FAMILIES.upper()}")
"""Keys that choose a card or a family on the table. No other command there may use them."""

UNBOUND: Final = "unbound"
"""The key for the binding of a command that has no key. No terminal sends it."""
