"""Tests rules that the declarations of all commands follow."""

import re
from functools import cache
from typing import Final

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import all_commands
from driflamme_tui.keymap.screen_commands import AppCommands
from tests.driflamme_tui.keymap.test_key_bindings import ours

CURSOR: Final = re.compile(r"(scroll|page|edge|move|walk|walk_to|depth)\(-?[01]\)")
"""Matches an action that only moves a cursor or scrolls."""

STEP: Final = re.compile(r"(.+\()-?1\)")
"""Matches an action that has an opposite; the group is equal for both."""


@cache
def commands() -> tuple[Command, ...]:
    assert [*ours()], "all sets of commands are imported"
    return tuple(all_commands().values())


def test_a_held_key_moves_a_cursor_on_and_on_and_no_palette_lists_it() -> None:
    moving = [each for each in commands() if CURSOR.fullmatch(each.action)]
    assert len(moving) > 20
    assert [each.id for each in moving if not each.repeats or each.listed] == []


def test_a_held_key_does_the_same_in_both_directions() -> None:
    found: dict[tuple[str, str], set[bool]] = {}
    for each in commands():
        if step := STEP.fullmatch(each.action):
            found.setdefault((each.id.split(".")[0], step[1]), set()).add(each.repeats)
    assert len(found) > 20
    assert {name: repeats for name, repeats in found.items() if len(repeats) > 1} == {}


def test_commands_in_one_line_of_the_help_are_held_alike() -> None:
    pairs = [(each.row, each) for each in commands() if each.row is not None]
    assert [two.id for one, two in pairs if one.repeats != two.repeats] == []


def test_the_keys_of_a_terminal_are_fixed_and_in_no_palette() -> None:
    for each in (AppCommands.quit, AppCommands.copy, AppCommands.suspend):
        assert (each.fixed, each.priority, each.listed) == (True, True, False)
