"""Tests setup, placement, resolution, rounds and the end, in the shorthand of `lines.py`."""

from collections import Counter
from random import Random

import pytest

from engine.cards import CARDS, FAMILIES, in_order
from engine.edition import EDITIONS, SECOND_EDITION
from engine.game import Deal, Game
from engine.notation import format_position
from tests.engine.lines import hand_sizes, hold, in_editions, ranks

RULES = {
    # Placement
    "in an empty queue a card simply becomes the queue": """
        1 r* - *r1,b1,g1 | A> S> P> H> F> L> X>
        1 r* - *r1,b1,g1 | S> | 1 b* rs *r1,b1,g1
        6 r* - *r1:AD,b1,g1 | A> D>
    """,
    "a card goes face down to the start or the end": """
        1 b* rs *r1,b1,g1 | A< A> S< S> P< P> H< H> F< F> L< L> X< X>
        1 b* rs *r1,b1,g1 | A< | 1 g* ba,rs *r1,b1,g1
        1 b* rs *r1,b1,g1 | A> | 1 g* rs,ba *r1,b1,g1
        6 r* bA,gp *r1:XM,b1,g1 | X< X> M< M>
    """,
    "a card goes on a stack whose top card is ones own face up or face down": """
        6 r* bA,rS/rh,gp,rl1 *r1:XM,b1,g1 | X< X> X^2 X^4 M< M> M^2 M^4
        6 r* bA,rS/rh,gp,rl1 *r1:XM,b1,g1 | X^2 | 6 b* bA,rx/rS/rh,gp,rl1 *r1,b1,g1
        6 r* bA,rS/rh,gp,rl1 *r1:XM,b1,g1 | M^4 | 6 b* bA,rS/rh,gp,rm/rl1 *r1,b1,g1
    """,
    "a stack may be of any height": """
        6 r* rx/rl1/rH/rs2/ra *r1:MC,b1,g1 | M< M> M^1 C< C> C^1
        6 r* rx/rl1/rH/rs2/ra *r1:MC,b1,g1 | M^1 | 6 b* rm/rx/rl1/rH/rs2/ra *r1,b1,g1
    """,
    "in a queue of one stack start and end are two places": """
        6 r* rs *r1:AX,b1,g1 | A< A> A^1 X< X> X^1
        6 r* rs *r1:AX,b1,g1 | A< | 6 b* ra,rs *r1,b1,g1
        6 r* rs *r1:AX,b1,g1 | A> | 6 b* rs,ra *r1,b1,g1
    """,
    "players place clockwise from the first player and then the queue is resolved": """
        1 b* - r1,*b1,g1 | S> A> P< | 1 r?1 rp,bs,ga r1,*b1,g1
        1 g* - r1,b1,*g1 | S> A> P< | 1 b?1 bp,gs,ra r1,b1,*g1
        1 y* - r1,b1,v1,*y1,g1 | S> A> P> H> F> | 1 y?1 ys,ga,rp,bh,vf r1,b1,v1,*y1,g1
    """,
    # Resolution
    "a face down card is left or revealed": """
        5 r?1 rs,bh *r1,b1,g1 | + !
    """,
    "leaving puts 1 influence on the card": """
        5 r?1 rs,bh *r1,b1,g1 | + | 5 b?2 rs1,bh *r1,b1,g1
        5 r?1 rs4,bh *r1,b1,g1 | + | 5 b?2 rs5,bh *r1,b1,g1
    """,
    "revealing takes the influence first and then applies the ability at once": """
        5 r?1 rl2,bh *r1,b1,g1 | ! | 5 b?2 rL,bh *r4,b1,g1
        5 r?2 bh,rs2,gh *r1,b1,g1 | ! | 5 rS2 bh,rS,gh *r3,b1,g1
    """,
    "a face up character is applied every round without asking whether": """
        5 b?1 bs,rH,rL,gp *r1,b1,g1 | + | 5 g?4 bs1,rH,rL,gp *r5,b1,g1
    """,
    "the stacks are resolved from position 1 to the last": """
        4 b?1 bs,gp,rh *r1,b1,g1 | + + + | 5 b* bs1,gp1,rh1 r1,*b1,g1
    """,
    "an intrigue is discarded once applied and a character stays": """
        5 r?1 rc2,bs *r1,b1,g1 | ! | 5 b?1 bs *r5,b1,g1
        5 r?1 rh2,bs *r1,b1,g1 | ! | 5 b?2 rH,bs *r5,b1,g1
    """,
    "a covered card that comes to light is resolved next at the same place": """
        5 r?1 rc1/rp2,bs *r1,b1,g1 | ! | 5 r?1 rp2,bs *r3,b1,g1
        5 r?1 rc1/rp2,bs *r1,b1,g1 | ! + | 5 b?2 rp3,bs *r3,b1,g1
        5 r?1 rc/rH,bs *r1,b1,g1 | ! | 5 b?2 rH,bs *r3,b1,g1
        5 r?2 bh,rc/rS,gh *r1,b1,g1 | ! | 5 rS2 bh,rS,gh *r1,b1,g1
    """,
    "cards come to light one after another": """
        5 r?1 rc/rm2/rS,bs/bh *r1,b1,g1 | ! ! | 5 b?2 rS,bh *r3,b1,g1
        5 r?1 rc1/rm/rH,bs *r1,b1,g1 | ! ! | 5 b?2 rH,bs *r6,b1,g1
        5 r?1 rc1/rm/rx *r1,b1,g1 | ! ! ! | 6 b* - r5,*b1,g1
    """,
    "a card left or a character keeps what it covers covered": """
        5 r?1 rc/rH,bs *r1,b1,g1 | + | 5 b?2 rc1/rH,bs *r1,b1,g1
        5 r?1 rl/rH,bs *r1,b1,g1 | ! | 5 b?2 rL/rH,bs *r2,b1,g1
    """,
    "a covered card is not fed nor applied and keeps what it has": """
        4 b?1 bs,ra/rh3/rL,gp *r1,b1,g1 | + + + | 5 b* bs1,ra1/rh3/rL,gp1 r1,*b1,g1
    """,
    "when the stack is gone the stack in its place is next": """
        5 r?1 rc,bs,gp *r1,b1,g1 | ! | 5 b?1 bs,gp *r1,b1,g1
        5 rX1 rX,bs,gp *r1,b1,g1 | x2 | 5 g?1 gp *r2,b1,g1
        5 rS2 gh,rS,bm,gp *r1,b1,g1 | x3 | 5 g?2 gh,gp *r2,b5,g1
        5 rX1 rX,bs *r1,b1,g1 | x2 | 6 b* - r2,*b1,g1
    """,
    "eliminating before closes the gap and nobody is skipped or resolved twice": """
        5 rS2 bh,rS,gh,yp *r1,b1,g1,y1 | x1 | 5 g?2 rS,gh,yp *r2,b1,g1,y1
        5 rA3 bh,gp,rA,gh *r1,b1,g1 | x1 | 5 g?3 gp,rA,gh *r2,b1,g1
        5 rX3 bh,gp,rX,gh *r1,b1,g1 | x2 | 5 g?2 bh,gh *r2,b1,g1
    """,
    "eliminating behind takes a card that is then not resolved": """
        5 rS2 bh,rS,gh,yp *r1,b1,g1,y1 | x3 | 5 y?3 bh,rS,yp *r2,b1,g1,y1
        5 rX1 rX,bh,gh *r1,b1,g1 | x3 | 5 b?1 bh *r2,b1,g1
    """,
    "a card uncovered in a stack still to come is resolved in its turn": """
        5 rS2 gh,rS,bs/bH,gp *r1,b1,g1 | x3 | 5 g?4 gh,rS,bH,gp *r2,b3,g1
    """,
    "influence on an eliminated card is lost whoever owned it": """
        5 rS2 bh4,rS,gh *r1,b1,g1 | x1 | 5 g?2 rS,gh *r2,b1,g1
        5 rS2 rh4,rS,gh *r1,b1,g1 | x1 | 5 g?2 rS,gh *r2,b1,g1
    """,
    # Rounds
    "the first player tile passes to the left and the queue stays": """
        2 g?2 rL,gh r1,*b1,g1 | + | 3 g* rL,gh1 r1,b1,*g1
        3 g?2 rL,gh r1,b1,*g1 | + | 4 r* rL,gh1 *r1,b1,g1
        4 v?1 vh r1,g1,*v1,b1,y1 | + | 5 b* vh1 r1,g1,v1,*b1,y1
    """,
    "a round begins with placement even in an empty queue": """
        5 r?1 rx *r1,b1,g1 | ! | 6 b* - r2,*b1,g1
    """,
    # The end
    "the game ends after the sixth round": """
        6 g?2 rL,gh *r1,b1,g1 | + | 6 - rL,gh1 *r1,b1,g1
        6 g?2 rL,gh *r1,b1,g1 | ! | 6 - rL,gH *r1,b1,g3
        6 - rL,gh1 *r1,b1,g1 | -
    """,
}
"""For each sentence of the rules, lines for `hold`."""


@pytest.mark.parametrize("lines", RULES.values(), ids=RULES)
def test_the_rules(lines: str) -> None:
    hold(lines)


def test_each_family_has_seven_cards_in_hand_and_three_set_aside() -> None:
    for seed in range(200):
        deal = Deal.shuffled(Random(seed), "rbgyv")
        for hand, aside in zip(deal.hands, deal.aside, strict=True):
            assert (len(hand), len(aside)) == (7, 3)
            assert in_order(hand + aside) == CARDS
            assert (in_order(hand), in_order(aside)) == (hand, aside)


def test_every_card_is_set_aside_equally_often() -> None:
    rng = Random(1)
    aside = Counter("".join("".join(Deal.shuffled(rng, "rbgyv").aside) for _ in range(2000)))
    assert sorted(aside) == sorted(CARDS)
    assert all(2800 < times < 3200 for times in aside.values())


def test_first_player_is_a_named_seat_or_a_random_one() -> None:
    assert {Deal.shuffled(Random(seed), "rbgy", first=2).first for seed in range(50)} == {2}
    firsts = Counter(Deal.shuffled(Random(seed), "rbgy").first for seed in range(800))
    assert sorted(firsts) == [0, 1, 2, 3]
    assert all(150 < times < 250 for times in firsts.values())


def test_the_same_randomness_gives_the_same_deal() -> None:
    for families in ("rbg", "vygb", FAMILIES):
        for edition in EDITIONS.values():
            deal = Deal.shuffled(Random(7), families, edition)
            assert deal == Deal.shuffled(Random(7), families, edition)
            assert (deal.families, deal.edition) == (families, edition)
    assert Deal.shuffled(Random(7), "rbg").edition is SECOND_EDITION


@pytest.mark.parametrize(("first", "question"), [(0, "r*"), (1, "g*"), (2, "b*")])
def test_every_player_starts_with_1_influence_and_the_first_player_places(
    first: int, question: str
) -> None:
    hands, aside = ("ASPHFLX", "DMCASPH", "CMDXLFH"), ("DMC", "FLX", "PSA")
    deal = Deal(EDITIONS[1], "rgb", first, tuple(map(in_order, hands)), tuple(map(in_order, aside)))
    marks = ["*" if seat == first else "" for seat in range(3)]
    assert format_position(Game.start(deal)) == (
        f"1 1 {question} - {marks[0]}r1:ASPHFLX:DMC:-,{marks[1]}g1:ASPHDMC:FLX:-,"
        f"{marks[2]}b1:HFLXDMC:ASP:-"
    )


def test_hands_shrink_by_one_a_round_and_one_card_is_never_played() -> None:
    for line in in_editions("3 b* rs r1,*b1,g1"):
        assert hand_sizes(line) == [5, 5, 5]
    for line in in_editions("3 r* rs r1,*b1,g1"):
        assert hand_sizes(line) == [5, 4, 4]
    for line in in_editions("6 - rs r1,*b1,g1"):
        assert hand_sizes(line) == [1, 1, 1]


def test_most_influence_wins_and_influence_still_on_cards_does_not_count() -> None:
    ranks("6 - rL,gh9,bs *r3,b4,g1", "b r g")
    ranks("6 - rL/rs/rp,bs *r3,b4,g1", "b r g")
    ranks("6 - - *r3,b4,g9,y0,v7", "g v b r y")
