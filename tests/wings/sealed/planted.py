"""The planted bugs, leaks and cheats that tests of sealed play find."""

from typing import Final

from tests.support.planted import Planted

PLANTED: Final = Planted(
    {
        "tests.wings.sealed.test_sealed_walk": {
            "test_a_planted_bug_is_found": """
                all_that_is_typed_waits_for_an_answer
                revisions_of_sealed_and_ordinary_games_are_one_count
                the_program_of_sealed_games_stays_at_ordinary_ones
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
        "tests.wings.sealed.game.test_cheaters": {
            "test_a_step_that_was_cheated_at_is_spent_and_the_others_go_on": """
                acts-while-a-card-is-struck opens-a-spare-card opens-what-is-not-due
                plays-a-card-twice plays-nonsense plays-what-was-set-aside reveals-another-card
                reveals-another-leaf reveals-by-an-act reveals-the-card-of-another
                reveals-with-another-salt
            """,
            "test_what_is_no_step_at_all_changes_nothing_and_is_passed_on_to_nobody": """
                brings-another-game is-a-step-ahead makes-a-default-of-nothing
                opens-a-card-of-no-name opens-two-cards-at-once sends-a-proof
                signs-a-second-way signs-for-another votes-about-what-is-far-away
                votes-on-their-own-step
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
    },
    alone={
        "tests.wings.sealed.test_sealed_noninterference": (
            "test_a_program_that_tells_a_card_is_found"
        ),
    },
)
