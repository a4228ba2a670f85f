"""The thirteen rulings, by number; they hold in both editions."""

from engine.game import Game
from engine.notation import format_position, parse_action
from engine.view import view
from tests.engine.lines import game_at, in_editions, legal, plays, ranks, whole

# 1. Mandatory means mandatory.


def test_1_an_ability_with_one_legal_target_must_be_used_even_against_its_owner() -> None:
    plays("5 r?1 rs,rh3,gh *r1,b1,g1", "!", "5 g?2 rS,gh *r2,b1,g1")
    plays("5 b?1 bp,rA *r1,b1,g1", "+ x2", "6 b* bp1 r2,*b1,g1")


def test_1_no_ability_can_be_declined() -> None:
    for asked in ("rA2 bh,rA,gh", "rS2 bh,rS,gh", "rX2 bh,rX,gh", "rP2 bh,rP,gh", "rD2 bh,rD,gh"):
        for line in in_editions(f"5 {asked} *r1,b1,g1"):
            assert {str(action)[0] for action in game_at(line).legal}.isdisjoint("+!")


def test_1_own_cards_may_be_chosen_though_others_are_available() -> None:
    legal("5 rS2 rh,rS,gh *r1,b1,g1", "x1 x3")
    legal("5 rA2 rh,rA,gh *r1,b1,g1", "x1 x3")
    legal("5 rX2 rh,rX,gh *r1,b1,g1", "x1 x2 x3")
    legal("5 rP2 rh,rP,gh *r1,b1,g1", "$r $g")
    legal("5 rF2 rH,rF,gH *r1,b1,g1", "~1 ~3")
    legal("5 rD2 rh,rD,gh *r1,b1,g1", "1>2 1>3 3>1 3>2")


def test_1_an_ability_without_a_target_has_no_effect() -> None:
    plays("5 r?1 rs *r1,b1,g1", "!", "6 b* rS r1,*b1,g1")
    plays("5 r?1 rp *r1,b1,g1", "!", "6 b* rP r1,*b1,g1")
    plays("5 r?1 rf *r1,b1,g1", "!", "6 b* rF r1,*b1,g1")
    plays("5 r?1 rd *r1,b1,g1", "!", "6 b* - r1,*b1,g1")


# 2. One legal answer is no question.


def test_2_one_legal_answer_is_applied_without_asking() -> None:
    plays("5 r?1 ra,bh *r1,b1,g1", "!", "5 rA1 rA,bh *r1,b1,g1")
    plays("5 r?1 ra *r1,b1,g1", "!", "6 b* - r2,*b1,g1")
    plays("5 r?1 rs,bh,gh *r1,b1,g1", "!", "5 g?2 rS,gh *r2,b1,g1")
    plays("5 r?1 rp,bh,gh *r1,b1,g1", "!", "5 b?2 rP,bh,gh *r2,b0,g1")
    plays("5 r?1 rf,bL,gh *r1,b1,g1", "!", "5 g?3 rF,bL,gh *r2,b2,g1")
    plays("5 r?1 rx *r1,b1,g1", "!", "6 b* - r2,*b1,g1")
    plays("5 r?1 rd,bh *r1,b1,g1", "!", "6 b* bh r1,*b1,g1")


def test_2_forced_answers_follow_one_another_up_to_the_next_question() -> None:
    plays("5 r?1 rs,bm,gS,yP *r1,b1,g1,y2", "!", "6 b* gS r2,*b5,g2,y2")


# 3. Spy.


def test_3_two_neighbours_of_one_family_are_one_choice() -> None:
    plays("5 r?2 bs,rp,bh *r1,b3,g1", "!", "5 b?3 bs,rP,bh *r2,b2,g1")
    legal("5 rP2 bs,rP,gh *r1,b3,g1", "$b $g")


def test_3_a_player_without_influence_may_be_chosen_and_loses_none() -> None:
    legal("5 rP2 bs,rP,gh *r1,b0,g0", "$b $g")
    plays("5 rP2 bs,rP,gh *r1,b0,g0", "$g", "5 g?3 bs,rP,gh *r1,b0,g0")


# 4. Shapeshifter.


def test_4_two_real_heirs_do_not_stop_a_copied_heir() -> None:
    plays("5 rF2 bH,rF,gH,yp *r1,b1,g1,y1", "~1", "5 y?4 bH,rF,gH,yp *r3,b1,g1,y1")


def test_4_another_face_up_uncovered_shapeshifter_stops_a_copied_heir() -> None:
    plays("5 r?1 rf,bH,yp,gF *r1,b1,g1,y1", "!", "5 y?3 rF,bH,yp,gF *r1,b3,g1,y1")


def test_4_a_neighbouring_shapeshifter_is_a_legal_useless_choice_also_beside_a_useful_one() -> None:
    legal("5 rF2 bF,rF,gL,yp *r1,b1,g1,y1", "~1 ~3")
    plays("5 rF2 bF,rF,gL,yp *r1,b1,g1,y1", "~1", "5 y?4 bF,rF,gL,yp *r1,b1,g2,y1")
    plays("5 rF2 bF,rF,gL,yp *r1,b1,g1,y1", "~3", "5 y?4 bF,rF,gL,yp *r2,b1,g2,y1")


# 5. Royal Decree.


def test_5_decree_never_puts_a_card_onto_another() -> None:
    for line in in_editions("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1"):
        game = game_at(line)
        heights = {
            len(format_position(game.play(action)).split(" ")[3].split(","))
            for action in game.legal
        }
        assert heights == {3}


def test_5_decree_may_not_move_itself_nor_a_card_to_where_it_is() -> None:
    legal("5 rD1 rD,bs,gh *r1,b1,g1", "2>1 2>3 3>1 3>2")
    legal("5 rD3 bs,gh,rD *r1,b1,g1", "1>2 1>3 2>1 2>3")


def test_5_the_top_of_a_taller_stack_may_stand_on_either_side_of_it() -> None:
    legal("5 rD1 rD,bs/bp/bh *r1,b1,g1", "2>1 2>2 2>3")
    plays("5 rD1 rD,bs/bp/bh *r1,b1,g1", "2>1", "5 b?2 bs,bp/bh *r1,b1,g1")
    plays("5 rD1 rD,bs/bp/bh *r1,b1,g1", "2>2", "5 b?1 bs,bp/bh *r1,b1,g1")
    plays("5 rD1 rD,bs/bp/bh *r1,b1,g1", "2>3", "5 b?1 bp/bh,bs *r1,b1,g1")


def test_5_decree_without_a_card_to_move_is_discarded_without_effect() -> None:
    plays("5 r?1 rd1/rs *r1,b1,g1", "!", "5 r?1 rs *r2,b1,g1")


def test_5_a_card_moved_before_the_decree_is_not_resolved_again_this_round() -> None:
    plays("5 rD2 gp,rD,bH *r1,b1,g1", "3>1", "6 b* bH,gp r1,*b1,g1")
    plays("5 rD2 gp,rD,bh *r1,b1,g1", "3>2", "6 b* gp,bh r1,*b1,g1")
    plays("5 rD3 bH,gp,rD *r1,b1,g1", "1>2", "6 b* gp,bH r1,*b1,g1")


def test_5_a_card_moved_behind_the_decree_is_resolved_even_if_it_already_was() -> None:
    plays("5 b?1 bh,rd,gp *r1,b1,g1", "! ! 1>2", "5 g?2 bH,gp *r1,b5,g1")
    plays("5 b?1 bh,rd,gp *r1,b1,g1", "+ ! 1>3", "5 g?1 gp,bh1 *r1,b1,g1")
    plays("5 b?1 bh,rd,gp *r1,b1,g1", "+ ! 1>3 + +", "6 b* gp1,bh2 r1,*b1,g1")


# 6. Lord.


def test_6_cards_beneath_the_lord_itself_are_not_adjacent_to_it() -> None:
    plays("5 b?1 bs,rL/rs/rp,gh *r1,b1,g1", "+", "5 g?3 bs1,rL/rs/rp,gh *r2,b1,g1")


# 7. Ambush.


def test_7_ambush_does_not_react_to_being_moved_or_spied_on() -> None:
    plays("5 rD2 bm2,rD,gh *r1,b1,g1", "1>3", "5 g?1 gh,bm2 *r1,b1,g1")
    plays("5 rP2 bm2,rP,gh *r1,b1,g1", "$b", "5 g?3 bm2,rP,gh *r2,b0,g1")


# 8. Attacker leaves a stack.


def test_8_what_an_attacker_discarded_by_an_ambush_covered_is_resolved_next() -> None:
    plays("5 rS2 bm,rS/rH,gh *r1,b1,g1", "x1", "5 g?2 rH,gh *r4,b5,g1")
    plays("5 rS2 gh,rS/rp1,bm,gp *r1,b1,g1", "x3", "5 r?2 gh,rp1,gp *r2,b5,g1")
    plays("5 rA2 bm,rA/rp1,gh *r1,b1,g1", "x1", "5 r?1 rp1,gh *r2,b5,g1")
    plays("5 rX2 bm,rX/rp1,gh *r1,b1,g1", "x1", "5 r?1 rp1,gh *r2,b5,g1")


def test_8_what_an_attacker_that_eliminates_itself_covered_is_resolved_next() -> None:
    plays("5 rA1 rA/rH,bs,gh *r1,b1,g1", "x1", "5 b?2 rH,bs,gh *r4,b1,g1")
    plays("5 rX2 bs,rX/rH,gh *r1,b1,g1", "x2", "5 g?3 bs,rH,gh *r4,b1,g1")
    plays("5 rX2 bs,rX/rp1,gh *r1,b1,g1", "x2", "5 r?2 bs,rp1,gh *r2,b1,g1")


# 9. A card passed is passed.


def test_9_what_comes_to_light_before_the_stack_being_resolved_waits_for_the_next_round() -> None:
    plays("5 rS2 bs/bH,rS,gh *r1,b1,g1", "x1", "5 g?3 bH,rS,gh *r2,b1,g1")
    plays("5 rS2 bm/bH,rS,gh *r1,b1,g1", "x1", "5 g?2 bH,gh *r2,b5,g1")
    plays("5 rX3 bs/bp,gp,rX,gh *r1,b1,g1", "x1", "5 g?3 bp,gp,gh *r2,b1,g1")
    plays("5 rD2 bs/bH,rD,gh *r1,b1,g1", "1>4", "5 g?2 bH,gh,bs *r1,b1,g1")


# 10. Tie-break.


def test_10_a_tie_goes_to_most_own_cards_in_the_queue_covered_ones_included() -> None:
    ranks("6 - rA,bS,gH/gp *r3,b3,g3", "g rb")
    ranks("6 - rA/rs/rp,bS,bh,gH *r3,b3,g3", "r b g")


def test_10_players_still_tied_share_the_victory() -> None:
    ranks("6 - rA,bS,gH *r3,b3,g3", "rbg")
    ranks("6 - rA/rs,bS,bh,gH,yL *r3,b3,g4,y0", "g rb y")


# 11. Assassination on itself, Archer on itself.


def test_11_eliminating_itself_gains_1_and_it_leaves_as_eliminated() -> None:
    plays("5 rX2 bs,rX,gh *r1,b1,g1", "x2", "5 g?2 bs,gh *r2,b1,g1")
    plays("5 rA1 rA,bs,gh *r1,b1,g1", "x1", "5 b?1 bs,gh *r2,b1,g1")
    plays("5 rA1 rF,bA,gh *r1,b1,g1", "x1", "5 bA1 bA,gh *r2,b1,g1")


# 12. Public memory.


def seen_by_blue(line: str, tokens: str) -> str:
    game = game_at(line)
    for token in tokens.split():
        game = game.play(parse_action(token))
    return format_position(view(game, 1)).split(" ")[3]


def test_12_a_card_revealed_and_then_covered_stays_publicly_known() -> None:
    for line in in_editions("6 r* rH,rp2/rs,bs *r1:AX,b1,g1"):
        assert seen_by_blue(line, "A^1") == "r?/rH,r?2/r?,bs"
        assert seen_by_blue(line, "A^2") == "rH,r?/r?2/r?,bs"


# 13. After the last round everything is laid open.


def open_to(game: Game, viewer: int | None) -> str:
    return format_position(view(game, viewer))


def test_13_after_the_last_round_hands_set_aside_and_hidden_cards_are_laid_open() -> None:
    for line in in_editions("6 g?2 rs/rh,gp *r1,b1,g1"):
        last = game_at(line)
        ended = last.play(parse_action("+"))
        for viewer in (None, 0, 1, 2):
            assert "?" in open_to(last, viewer).split(" ", 3)[3]
            assert open_to(ended, viewer) == format_position(ended)
        assert format_position(ended) == whole(f"{line[0]} 6 - rs/rh,gp1 *r1,b1,g1")
