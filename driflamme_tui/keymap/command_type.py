"""What a command is, and which keys are taken before any command has one."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, ClassVar, Final, TypeAlias

from msgspec import Struct

from engine.cards import CARDS, FAMILIES
from engine.texts import Text

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

    joined: ClassVar[tuple[type["CommandSet"], ...]] = ()
    """The sets of wings that stand among the commands of this one."""
    listed_after: ClassVar[str] = ""
    """The id of the command after which help and `driflamme keys` list a wing's own."""
    bar_after: ClassVar[str] = ""
    """The entry after which the key bar of a screen has a wing's own entries."""

    def __init_subclass__(
        cls,
        prefix: str,
        joined: Sequence[type["CommandSet"]] = (),
        listed_after: str = "",
        bar_after: str = "",
    ) -> None:
        """Give each command an id, which begins like this; add the commands of wings."""
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
        kinds += [each for kind in kinds for each in kind.joined]
        return tuple(each for each in listed(kinds) if each not in cls.without)


def _bar_with(bar: str, joined: Sequence[type[CommandSet]]) -> str:
    """Return a key bar with the entries of wings.

    They stand where they want, or else before the last entry, the way out.
    """
    names = bar.split()
    # Of several wings with one place, the first comes first.
    for kind in reversed(joined):
        is_there = kind.bar_after in names
        at = names.index(kind.bar_after) + 1 if is_there else max(0, len(names) - 1)
        names[at:at] = kind.bar.split()
    return " ".join(names)


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
