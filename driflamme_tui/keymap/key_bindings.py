"""Computes the keys of all commands, with the player's own choice of keys.

This module makes the bindings of all screens, and the names of keys in texts. Textual is imported
only for bindings, so that the config file can be checked without Textual.
"""

import difflib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Final

from driflamme_tui.keymap.command_type import (
    BAR,
    LETTER,
    TABLE_KEYS,
    UNBOUND,
    Command,
    CommandSet,
    Entry,
    listed_commands,
)
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.text.signs import UNICODE, Glyphs
from engine.texts import ExplainedError, Text
from netcode.registry import wing_values

if TYPE_CHECKING:
    from textual.binding import BindingType


@cache
def all_commands() -> Mapping[str, Command]:
    """Return every command by its id, in the order of `driflamme keys`.

    Screens declare their commands themselves, so this function imports all screens and the wings'
    seam `keys`. Call it only for a player who has chosen keys, or to list all commands.
    """
    from pkgutil import walk_packages

    for name in filter(find_spec, ("driflamme_tui.screens", "driflamme_tui.study")):
        package = import_module(name)
        for module in walk_packages(package.__path__, f"{name}."):
            import_module(module.name)
    wing_values("driflamme_tui", "keys", tuple)
    return {command.id: command for command in listed_commands(CommandSet.kinds)}


class KeysError(ExplainedError):
    """Raised if keys in the config file are invalid. The error's sentence has the reason."""


_chosen: dict[str, tuple[str, ...]] = {}
"""The keys of commands whose keys the player has changed, by id."""

_SPECIAL: Final[dict[str, Annotated[Text, "key"]]] = {
    "enter": "Enter",
    "escape": "Esc",
    "space": "Space",
    "tab": "Tab",
    "backspace": "Backspace",
    "delete": "Del",
    "insert": "Ins",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "left": "Left",
    "right": "Right",
    "up": "Up",
    "down": "Down",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}
"""Keys other than characters, by Textual's names, with their labels."""

_ARROWS: Final = {"left": "←", "right": "→", "up": "↑", "down": "↓"}
"""Signs for the arrow keys, for terminals that can show them."""

_SHIFT: Final = "shift+"
"""The prefix of Textual's names for keys pressed with Shift."""
_CTRL: Final = "ctrl+"
_SUPER: Final = "super+"

_UNLIKE_UNICODE: Final = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Textual's names of characters that differ from the names in Unicode, by the name in Unicode."""

_ALSO: Final = {
    **{name: name for name in _SPECIAL},
    **{label.lower(): name for name, label in _SPECIAL.items()},
}
"""Textual's names of keys, by the other names that a player may type."""

_MOST: Final = 4
"""Number of signs in a shortened line of the help: three keys and an ellipsis. A line with up to
one key more is shown in full.
"""


def bindings(kind: type[CommandSet]) -> "list[BindingType]":
    """Return the bindings of a screen or a widget with a set of commands."""
    from textual.binding import Binding

    return [
        Binding(
            command.keys or UNBOUND,
            command.action,
            show=False,
            priority=command.priority,
            id=command.id,
        )
        for command in kind.in_order()
    ]


def use_keys(mapping: Mapping[str, str]) -> None:
    """Store a choice of keys for `keys_now`, in place of any earlier choice.

    `check_keys` must have accepted the choice. Textual's own bindings do not change.
    """
    _chosen.clear()
    for command, keys in whole_key_choice(mapping).items():
        _chosen[command] = _split(keys)


def whole_key_choice(mapping: Mapping[str, str]) -> dict[str, str]:
    """Return a choice of keys by Textual's names, with the keys of commands that follow.

    A command follows another if its attribute `follows` names the other.
    """
    chosen = {command: ",".join(_split(keys)) for command, keys in mapping.items() if keys.strip()}
    follow = {
        command.id: chosen[command.follows.id]
        for command in (all_commands().values() if chosen else ())
        if command.follows and command.follows.id in chosen
    }
    return {**follow, **chosen}


def keys_now(command: Command) -> tuple[str, ...]:
    """Return the present keys of a command, by Textual's names."""
    if command.id in _chosen:
        return _chosen[command.id]
    keys = _split(command.keys) + (keys_now(command.shares) if command.shares else ())
    return tuple(dict.fromkeys([letter_of(command), *keys])) if command.letter else keys


def letter_of(command: Command) -> str:
    """Return a command's letter in the reader's language; "" for a command without a letter."""
    return pgettext(LETTER, command.letter) if command.letter else ""


def key(command: Command, glyphs: Glyphs = UNICODE) -> str:
    """Return the present key of a command for people; "" for a command without a key."""
    return next((key_name(each, glyphs) for each in keys_now(command)), "")


def both(one: Command, other: Command, glyphs: Glyphs = UNICODE) -> str:
    """Return the keys of two commands that belong together, such as back and forth.

    A pair of arrow keys is one sign.
    """
    first, second = key(one, glyphs), key(other, glyphs)
    pair = keys_now(one)[:1] + keys_now(other)[:1]
    if pair == ("left", "right"):
        return glyphs.arrows
    if pair == ("up", "down"):
        return glyphs.up_down
    return " ".join(part for part in (first, second) if part)


def key_name(name: str, glyphs: Glyphs = UNICODE) -> str:
    """Return the label of the key with this name in Textual."""
    if name.startswith(_SHIFT):
        shifted = key_name(name.removeprefix(_SHIFT), glyphs)
        return _("Shift-{key}", key=shifted)
    if name.startswith(_CTRL):
        return _("Ctrl-{key}", key=name.removeprefix(_CTRL).upper())
    if name.startswith(_SUPER):
        return _("Cmd-{key}", key=name.removeprefix(_SUPER).upper())
    if glyphs.unicode and name in _ARROWS:
        return _ARROWS[name]
    if name in _SPECIAL:
        return pgettext("key", _SPECIAL[name])
    return _character(name) or name


def keys_written(command: Command) -> str:
    """Return a command's keys as they are written in the config file.

    A key that the command shares with another command is left out.
    """
    if command.shares and command.id not in _chosen:
        return command.keys
    names = (_SIGNS.get(each, each) for each in keys_now(command))
    return ",".join(_IN_A_LIST.get(name, name) for name in names)


_IN_A_LIST: Final = {",": "comma", '"': "quotation_mark", "\\": "backslash"}
"""The names of characters that have a special meaning in the config file."""


def entry_keys(entry: Entry, glyphs: Glyphs = UNICODE) -> str:
    """Return the present key of a key bar's entry; both keys for two commands."""
    return both(*entry, glyphs) if isinstance(entry, tuple) else key(entry, glyphs)


def label(entry: Entry) -> str:
    """Return the text of a key bar's entry; "" if it has none.

    An entry with two commands has the text of the first command.
    """
    command = entry[0] if isinstance(entry, tuple) else entry
    return pgettext(BAR, command.label) if command.label else ""


def sentence(command: Command) -> str:
    """Return the text of a command in help and command palette."""
    return _(command.help)


def keys_of(
    kind: type[CommandSet], glyphs: Glyphs = UNICODE, *, typed: bool = False
) -> list[tuple[str, str]]:
    """Return the present keys of a screen, each with its text.

    With `typed`, letters and digits are left out, since they are typed as text.
    """
    rows: dict[Command, list[Command]] = {}
    for command in kind.in_order():
        rows.setdefault(command.row or command, []).append(command)
    return [
        (keys, sentence(row))
        for row, commands in rows.items()
        if (keys := _keys_in_row(commands, glyphs, typed))
    ]


def _keys_in_row(commands: list[Command], glyphs: Glyphs, typed: bool) -> str:
    if len(commands) == 2:
        one, other = commands
        return both(one, other, glyphs)
    if len(commands) == 1:
        shown = (
            each for each in keys_now(commands[0]) if not (typed and _character(each).isalnum())
        )
        return " ".join(key_name(each, glyphs) for each in shown)
    names = [key(command, glyphs) for command in commands]
    names = names if len(names) <= _MOST + 1 else [*names[: _MOST - 1], glyphs.ellipsis]
    return " ".join(names)


def check_keys(mapping: Mapping[str, str]) -> None:
    """Check a choice of keys: by command, one key or several separated by commas.

    A key is a character, or a name such as `space`, `f5`, `pageup` or `comma`.

    Raises:
        KeysError: A command is unknown or fixed. Or a key is unknown, or would run two commands
            on one screen. Or a command of the table has the letter of a card or a family.
    """
    for command, keys in mapping.items():
        _check_command(command)
        if not keys.strip() and not all_commands()[command].keys:
            continue
        for each in _split(keys) or ("",):
            if not _is_key(each):
                raise KeysError(
                    "There is no key {key} for {command}: use one character, or a name such as "
                    "space, f5 or pageup, without Ctrl or Alt.",
                    key=each or '""',
                    command=command,
                )
    chosen = whole_key_choice(mapping)
    for kind in CommandSet.kinds if chosen else ():
        _check_screen(kind, chosen)


def _check_command(command: str) -> None:
    if command not in all_commands():
        near = difflib.get_close_matches(command, all_commands(), 1, 0.0)
        raise KeysError(
            "There is no command {command} to give a key to; did you mean {near}?",
            command=command or '""',
            near=near[0],
        )
    if all_commands()[command].fixed:
        raise KeysError(
            "The key of {command} cannot be changed, so remove this line: digits and the letters "
            "of cards and families keep their meaning, and so do Ctrl-C, Ctrl-Q and Ctrl-Z.",
            command=command,
        )


def _check_screen(kind: type[CommandSet], chosen: Mapping[str, str]) -> None:
    has: dict[str, Command] = {}
    on_the_table = kind is TableCommands
    for command in kind.in_order():
        for each in _split(chosen.get(command.id, command.keys)):
            if command.id in chosen and on_the_table and each in TABLE_KEYS:
                raise KeysError(
                    "{command} cannot have the key {key}: choose another, since at the table it "
                    "is the letter of a card or a family.",
                    command=command.id,
                    key=each,
                )
            other = has.setdefault(each, command)
            if other.action != command.action:
                raise KeysError(
                    "The key {key} would do two things on one screen: change that of {command} "
                    "or {other}.",
                    key=key_name(each),
                    command=other.id,
                    other=command.id,
                )


@cache
def _split(keys: str) -> tuple[str, ...]:
    """Return Textual's names of keys separated by commas."""
    parts = [part.strip() for part in keys.split(",")]
    return tuple(map(name_of_character, parts)) if keys.strip() else ()


def name_of_character(part: str) -> str:
    """Return Textual's name of a key given as a character or a name; an unknown name unchanged."""
    if len(part) != 1:
        return _ALSO.get(part.lower(), part)
    if part.isalnum():
        return part
    try:
        name = unicodedata.name(part).lower().replace("-", "_").replace(" ", "_")
    except ValueError:
        return part
    return _UNLIKE_UNICODE.get(name, name)


_SIGNS: Final = {name_of_character(sign): sign for sign in map(chr, range(ord("!"), ord("~") + 1))}
"""The printable characters of ASCII, by Textual's names."""


def bound_keys(kind: type[CommandSet]) -> frozenset[str]:
    """Return all present keys of a screen, by Textual's names."""
    return frozenset(each for command in kind.in_order() for each in keys_now(command))


def _character(name: str) -> str:
    """Return the character with this name in Textual; "" for other keys."""
    if name in _SIGNS:
        return _SIGNS[name]
    if len(name) == 1:
        return name if name.isprintable() and not name.isspace() else ""
    try:
        character = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return ""
    return character if name_of_character(character) == name else ""


def _is_key(name: str) -> bool:
    return name in _SPECIAL or name.removeprefix(_SHIFT) in _SPECIAL or bool(_character(name))
