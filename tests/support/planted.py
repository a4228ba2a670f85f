"""All bugs, leaks and cheats that are planted in the program, and the test that finds each.

Who makes tests fewer or shorter keeps these: what stands here and is planted nowhere any more, or
is planted and does not stand here, fails `tests/test_planted.py`. A new one is added here.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from inspect import getattr_static
from typing import Any, Final, NamedTuple, TypeAlias

import pytest


class Wrong(NamedTuple):
    """A part of the program that is replaced, by its name, with what somebody got wrong.

    What stands in its place may use the right one, so that the rest of the program stays as it is.
    """

    where: str
    """The module, and the name in it: `engine.game:Game.play`."""
    make: Callable[[Any], Any]
    """Takes the right function, method or constant, and returns the wrong one."""


Bug: TypeAlias = Wrong | list[Wrong] | Callable[[pytest.MonkeyPatch], None]
"""One replacement, some that make one bug together, or what plants one that is more than that."""


def plant(bug: Bug, patch: pytest.MonkeyPatch) -> None:
    """Have the program be as if the bug were in it."""
    if not isinstance(bug, Wrong | list):
        bug(patch)
        return
    for where, make in [bug] if isinstance(bug, Wrong) else bug:
        owner, name = found(where)
        patch.setattr(owner, name, make(getattr_static(owner, name)))


def found(where: str) -> tuple[Any, str]:
    """Return what has the part of the program, and the part's own name; fail if it is gone."""
    module, _, path = where.partition(":")
    *owners, name = path.split(".")
    try:
        owner: Any = import_module(module)
        for each in owners:
            owner = getattr(owner, each)
        getattr_static(owner, name)
    except (ImportError, AttributeError):
        pytest.fail(f"A bug is planted in {where}, which is gone: plant it where that went.")
    return owner, name


def names(module: str, test: str) -> Iterator[str]:
    """Yield the names of what is planted for a test: of its parameters, spaces as dashes."""
    found = getattr(import_module(module), test)
    (planted,) = (mark for mark in found.pytestmark if mark.name == "parametrize")
    for each in planted.args[1]:
        values: Any = each if isinstance(each, tuple) else (each,)
        name = getattr(each, "id", None) or getattr(values[0], "__name__", values[0])
        yield str(name).replace(" ", "-")


PLANTED: Final[Mapping[str, Mapping[str, str]]] = {
    "tests.engine.test_noninterference": {
        "test_a_planted_leak_is_caught": """
            Left Moved Placed Uncovered answers covered-cards face-down-cards hands influence
            set-aside
        """,
    },
    "tests.netcode.server.test_wire_noninterference": {
        "test_a_leak_would_be_found": """
            tell_by_the_disk tell_by_waiting tell_events tell_in_refusals tell_in_the_lobby
            tell_spectators tell_strangers tell_time tell_twice
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
    "tests.wings.sealed.evenings.test_sealed_evenings": {
        "test_a_bug_planted_at_a_sealed_table_is_found": """
            a_commit_drops_some_parcels a_gate_waits_for_a_majority a_reveal_has_no_gate
            an_own_step_is_sent_before_it_is_kept cards_are_opened_at_once
            everybody_is_told_before_it_is_kept newcomers_are_told_of_the_latest_only
            nobody_gives_their_part_of_the_deal_again nobody_must_open_what_is_owed
            who_begins_anew_in_the_deal_is_told_of_no_log
        """,
    },
    "tests.wings.sealed.game.test_game_log": {
        "test_a_planted_bug_is_found": """
            a_longer_log_is_sent_nothing lost_votes_are_not_told_again
        """,
    },
    "tests.wings.sealed.takeover.test_decision": {
        "test_a_planted_bug_is_found": """
            everybody_opens_and_nobody_steps_back nobody_opens_before_all_others_have
            nobody_opens_for_those_who_cannot_be_called nobody_reads_of_a_split
        """,
    },
    "tests.wings.sealed.game.test_sealed_exploration": {
        "test_a_planted_bug_is_found": """
            a_quorum_is_lower_by_one a_voter_takes_the_step_all_the_same
            somebody_stands_in_without_a_vote the_longer_log_wins
            what_follows_from_going_on_convicts who_has_a_default_looks_at_nothing_beside_it
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
            all_that_is_typed_waits_for_an_answer
            revisions_of_sealed_and_ordinary_games_are_one_count
            the_program_of_sealed_games_stays_at_ordinary_ones
        """,
    },
    "tests.wings.sealed.game.test_cheaters": {
        "test_a_step_that_was_cheated_at_is_spent_and_the_others_go_on": """
            acts-while-a-card-is-struck opens-a-spare-card opens-what-is-not-due
            plays-a-card-twice plays-nonsense plays-what-was-set-aside reveals-another-card
            reveals-another-leaf reveals-by-an-act reveals-the-card-of-another
            reveals-with-another-salt
        """,
        "test_what_is_no_step_at_all_changes_nothing_and_is_passed_on_to_nobody": """
            brings-another-game is-a-step-ahead makes-a-default-of-nothing opens-a-card-of-no-name
            opens-two-cards-at-once sends-a-proof signs-a-second-way signs-for-another
            votes-about-what-is-far-away votes-on-their-own-step
        """,
        "test_who_signs_two_things_ends_the_game_under_their_name": """
            forked second_thought wavering
        """,
        "test_who_cheats_at_the_deal_stops_it_under_their_name": """
            other_nonce two_nonces two_seals
        """,
        "test_a_family_with_a_card_twice_is_found_out": """
            at-the-end in-play
        """,
        "test_nobody_seals_what_is_not_as_they_know_it": """
            a-key-twice a-weak-key another-edition another-first another-key another-name
        """,
    },
}
"""By module and test: what is planted for it, each in a case of its own, and found by it."""

ALONE: Final[Mapping[str, str]] = {
    "tests.wings.sealed.test_sealed_noninterference": "test_a_program_that_tells_a_card_is_found",
}
"""Tests for which one thing is planted."""
