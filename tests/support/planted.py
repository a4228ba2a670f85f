"""All planted bugs, leaks and cheats, and the test that finds each.

They must survive when tests become fewer or shorter: `tests/test_planted.py` fails if this list and
the planted bugs differ. A new bug is added here, or in `tests/wings/NAME/planted.py` if a wing's
test finds it.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from inspect import getattr_static
from types import ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

import pytest


class Wrong(NamedTuple):
    """A faulty replacement for a function, method or property of the program.

    It may call the right one, so that the rest of the program is unchanged.
    """

    right: Any
    """The right function, method or property."""
    make: Callable[[Any], Any]
    """Takes the right function, method or property, and returns the faulty one."""
    imported_by: ModuleType | None = None
    """The only module with the fault, which imports the right function by name.

    None plants the fault where the function is defined.
    """


Bug: TypeAlias = Wrong | list[Wrong] | Callable[[pytest.MonkeyPatch], None]
"""One replacement, several that form one bug, or a function that plants a bug."""


def plant(bug: Bug, patch: pytest.MonkeyPatch) -> None:
    """Plant a bug in the program until the test ends."""
    if not isinstance(bug, Wrong | list):
        bug(patch)
        return
    for wrong in [bug] if isinstance(bug, Wrong) else bug:
        owner, name = place_of(wrong)
        patch.setattr(owner, name, wrong.make(getattr_static(owner, name)))


def substitute(
    patch: pytest.MonkeyPatch, right: Any, other: Any, imported_by: ModuleType | None = None
) -> None:
    """Replace a function, method, property or class of the program until the test ends.

    `imported_by` is the only module with the replacement, which imports the right one by name.
    Callers pass the right object and no name, so an editor that renames it also changes the call.
    """
    plant(Wrong(right, lambda _right: other, imported_by), patch)


def place_of(wrong: Wrong) -> tuple[Any, str]:
    """Return the class or module that has the right function, and the function's name there.

    The test fails if a module does not import the function any more.
    """
    function: Any = wrong.right.fget if isinstance(wrong.right, property) else wrong.right
    *owners, name = function.__qualname__.split(".")
    if wrong.imported_by is None:
        owner: Any = import_module(function.__module__)
        for each in owners:
            owner = getattr(owner, each)
        return owner, name
    if name not in vars(wrong.imported_by):
        module = wrong.imported_by.__name__
        pytest.fail(f"A bug is planted in {module}, which does not import {name}: plant it anew.")
    return wrong.imported_by, name


def names(module: str, test: str) -> Iterator[str]:
    """Yield the names of a test's planted bugs: its parameters, with dashes for spaces."""
    found = getattr(import_module(module), test)
    (planted,) = (mark for mark in found.pytestmark if mark.name == "parametrize")
    for each in planted.args[1]:
        values: Any = each if isinstance(each, tuple) else (each,)
        name = getattr(each, "id", None) or getattr(values[0], "__name__", values[0])
        yield str(name).replace(" ", "-")


class Planted(NamedTuple):
    """The planted bugs of the core, or of a wing."""

    by_test: Mapping[str, Mapping[str, str]]
    """For each module and test, its planted bugs; the test has one case for each bug."""
    alone: Mapping[str, str]
    """For each module, a test that plants one bug."""


CORE: Final = Planted(
    {
        "tests.engine.test_noninterference": {
            "test_a_planted_leak_is_caught": """
                Left Moved Placed Uncovered answers covered-cards face-down-cards hands influence
                set-aside
            """,
        },
        "tests.netcode.server.test_wire_noninterference": {
            "test_a_leak_would_be_found": """
                leak_by_the_disk leak_by_waiting leak_events leak_in_refusals leak_in_the_lobby
                leak_time leak_to_spectators leak_to_strangers leak_twice
            """,
        },
        "tests.netcode.simulation.test_simulation": {
            "test_a_planted_bug_is_found": """
                a_commit_drops_some_answers a_key_changes_with_each_use
                a_lost_key_opens_whatever_is_in_the_place_of_its_seat
                a_resumed_table_counts_on_from_too_low an_act_that_has_counted_is_not_known
                an_event_is_left_out everybody_is_told_before_it_is_kept
                most_changes_of_a_table_are_not_kept some_answers_are_kept_with_the_next
                somebody_sees_with_the_eyes_of_others the_client_forgets_its_key
                the_client_has_no_heartbeat the_client_never_sends_an_act_again
                the_keys_of_a_table_are_not_kept the_revision_of_an_act_is_not_looked_at
                what_comes_during_a_commit_counts_as_kept what_counted_is_forgotten_with_a_crash
                what_was_said_is_not_kept the_bot_in_the_seat_of_somebody_sent_away_is_not_recorded
            """,
        },
        "tests.driflamme_tui.app.test_every_screen": {
            "test_a_planted_fault_is_found": """
                a_colour_is_too_near_to_its_ground a_sentence_is_not_wrapped
                a_sign_has_no_place_in_ascii a_word_is_longer_in_another_language
                a_cell_of_a_page_is_cut a_zone_stands_over_its_neighbour
            """,
        },
        "tests.e2e.test_feature_walk": {
            "test_a_planted_bug_is_found": """
                a_finished_game_has_no_record the_settings_of_the_first_lobby_stay
            """,
        },
    },
    alone={},
)
"""The planted bugs for tests of the core; `tests/wings/NAME` has those of each wing."""
