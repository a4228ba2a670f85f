"""Tests the registry of commands: ids, keys, and a player's own keys."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

import driflamme_tui
from driflamme_tui.keymap.command_type import TABLE_KEYS, UNBOUND, CommandSet
from driflamme_tui.keymap.key_bindings import (
    KeysError,
    all_commands,
    both,
    check_keys,
    key,
    key_name,
    keys_now,
    keys_of,
    keys_written,
    use_keys,
    whole_key_choice,
)
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.overlays.people_overlay import PeopleOverlay
from driflamme_tui.text.signs import ASCII


def ours() -> Iterator[type[DOMNode]]:
    """Yield every screen and widget class of this program that has bindings."""
    for module in pkgutil.walk_packages(driflamme_tui.__path__, "driflamme_tui."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    waiting: list[type[DOMNode]] = [DOMNode]
    while waiting:
        each = waiting.pop()
        waiting += each.__subclasses__()
        if each.__module__.startswith("driflamme_tui") and "BINDINGS" in each.__dict__:
            yield each


@cache
def bound() -> list[Binding]:
    own = [binding for each in ours() for binding in each.__dict__["BINDINGS"]]
    assert all(isinstance(binding, Binding) for binding in own)
    return [binding for binding in own if isinstance(binding, Binding)]


def test_every_binding_comes_from_the_registry_and_every_command_is_bound() -> None:
    for binding in bound():
        command = all_commands()[binding.id or ""]
        assert (binding.key, binding.action) == (command.keys or UNBOUND, command.action)
    assert {binding.id for binding in bound()} == set(all_commands())


def test_no_id_stands_for_two_commands() -> None:
    counted = Counter(command.id for kind in CommandSet.kinds for command in kind.own)
    assert [each for each, times in counted.items() if times > 1] == []


def words_of(keys: str) -> set[str]:
    return set(keys.replace(",", "+").split("+"))


def test_no_key_does_two_things_on_a_screen_and_none_needs_ctrl() -> None:
    # The program checks only keys of players: give it a default key as one, so that it checks all.
    check_keys({"table.look": all_commands()["table.look"].keys})
    chords = [c.id for c in all_commands().values() if {"ctrl", "alt", "super"} & words_of(c.keys)]
    assert chords == ["app.quit", "app.copy", "app.suspend"]


def test_letters_of_cards_and_families_choose_them_on_the_table_and_do_nothing_else() -> None:
    for command in TableCommands.in_order():
        letters = TABLE_KEYS & set(keys_now(command))
        if not command.shares:
            assert not letters or command.id.startswith("table.letter-"), command.id
    assert {key for key in TABLE_KEYS if key.islower()} == {
        command.id[-1]
        for command in all_commands().values()
        if command.id.startswith("table.letter-")
    }


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (
            {"table.lok": "z"},
            "There is no command table.lok to give a key to; did you mean table.look?",
        ),
        (
            {"table.look": "ctrl+k"},
            "There is no key ctrl+k for table.look: use one character, or a name such as "
            "space, f5 or pageup, without Ctrl or Alt.",
        ),
        (
            {"table.look": "f5", "table.known": "F5"},
            "The key F5 would do two things on one screen: change that of table.look or"
            " table.known.",
        ),
        (
            {"table.look": "3"},
            "The key 3 would do two things on one screen: change that of table.digit-3 or"
            " table.look.",
        ),
        (
            {"talk.open": "A"},
            "talk.open cannot have the key A: choose another, since at the table it is the"
            " letter of a card or a family.",
        ),
        (
            {"table.letter-a": "z"},
            "The key of table.letter-a cannot be changed, so remove this line: digits and the"
            " letters of cards and families keep their meaning, and so do Ctrl-C, Ctrl-Q and"
            " Ctrl-Z.",
        ),
    ],
)
def test_keys_that_cannot_be_are_told_in_a_sentence(keys: dict[str, str], sentence: str) -> None:
    with pytest.raises(KeysError) as error:
        check_keys(keys)
    assert error.value.sentence() == sentence


def test_keys_may_be_written_as_on_the_key_or_by_name_and_two_may_be_swapped() -> None:
    check_keys({"table.look": "Del, slash", "table.known": "e", "table.events": "k"})
    assert whole_key_choice({"table.look": "Del, slash , ?"}) == {
        "table.look": "delete,slash,question_mark"
    }


def test_what_opens_an_overlay_closes_it_whatever_its_key_is() -> None:
    assert whole_key_choice({"table.events": "z"}) == {"table.events": "z", "events.close": "z"}


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("enter", "Enter"),
        ("question_mark", "?"),
        ("left", "←"),
        ("f2", "F2"),
        ("K", "K"),
        ("shift+tab", "Shift-Tab"),
    ],
)
def test_keys_are_named_as_on_the_keyboard(name: str, read: str) -> None:
    assert key_name(name) == read


def test_without_unicode_arrows_have_words() -> None:
    assert key_name("left", ASCII) == "Left"


def test_a_list_of_keys_has_each_row_once_in_few_words() -> None:
    keys = [keys for keys, _does in keys_of(TableCommands)]
    assert keys[:5] == ["←→", "Home End", "Enter", "Esc", "a s p …"]
    assert {"1 2 3 …", "r b g y v", "↑↓", "Tab", "v V"} <= {*keys}
    typed = [keys for keys, _does in keys_of(TableCommands, ASCII, typed=True)]
    assert {"Arrows", "Up Down", "Tab"} <= {*typed}
    assert not {"v V", "v", "z"} & {*typed}


def test_keys_are_written_as_they_are_read_back() -> None:
    commands = TableCommands
    written = {command.id: keys_written(command) for command in commands.in_order()}
    assert {each: written[f"table.{each}"] for each in ("start", "leave", "known", "replay")} == {
        "start": "<",
        "leave": "+",
        "known": "k",
        "replay": "",
    }
    try:
        use_keys({"table.replay": "comma,f7", "table.known": "\N{SNOWMAN}"})
        assert keys_written(commands.replay) == "comma,f7"
        assert key(commands.known) == "\N{SNOWMAN}"
        assert both(commands.replay, commands.known) == ", \N{SNOWMAN}"
    finally:
        use_keys({})


def test_a_screen_is_asked_only_about_its_own_commands() -> None:
    with pytest.raises(LookupError, match=r"lobby\.remove is no command of PeopleOverlay"):
        Commanded.can(PeopleOverlay(), LobbyCommands.remove)
