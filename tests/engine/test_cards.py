"""The ten cards, as the rules describe them, in the shorthand of `lines.py`.

A line without an edition holds in both; where the editions differ is in `test_editions.py`.
"""

from tests.engine.lines import legal, plays

# Archer


def test_archer_eliminates_the_first_or_the_last_card_of_the_queue() -> None:
    legal("5 rA2 bs,rA,gh *r1,b1,g1", "x1 x3")
    legal("5 rA3 bs,gp,rA,gh,bh *r1,b1,g1", "x1 x5")
    plays("5 rA2 bs,rA,gh *r1,b1,g1", "x1", "5 g?2 rA,gh *r2,b1,g1")
    plays("5 rA2 bs,rA,gh *r1,b1,g1", "x3", "6 b* bs,rA r2,*b1,g1")


def test_archer_may_eliminate_its_own_family() -> None:
    legal("5 rA2 rs,rA,gh *r1,b1,g1", "x1 x3")
    plays("5 rA2 rs,rA,gh *r1,b1,g1", "x1", "5 g?2 rA,gh *r2,b1,g1")


def test_archer_at_an_end_may_eliminate_itself() -> None:
    legal("5 rA1 rA,bs,gh *r1,b1,g1", "x1 x3")
    plays("5 rA1 rA,bs,gh *r1,b1,g1", "x1", "5 b?1 bs,gh *r2,b1,g1")
    legal("5 rA3 bs,gh,rA *r1,b1,g1", "x1 x3")
    plays("5 rA3 bs,gh,rA *r1,b1,g1", "x3", "6 b* bs,gh r2,*b1,g1")


def test_archer_alone_in_the_queue_eliminates_itself_unasked() -> None:
    plays("5 r?1 ra *r1,b1,g1", "!", "6 b* - r2,*b1,g1")
    plays("5 r?1 ra2 *r1,b1,g1", "!", "6 b* - r4,*b1,g1")
    plays("5 r?1 ra/rs1 *r1,b1,g1", "!", "5 r?1 rs1 *r2,b1,g1")


def test_archer_takes_only_the_top_card_of_a_stack() -> None:
    plays("5 rA2 bs/bh1/bp,rA,gh *r1,b1,g1", "x1", "5 g?3 bh1/bp,rA,gh *r2,b1,g1")
    plays("5 rA1 rA,gs,bs/bp *r1,b1,g1", "x3", "5 g?2 rA,gs,bp *r2,b1,g1")


def test_archer_eliminating_itself_does_not_spring_the_ambush_beneath_it() -> None:
    plays("5 rA1 rA/rm2,bs,gh *r1,b1,g1", "x1", "5 r?1 rm2,bs,gh *r2,b1,g1")


def test_archer_face_up_must_shoot_again_every_round() -> None:
    plays("5 g?1 gh,rA,bs,gp *r1,b1,g1", "+", "5 rA2 gh1,rA,bs,gp *r1,b1,g1")
    plays("5 g?1 gh,rA,bs,gp *r1,b1,g1", "+ x1", "5 b?2 rA,bs,gp *r2,b1,g1")


# Soldier


def test_soldier_eliminates_an_adjacent_card() -> None:
    legal("5 rS2 bs,rS,gh,yp *r1,b1,g1,y1", "x1 x3")
    legal("5 rS3 bs,gh,rS,gp,yp *r1,b1,g1,y1", "x2 x4")
    plays("5 rS2 bs,rS,gh,yp *r1,b1,g1,y1", "x1", "5 g?2 rS,gh,yp *r2,b1,g1,y1")
    plays("5 rS2 bs,rS,gh,yp *r1,b1,g1,y1", "x3", "5 y?3 bs,rS,yp *r2,b1,g1,y1")


def test_soldier_may_eliminate_its_own_family() -> None:
    plays("5 rS2 rh3,rS,bs *r1,b1,g1", "x1", "5 b?2 rS,bs *r2,b1,g1")
    plays("5 rS2 bs,rS,rH,gh *r1,b1,g1", "x3", "5 g?3 bs,rS,gh *r2,b1,g1")


def test_soldier_at_an_end_has_one_neighbour_and_nobody_is_asked() -> None:
    plays("5 r?1 rs,bs,gh *r1,b1,g1", "!", "5 g?2 rS,gh *r2,b1,g1")
    plays("5 r?3 bs,gh,rs *r1,b1,g1", "!", "6 b* bs,rS r2,*b1,g1")
    plays("5 r?1 rs,rh,gh *r1,b1,g1", "!", "5 g?2 rS,gh *r2,b1,g1")


def test_soldier_without_a_neighbour_has_no_effect() -> None:
    plays("5 r?1 rs2 *r1,b1,g1", "!", "6 b* rS r3,*b1,g1")
    plays("5 r?1 rs/rH *r1,b1,g1", "!", "6 b* rS/rH r1,*b1,g1")


def test_soldier_takes_only_the_top_card_of_a_stack() -> None:
    plays("5 rS2 bs/bH,rS,gh/gL,yp *r1,b1,g1,y1", "x1", "5 g?3 bH,rS,gh/gL,yp *r2,b1,g1,y1")
    plays("5 rS2 bs/bH,rS,gh/gl,yp *r1,b1,g1,y1", "x3", "5 g?3 bs/bH,rS,gl,yp *r2,b1,g1,y1")


# Spy


def test_spy_steals_1_from_the_pool_of_the_owner_of_an_adjacent_card() -> None:
    legal("5 rP2 bs,rP,gh *r1,b2,g3", "$b $g")
    plays("5 rP2 bs,rP,gh *r1,b2,g3", "$b", "5 g?3 bs,rP,gh *r2,b1,g3")
    plays("5 rP2 bs,rP,gh *r1,b2,g3", "$g", "5 g?3 bs,rP,gh *r2,b2,g2")


def test_spy_never_steals_from_the_card() -> None:
    plays("5 r?1 rp,bs3 *r1,b1,g1", "!", "5 b?2 rP,bs3 *r2,b0,g1")
    plays("5 r?1 rp,bs3 *r1,b0,g1", "!", "5 b?2 rP,bs3 *r1,b0,g1")


def test_spy_may_choose_a_player_without_influence_who_loses_none() -> None:
    legal("5 rP2 bs,rP,gh *r1,b0,g3", "$b $g")
    plays("5 rP2 bs,rP,gh *r1,b0,g3", "$b", "5 g?3 bs,rP,gh *r1,b0,g3")
    plays("5 rP2 bs,rP,gh *r0,b0,g0", "$b", "5 g?3 bs,rP,gh *r0,b0,g0")


def test_spy_choosing_its_own_player_changes_nothing() -> None:
    legal("5 rP2 rs,rP,gh *r1,b1,g3", "$r $g")
    plays("5 rP2 rs,rP,gh *r1,b1,g3", "$r", "5 g?3 rs,rP,gh *r1,b1,g3")
    plays("5 rP2 rs,rP,gh *r0,b1,g3", "$r", "5 g?3 rs,rP,gh *r0,b1,g3")


def test_spy_with_two_neighbours_of_one_family_has_one_choice_and_nobody_is_asked() -> None:
    plays("5 b?1 bs,rP,bh *r1,b2,g1", "+", "5 b?3 bs1,rP,bh *r2,b1,g1")
    plays("5 r?1 rs,rP,rh,gh *r1,b1,g1", "+", "5 r?3 rs1,rP,rh,gh *r1,b1,g1")


def test_spy_at_an_end_has_one_neighbour_and_nobody_is_asked() -> None:
    plays("5 r?1 rp,bs,gh *r1,b2,g1", "!", "5 b?2 rP,bs,gh *r2,b1,g1")
    plays("5 r?3 bs,gh,rp *r1,b2,g2", "!", "6 b* bs,gh,rP r2,*b2,g1")


def test_spy_without_a_neighbour_has_no_effect() -> None:
    plays("5 r?1 rp3 *r1,b2,g1", "!", "6 b* rP r4,*b2,g1")


def test_spy_beside_a_stack_sees_its_one_owner_and_not_what_lies_beneath_itself() -> None:
    legal("5 rP2 bs/bp/bh,rP/rh,gh *r1,b2,g3", "$b $g")


def test_spy_steals_again_every_round() -> None:
    plays("5 b?1 bs,rP,bh *r4,b1,g1", "+ +", "6 b* bs1,rP,bh1 r5,*b0,g1")


# Heir


def test_heir_gains_2_with_no_other_heir_face_up() -> None:
    plays("5 r?1 rh,bs *r1,b1,g1", "!", "5 b?2 rH,bs *r3,b1,g1")
    plays("5 b?1 bs,rH,gp *r1,b1,g1", "+", "5 g?3 bs1,rH,gp *r3,b1,g1")
    plays("5 r?1 rh *r1,b1,g1", "!", "6 b* rH r3,*b1,g1")


def test_heir_gains_nothing_while_another_heir_is_face_up_anywhere_in_the_queue() -> None:
    plays("5 b?1 bs,rH,gH,yp *r1,b1,g1,y1", "+", "5 y?4 bs1,rH,gH,yp *r1,b1,g1,y1")
    plays("5 b?1 bs,rH,yp,gH *r1,b1,g1,y1", "+", "5 y?3 bs1,rH,yp,gH *r1,b1,g1,y1")
    plays("5 b?2 gH,bs,yp,rH *r1,b1,g1,y1", "+ +", "6 b* gH,bs1,yp1,rH r1,*b1,g1,y1")


def test_heir_revealed_still_takes_the_influence_on_it() -> None:
    plays("5 r?1 rh3,bs,gH *r1,b1,g1", "!", "5 b?2 rH,bs,gH *r4,b1,g1")


def test_heir_does_not_mind_a_face_down_heir() -> None:
    plays("5 b?1 bs,rH,gh *r1,b1,g1", "+", "5 g?3 bs1,rH,gh *r3,b1,g1")


def test_heir_does_not_mind_a_covered_heir() -> None:
    plays("5 b?1 bs,rH,gs/gH *r1,b1,g1", "+", "5 g?3 bs1,rH,gs/gH *r3,b1,g1")
    plays("5 r?1 rh,gp,gs/gL/gH *r1,b1,g1", "!", "5 g?2 rH,gp,gs/gL/gH *r3,b1,g1")


def test_heir_does_not_mind_a_shapeshifter_that_copies_heirs() -> None:
    plays("5 b?1 bs,rH,gF,yp *r1,b1,g1,y1", "+", "5 y?4 bs1,rH,gF,yp *r3,b1,g3,y1")


# Shapeshifter


def test_shapeshifter_copies_one_adjacent_face_up_uncovered_character() -> None:
    legal("5 rF2 bH,rF,gL,yp *r1,b1,g1,y1", "~1 ~3")
    legal("5 rF3 bA,bL,rF,gS,gP *r1,b1,g1", "~2 ~4")


def test_shapeshifter_with_nobody_to_copy_has_no_effect() -> None:
    plays("5 r?1 rf2 *r1,b1,g1", "!", "6 b* rF r3,*b1,g1")
    plays("5 b?1 bs,rF,gh *r1,b1,g1", "+", "5 g?3 bs1,rF,gh *r1,b1,g1")
    plays("5 b?1 bs,rF,gp/gH *r1,b1,g1", "+", "5 g?3 bs1,rF,gp/gH *r1,b1,g1")
    plays("5 b?1 bs,rF/rH,gp *r1,b1,g1", "+", "5 g?3 bs1,rF/rH,gp *r1,b1,g1")
    plays("5 b?1 bs,rF,gp,gH *r1,b1,g1", "+", "5 g?3 bs1,rF,gp,gH *r1,b1,g1")


def test_shapeshifter_with_one_card_to_copy_is_not_asked() -> None:
    plays("5 r?1 rf,bH,gp *r1,b1,g1", "!", "5 g?3 rF,bH,gp *r3,b3,g1")
    plays("5 b?1 bs,rF,rH,gp *r1,b1,g1", "+", "5 g?4 bs1,rF,rH,gp *r5,b1,g1")


def test_shapeshifter_copies_an_archer() -> None:
    plays("5 rF2 bA,rF,gH,yp *r1,b1,g1,y1", "~1", "5 rA2 bA,rF,gH,yp *r1,b1,g1,y1")
    legal("5 rA2 bA,rF,gH,yp *r1,b1,g1,y1", "x1 x4")
    plays("5 rA2 bA,rF,gH,yp *r1,b1,g1,y1", "x1", "5 y?3 rF,gH,yp *r2,b1,g3,y1")
    plays("5 rA2 bA,rF,gh,yp *r1,b1,g1,y1", "x4", "5 g?3 bA,rF,gh *r2,b1,g1,y1")


def test_shapeshifter_that_copied_an_archer_may_eliminate_itself() -> None:
    legal("5 rA1 rF/rh1,bA,gp *r1,b1,g1", "x1 x3")
    plays("5 rA1 rF/rh1,bA,gp *r1,b1,g1", "x1", "5 r?1 rh1,bA,gp *r2,b1,g1")


def test_shapeshifter_copies_a_soldier() -> None:
    plays("5 rF2 bS,rF,gH,yp *r1,b1,g1,y1", "~1", "5 rS2 bS,rF,gH,yp *r1,b1,g1,y1")
    legal("5 rS2 bS,rF,gH,yp *r1,b1,g1,y1", "x1 x3")
    plays("5 rS2 bS,rF,gH,yp *r1,b1,g1,y1", "x3", "5 y?3 bS,rF,yp *r2,b1,g1,y1")


def test_shapeshifter_copies_a_spy() -> None:
    plays("5 rF2 bP,rF,gH,yp *r1,b1,g1,y1", "~1", "5 rP2 bP,rF,gH,yp *r1,b1,g1,y1")
    legal("5 rP2 bP,rF,gH,yp *r1,b1,g1,y1", "$b $g")
    plays("5 rP2 bP,rF,gh,yp *r1,b1,g1,y1", "$g", "5 g?3 bP,rF,gh,yp *r2,b1,g0,y1")
    plays("5 r?1 rf,bP,gp *r1,b1,g1", "!", "5 bP2 rF,bP,gp *r2,b0,g1")


def test_shapeshifter_copies_a_lord_and_counts_its_own_family() -> None:
    plays("5 rF2 bL,rF,rH,yp *r1,b1,g1,y1", "~1", "5 y?4 bL,rF,rH,yp *r5,b1,g1,y1")
    plays("5 rF2 bL,rF,gH,yp *r1,b1,g1,y1", "~1", "5 y?4 bL,rF,gH,yp *r2,b1,g3,y1")
    plays("5 rF2 rL,rF,gH,yp *r1,b1,g1,y1", "~1", "5 y?4 rL,rF,gH,yp *r3,b1,g3,y1")


def test_shapeshifter_copying_an_heir_is_paid_whatever_real_heirs_there_are() -> None:
    plays("5 rF2 bH,rF,gH,yp *r1,b1,g1,y1", "~1", "5 y?4 bH,rF,gH,yp *r3,b1,g1,y1")
    plays("5 rF2 bH,rF,gH,yp *r1,b1,g1,y1", "~3", "5 y?4 bH,rF,gH,yp *r3,b1,g1,y1")


def test_shapeshifter_copying_an_heir_is_stopped_by_another_face_up_uncovered_one_only() -> None:
    plays("5 rF2 bH,rF,gS,yp,yF *r1,b1,g1,y1", "~1", "5 gS3 bH,rF,gS,yp,yF *r1,b1,g1,y1")
    plays("5 rF2 bH,rF,gS,yp/yF *r1,b1,g1,y1", "~1", "5 gS3 bH,rF,gS,yp/yF *r3,b1,g1,y1")
    plays("5 rF2 bH,rF,gS,yp,yf *r1,b1,g1,y1", "~1", "5 gS3 bH,rF,gS,yp,yf *r3,b1,g1,y1")


def test_shapeshifter_may_copy_a_shapeshifter_to_no_effect() -> None:
    legal("5 rF2 bF,rF,gH,yp *r1,b1,g1,y1", "~1 ~3")
    plays("5 rF2 bF,rF,gH,yp *r1,b1,g1,y1", "~1", "5 y?4 bF,rF,gH,yp *r1,b1,g3,y1")
    plays("5 b?1 bs,rF,gF,yp *r1,b1,g1,y1", "+", "5 y?4 bs1,rF,gF,yp *r1,b1,g1,y1")


def test_shapeshifter_copies_for_this_resolution_only() -> None:
    plays("4 r?1 rf,bH,gp *r1,b1,g1", "! +", "5 b* rF,bH,gp1 r3,*b3,g1")
    plays("5 rF2 bA,rF,gH,gp *r1,b1,g1", "~1 x1 +", "6 b* rF,gH,gp1 r2,*b1,g3")
    plays("5 g?1 gp,rF,bL *r1,b1,g1", "+", "6 b* gp1,rF,bL r2,*b2,g1")


# Lord


def test_lord_gains_1() -> None:
    plays("5 r?1 rl *r1,b1,g1", "!", "6 b* rL r2,*b1,g1")
    plays("5 r?1 rl2,bs *r1,b1,g1", "!", "5 b?2 rL,bs *r4,b1,g1")
    plays("5 b?1 bs,rL,gh *r1,b1,g1", "+", "5 g?3 bs1,rL,gh *r2,b1,g1")


def test_lord_gains_1_more_for_each_adjacent_card_of_its_own_family() -> None:
    plays("5 r?1 rs,rL,gh *r1,b1,g1", "+", "5 g?3 rs1,rL,gh *r3,b1,g1")
    plays("5 b?1 bs,rL,rh,gp *r1,b1,g1", "+", "5 r?3 bs1,rL,rh,gp *r3,b1,g1")
    plays("5 r?1 rs,rL,rh,gp *r1,b1,g1", "+", "5 r?3 rs1,rL,rh,gp *r4,b1,g1")


def test_lord_counts_neighbours_face_up_and_face_down_alike() -> None:
    plays("5 r?1 rs,rL,rH,gp *r1,b1,g1", "+", "5 g?4 rs1,rL,rH,gp *r6,b1,g1")


def test_lord_does_not_count_its_family_further_away() -> None:
    plays("5 b?2 rs,bs,rL,gp,rh *r1,b1,g1", "+", "5 g?4 rs,bs1,rL,gp,rh *r2,b1,g1")


# Assassination


def test_assassination_eliminates_any_top_card_and_is_discarded() -> None:
    legal("5 rX2 bs,rX,gh/gp,bp *r1,b1,g1", "x1 x2 x3 x4")
    plays("5 rX2 bs,rX,gh/gp,bp *r1,b1,g1", "x1", "5 g?1 gh/gp,bp *r2,b1,g1")
    plays("5 rX2 bs,rX,gh/gp,bp *r1,b1,g1", "x3", "5 g?2 bs,gp,bp *r2,b1,g1")
    plays("5 rX2 bs,rX,gh/gp,bp *r1,b1,g1", "x4", "5 g?2 bs,gh/gp *r2,b1,g1")


def test_assassination_may_eliminate_itself() -> None:
    plays("5 rX2 bs,rX,gh *r1,b1,g1", "x2", "5 g?2 bs,gh *r2,b1,g1")
    plays("5 rX2 bs,rX/rp,gh *r1,b1,g1", "x2", "5 r?2 bs,rp,gh *r2,b1,g1")


def test_assassination_may_eliminate_its_own_family() -> None:
    plays("5 rX2 rs,rX,gh *r1,b1,g1", "x1", "5 g?1 gh *r2,b1,g1")


def test_assassination_alone_in_the_queue_eliminates_itself_unasked() -> None:
    plays("5 r?1 rx2 *r1,b1,g1", "!", "6 b* - r4,*b1,g1")


# Royal Decree


def test_decree_moves_one_top_card_to_any_other_place() -> None:
    legal("5 rD2 bs,rD,gh *r1,b1,g1", "1>2 1>3 3>1 3>2")
    plays("5 rD2 bs,rD,gh *r1,b1,g1", "1>2", "5 b?1 bs,gh *r1,b1,g1")
    plays("5 rD2 bs,rD,gh *r1,b1,g1", "1>3", "5 g?1 gh,bs *r1,b1,g1")
    plays("5 rD2 bs,rD,gh *r1,b1,g1", "3>1", "6 b* gh,bs r1,*b1,g1")
    plays("5 rD2 bs,rD,gh *r1,b1,g1", "3>2", "6 b* bs,gh r1,*b1,g1")


def test_decree_at_an_end_moves_the_others_to_any_other_place() -> None:
    legal("5 rD1 rD,bs,gh *r1,b1,g1", "2>1 2>3 3>1 3>2")
    plays("5 rD1 rD,bs,gh *r1,b1,g1", "2>1", "5 g?2 bs,gh *r1,b1,g1")
    plays("5 rD1 rD,bs,gh *r1,b1,g1", "2>3", "5 g?1 gh,bs *r1,b1,g1")
    plays("5 rD1 rD,bs,gh *r1,b1,g1", "3>1", "5 b?2 gh,bs *r1,b1,g1")
    plays("5 rD1 rD,bs,gh *r1,b1,g1", "3>2", "5 g?1 gh,bs *r1,b1,g1")


def test_decree_lets_the_top_of_a_taller_stack_stand_alone_on_either_side_of_it() -> None:
    legal("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "1>1 1>2 1>3 1>4 3>1 3>2 3>3 3>4")
    plays("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "1>1", "5 g?3 bs,bp,gh/gl *r1,b1,g1")
    plays("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "1>2", "5 g?3 bp,bs,gh/gl *r1,b1,g1")
    plays("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "3>3", "5 g?2 bs/bp,gh,gl *r1,b1,g1")
    plays("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "3>4", "5 g?2 bs/bp,gl,gh *r1,b1,g1")


def test_decree_moves_the_top_of_a_taller_stack_anywhere_else() -> None:
    plays("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "1>3", "5 b?2 bp,bs,gh/gl *r1,b1,g1")
    plays("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "1>4", "5 g?2 bp,gh/gl,bs *r1,b1,g1")
    plays("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "3>1", "5 g?3 gh,bs/bp,gl *r1,b1,g1")
    plays("5 rD2 bs/bp,rD,gh/gl *r1,b1,g1", "3>2", "5 g?3 bs/bp,gh,gl *r1,b1,g1")


def test_decree_moves_any_family_face_up_or_face_down() -> None:
    legal("5 rD3 rp,bH,rD *r1,b1,g1", "1>2 1>3 2>1 2>3")
    plays("5 rD3 rp,bH,rD *r1,b1,g1", "1>2", "6 b* bH,rp r1,*b1,g1")
    plays("5 rD3 rp,bH,rD *r1,b1,g1", "1>3", "5 r?2 bH,rp *r1,b1,g1")
    plays("5 rD3 rp,bH,rD *r1,b1,g1", "2>3", "6 b* rp,bH r1,*b3,g1")


def test_decree_moves_the_influence_with_the_card() -> None:
    plays("5 rD2 bs2,rD,gh1 *r1,b1,g1", "1>3", "5 g?1 gh1,bs2 *r1,b1,g1")
    plays("5 rD2 bs2/bp1,rD,gh1 *r1,b1,g1", "1>4", "5 g?2 bp1,gh1,bs2 *r1,b1,g1")


def test_decree_keeps_what_it_covers_where_it_is_and_that_is_resolved_next() -> None:
    legal("5 rD2 bs,rD/rH,gh *r1,b1,g1", "1>2 1>3 3>1 3>2")
    plays("5 rD2 bs,rD/rH,gh *r1,b1,g1", "1>3", "5 g?2 rH,gh,bs *r3,b1,g1")
    plays("5 rD2 bs,rD/rp1,gh *r1,b1,g1", "3>1", "5 r?3 gh,bs,rp1 *r1,b1,g1")


def test_decree_with_one_possible_move_is_not_asked() -> None:
    plays("5 r?1 rd,bs *r1,b1,g1", "!", "6 b* bs r1,*b1,g1")
    plays("5 r?2 bs,rd *r1,b1,g1", "!", "5 b?1 bs *r1,b1,g1")


def test_decree_with_no_card_to_move_is_discarded_without_effect() -> None:
    plays("5 r?1 rd2 *r1,b1,g1", "!", "6 b* - r3,*b1,g1")
    plays("5 r?1 rd/rH *r1,b1,g1", "!", "6 b* rH r3,*b1,g1")


# Ambush


def test_ambush_revealed_by_its_owner_loses_the_influence_on_it_and_gains_1() -> None:
    plays("5 r?1 rm,bs *r1,b1,g1", "!", "5 b?1 bs *r2,b1,g1")
    plays("5 r?1 rm3,bs *r1,b1,g1", "!", "5 b?1 bs *r2,b1,g1")


def test_ambush_eliminated_by_an_opponent_pays_both_and_discards_the_attacker() -> None:
    plays("5 rA2 bm,rA,gh *r1,b1,g1", "x1", "5 g?1 gh *r2,b5,g1")
    plays("5 rA2 gh,rA,bm *r1,b1,g1", "x3", "6 b* gh r2,*b5,g1")
    plays("5 rS2 bm,rS,gh *r1,b1,g1", "x1", "5 g?1 gh *r2,b5,g1")
    plays("5 rS2 gh,rS,bm,gp *r1,b1,g1", "x3", "5 g?2 gh,gp *r2,b5,g1")
    plays("5 rX2 bm,rX,gh *r1,b1,g1", "x1", "5 g?1 gh *r2,b5,g1")
    plays("5 rX2 gh,rX,gp,bm *r1,b1,g1", "x4", "5 g?2 gh,gp *r2,b5,g1")


def test_ambush_loses_the_influence_on_it_when_it_is_eliminated() -> None:
    plays("5 rS2 bm3,rS,gh *r1,b1,g1", "x1", "5 g?1 gh *r2,b5,g1")


def test_ambush_sprung_by_a_shapeshifter_discards_the_shapeshifter() -> None:
    plays("5 rS2 bm,rF,gS,yp *r1,b1,g1,y1", "x1", "6 b* gS r2,*b5,g2,y1")
    plays("5 rA3 bm,gA,rF,yp *r1,b1,g1,y1", "x1", "5 y?2 gA,yp *r2,b5,g1,y1")


def test_ambush_on_a_stack_uncovers_what_it_covered() -> None:
    plays("5 rS2 bm/bH,rS,gh *r1,b1,g1", "x1", "5 g?2 bH,gh *r2,b5,g1")
    plays("5 rS2 gh,rS,bm/bH,gp *r1,b1,g1", "x3", "5 g?3 gh,bH,gp *r2,b7,g1")


# Conspiracy


def test_conspiracy_pays_twice_the_influence_on_it() -> None:
    plays("5 r?1 rc,bs *r1,b1,g1", "!", "5 b?1 bs *r1,b1,g1")
    plays("5 r?1 rc1,bs *r1,b1,g1", "!", "5 b?1 bs *r3,b1,g1")
    plays("5 r?1 rc4,bs *r1,b1,g1", "!", "5 b?1 bs *r9,b1,g1")


def test_conspiracy_eliminated_pays_nothing() -> None:
    plays("5 rS2 bc3,rS,gh *r1,b1,g1", "x1", "5 g?2 rS,gh *r2,b1,g1")
