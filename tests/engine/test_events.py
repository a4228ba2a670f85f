"""What is told of each thing that happens: one line and the events that come of it.

Positions in events count from 1 and are those of the moment just before the event.
"""

from engine.events import (
    AmbushSprung,
    Copied,
    Discarded,
    Eliminated,
    Forced,
    Gained,
    GameEnded,
    Left,
    Moved,
    NoEffect,
    Placed,
    ResolutionBegan,
    Revealed,
    RoundBegan,
    Stole,
    Uncovered,
)
from tests.engine.lines import tells

RED, BLUE, GREEN = 0, 1, 2


def test_placing_tells_where_the_card_now_stands_and_how_high() -> None:
    tells("6 r* bs,rH *r1:AX,b1,g1", "A<", Placed(RED, "A", "<", 1, 1))
    tells("6 r* bs,rH *r1:AX,b1,g1", "A>", Placed(RED, "A", ">", 3, 1))
    tells("6 r* bs,rH/rs,gp *r1:AX,b1,g1", "A^2", Placed(RED, "A", "^", 2, 3))
    tells("6 r* - *r1:AX,b1,g1", "A>", Placed(RED, "A", ">", 1, 1))


def test_the_last_placement_begins_the_resolution() -> None:
    tells("6 g* bs *r1,b1,g1:AX", "A>", Placed(GREEN, "A", ">", 2, 1), ResolutionBegan())


def test_leaving_tells_the_influence_now_on_the_card() -> None:
    tells("5 r?2 bs,rh2,gh *r1,b1,g1", "+", Left(RED, 2, "H", 3))


def test_revealing_tells_what_was_on_the_card_and_what_was_taken() -> None:
    tells("5 r?1 rl2,bh *r1,b1,g1", "!", Revealed(RED, 1, "L", 2, 2), Gained(RED, 1, "L", "L", 1))
    tells(
        "5 r?1 rc2,bh *r1,b1,g1",
        "!",
        Revealed(RED, 1, "C", 2, 4),
        Gained(RED, 1, "C", "C", 0),
        Discarded(RED, 1, "C"),
    )
    tells(
        "5 r?1 rm2,bh *r1,b1,g1",
        "!",
        Revealed(RED, 1, "M", 2, 0),
        Gained(RED, 1, "M", "M", 1),
        Discarded(RED, 1, "M"),
    )


def test_an_ability_without_a_target_is_told_as_having_no_effect() -> None:
    tells(
        "5 r?1 rs *r1,b1,g1",
        "!",
        Revealed(RED, 1, "S", 0, 0),
        NoEffect(RED, 1, "S", "S"),
        RoundBegan(6, BLUE),
    )


def test_an_heir_that_is_not_paid_is_told_as_gaining_nothing() -> None:
    tells(
        "5 r?1 rh,bH,gs *r1,b1,g1",
        "!",
        Revealed(RED, 1, "H", 0, 0),
        Gained(RED, 1, "H", "H", 0),
        Gained(BLUE, 2, "H", "H", 0),
    )


def test_a_forced_answer_is_told_as_such() -> None:
    tells(
        "5 r?1 rs,bh2,gh *r1,b1,g1",
        "!",
        Revealed(RED, 1, "S", 0, 0),
        Forced(RED, 1, "S", "S"),
        Eliminated(RED, 1, "S", 2, BLUE, "H", face_up=False, influence=2),
    )


def test_a_chosen_elimination_tells_both_cards() -> None:
    tells(
        "5 rS2 bH,rS,gh *r1,b1,g1",
        "x1",
        Eliminated(RED, 2, "S", 1, BLUE, "H", face_up=True, influence=0),
    )


def test_a_sprung_ambush_and_the_discarded_attacker_are_told_where_they_then_stand() -> None:
    tells(
        "5 rS2 bm3,rS/rp,gh *r1,b1,g1",
        "x1",
        Eliminated(RED, 2, "S", 1, BLUE, "M", face_up=False, influence=3),
        AmbushSprung(BLUE, 4, RED),
        Discarded(RED, 1, "S"),
        Uncovered(RED, 1, "P", face_up=False),
    )


def test_an_own_ambush_is_told_as_sprung_in_the_first_edition_only() -> None:
    tells(
        "1 5 rS2 rm,rS,gh *r1,b1,g1",
        "x1",
        Eliminated(RED, 2, "S", 1, RED, "M", face_up=False, influence=0),
        AmbushSprung(RED, 1, RED),
        Discarded(RED, 1, "S"),
    )
    tells(
        "2 5 rS2 rm,rS,gh *r1,b1,g1",
        "x1",
        Eliminated(RED, 2, "S", 1, RED, "M", face_up=False, influence=0),
    )


def test_eliminating_itself_is_told_as_an_elimination_not_as_a_discard() -> None:
    tells(
        "5 rX2 bs,rX/rH,gh *r1,b1,g1",
        "x2",
        Eliminated(RED, 2, "X", 2, RED, "X", face_up=True, influence=0),
        Uncovered(RED, 2, "H", face_up=True),
        Gained(RED, 2, "H", "H", 2),
    )


def test_a_card_uncovered_elsewhere_than_at_the_resolving_stack_is_not_told_as_next() -> None:
    tells(
        "5 rS2 bs/bH,rS,gh *r1,b1,g1",
        "x1",
        Eliminated(RED, 2, "S", 1, BLUE, "S", face_up=False, influence=0),
    )


def test_stealing_tells_how_much() -> None:
    tells("5 rP2 bs,rP,gh *r1,b2,g1", "$b", Stole(RED, 2, "P", BLUE, 1))
    tells("5 rP2 bs,rP,gh *r1,b0,g1", "$b", Stole(RED, 2, "P", BLUE, 0))
    tells("5 rP2 rs,rP,gh *r1,b1,g1", "$r", Stole(RED, 2, "P", RED, 0))
    tells("5 rP2 bP,rF,gh *r1,b1,g1", "$g", Stole(RED, 2, "F", GREEN, 1))


def test_copying_tells_the_ability_and_then_what_comes_of_it() -> None:
    tells(
        "5 rF2 bH,rF,gA,yp *r1,b1,g1,y1",
        "~1",
        Copied(RED, 2, 1, "H"),
        Gained(RED, 2, "F", "H", 2),
    )
    tells("5 rF2 bA,rF,gH,yp *r1,b1,g1,y1", "~1", Copied(RED, 2, 1, "A"))
    tells(
        "5 r?1 rf,bS,gp *r1,b1,g1",
        "!",
        Revealed(RED, 1, "F", 0, 0),
        Forced(RED, 1, "F", "F"),
        Copied(RED, 1, 2, "S"),
        Forced(RED, 1, "F", "S"),
        Eliminated(RED, 1, "F", 2, BLUE, "S", face_up=True, influence=0),
    )


def test_a_move_tells_from_where_to_where_whose_card_and_whether_it_is_face_up() -> None:
    tells(
        "5 rD2 bs2,rD/rp,gh *r1,b1,g1",
        "1>3",
        Moved(RED, 2, 1, 3, BLUE, "S", face_up=False),
        Discarded(RED, 1, "D"),
        Uncovered(RED, 1, "P", face_up=False),
    )
    tells(
        "5 rD2 bH,rD,gh *r1,b1,g1",
        "1>3",
        Moved(RED, 2, 1, 3, BLUE, "H", face_up=True),
        Discarded(RED, 1, "D"),
    )


def test_the_next_round_and_the_end_are_told() -> None:
    tells("2 g?2 rL,gh r1,*b1,g1", "+", Left(GREEN, 2, "H", 1), RoundBegan(3, GREEN))
    tells("6 g?2 rL,gh r1,*b1,g1", "+", Left(GREEN, 2, "H", 1), GameEnded((RED, GREEN)))
    tells("6 g?2 rL,gh r1,*b2,g1", "+", Left(GREEN, 2, "H", 1), GameEnded((BLUE,)))
