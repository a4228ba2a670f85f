"""Tests the rulings, by number; they hold in both editions."""

import pytest

from engine.game import Game
from engine.notation import format_position, parse_action
from engine.views import view
from tests.engine.lines import game_at, hold, in_editions, ranks, whole

RULES = {
    # 1. Mandatory means mandatory.
    "1 an ability with one legal target must be used even against its owner": """
        5 r?1 rs,rh3,gh *r1,b1,g1 | ! | 5 g?2 rS,gh *r2,b1,g1
        5 b?1 bp,rA *r1,b1,g1 | + x2 | 6 b* bp1 r2,*b1,g1
    """,
    "1 own cards may be chosen though others are available": """
        5 rS2 rh,rS,gh *r1,b1,g1 | x1 x3
        5 rA2 rh,rA,gh *r1,b1,g1 | x1 x3
        5 rX2 rh,rX,gh *r1,b1,g1 | x1 x2 x3
        5 rP2 rh,rP,gh *r1,b1,g1 | $r $g
        5 rF2 rH,rF,gH *r1,b1,g1 | ~1 ~3
        5 rD2 rh,rD,gh *r1,b1,g1 | 1>2 1>3 3>1 3>2
    """,
    "1 an ability without a target has no effect": """
        5 r?1 rs *r1,b1,g1 | ! | 6 b* rS r1,*b1,g1
        5 r?1 rp *r1,b1,g1 | ! | 6 b* rP r1,*b1,g1
        5 r?1 rf *r1,b1,g1 | ! | 6 b* rF r1,*b1,g1
        5 r?1 rd *r1,b1,g1 | ! | 6 b* - r1,*b1,g1
    """,
    # 2. One legal answer is no question.
    "2 one legal answer is applied without asking": """
        5 r?1 ra,bh *r1,b1,g1 | ! | 5 rA1 rA,bh *r1,b1,g1
        5 r?1 ra *r1,b1,g1 | ! | 6 b* - r2,*b1,g1
        5 r?1 rs,bh,gh *r1,b1,g1 | ! | 5 g?2 rS,gh *r2,b1,g1
        5 r?1 rp,bh,gh *r1,b1,g1 | ! | 5 b?2 rP,bh,gh *r2,b0,g1
        5 r?1 rf,bL,gh *r1,b1,g1 | ! | 5 g?3 rF,bL,gh *r2,b2,g1
        5 r?1 rx *r1,b1,g1 | ! | 6 b* - r2,*b1,g1
        5 r?1 rd,bh *r1,b1,g1 | ! | 6 b* bh r1,*b1,g1
    """,
    "2 forced answers follow one another up to the next question": """
        5 r?1 rs,bm,gS,yP *r1,b1,g1,y2 | ! | 6 b* gS r2,*b5,g2,y2
    """,
    # 3. Spy.
    "3 two neighbours of one family are one choice": """
        5 r?2 bs,rp,bh *r1,b3,g1 | ! | 5 b?3 bs,rP,bh *r2,b2,g1
        5 rP2 bs,rP,gh *r1,b3,g1 | $b $g
    """,
    "3 a player without influence may be chosen and loses none": """
        5 rP2 bs,rP,gh *r1,b0,g0 | $b $g
        5 rP2 bs,rP,gh *r1,b0,g0 | $g | 5 g?3 bs,rP,gh *r1,b0,g0
    """,
    # 4. Shapeshifter.
    "4 two real heirs do not stop a copied heir": """
        5 rF2 bH,rF,gH,yp *r1,b1,g1,y1 | ~1 | 5 y?4 bH,rF,gH,yp *r3,b1,g1,y1
    """,
    "4 another face up uncovered shapeshifter stops a copied heir": """
        5 r?1 rf,bH,yp,gF *r1,b1,g1,y1 | ! | 5 y?3 rF,bH,yp,gF *r1,b3,g1,y1
    """,
    "4 a neighbouring shapeshifter is a legal useless choice also beside a useful one": """
        5 rF2 bF,rF,gL,yp *r1,b1,g1,y1 | ~1 ~3
        5 rF2 bF,rF,gL,yp *r1,b1,g1,y1 | ~1 | 5 y?4 bF,rF,gL,yp *r1,b1,g2,y1
        5 rF2 bF,rF,gL,yp *r1,b1,g1,y1 | ~3 | 5 y?4 bF,rF,gL,yp *r2,b1,g2,y1
    """,
    # 5. Royal Decree.
    "5 decree may not move itself nor a card to where it is": """
        5 rD1 rD,bs,gh *r1,b1,g1 | 2>1 2>3 3>1 3>2
        5 rD3 bs,gh,rD *r1,b1,g1 | 1>2 1>3 2>1 2>3
    """,
    "5 the top of a taller stack may stand on either side of it": """
        5 rD1 rD,bs/bp/bh *r1,b1,g1 | 2>1 2>2 2>3
        5 rD1 rD,bs/bp/bh *r1,b1,g1 | 2>1 | 5 b?2 bs,bp/bh *r1,b1,g1
        5 rD1 rD,bs/bp/bh *r1,b1,g1 | 2>2 | 5 b?1 bs,bp/bh *r1,b1,g1
        5 rD1 rD,bs/bp/bh *r1,b1,g1 | 2>3 | 5 b?1 bp/bh,bs *r1,b1,g1
    """,
    "5 decree without a card to move is discarded without effect": """
        5 r?1 rd1/rs *r1,b1,g1 | ! | 5 r?1 rs *r2,b1,g1
    """,
    "5 a card moved before the decree is not resolved again this round": """
        5 rD2 gp,rD,bH *r1,b1,g1 | 3>1 | 6 b* bH,gp r1,*b1,g1
        5 rD2 gp,rD,bh *r1,b1,g1 | 3>2 | 6 b* gp,bh r1,*b1,g1
        5 rD3 bH,gp,rD *r1,b1,g1 | 1>2 | 6 b* gp,bH r1,*b1,g1
    """,
    "5 a card moved behind the decree is resolved even if it already was": """
        5 b?1 bh,rd,gp *r1,b1,g1 | ! ! 1>2 | 5 g?2 bH,gp *r1,b5,g1
        5 b?1 bh,rd,gp *r1,b1,g1 | + ! 1>3 | 5 g?1 gp,bh1 *r1,b1,g1
        5 b?1 bh,rd,gp *r1,b1,g1 | + ! 1>3 + + | 6 b* gp1,bh2 r1,*b1,g1
    """,
    # 6. Lord.
    "6 cards beneath the lord itself are not adjacent to it": """
        5 b?1 bs,rL/rs/rp,gh *r1,b1,g1 | + | 5 g?3 bs1,rL/rs/rp,gh *r2,b1,g1
    """,
    # 7. Ambush.
    "7 ambush does not react to being moved or spied on": """
        5 rD2 bm2,rD,gh *r1,b1,g1 | 1>3 | 5 g?1 gh,bm2 *r1,b1,g1
        5 rP2 bm2,rP,gh *r1,b1,g1 | $b | 5 g?3 bm2,rP,gh *r2,b0,g1
    """,
    # 8. Attacker leaves a stack.
    "8 what an attacker discarded by an ambush covered is resolved next": """
        5 rS2 bm,rS/rH,gh *r1,b1,g1 | x1 | 5 g?2 rH,gh *r4,b5,g1
        5 rS2 gh,rS/rp1,bm,gp *r1,b1,g1 | x3 | 5 r?2 gh,rp1,gp *r2,b5,g1
        5 rA2 bm,rA/rp1,gh *r1,b1,g1 | x1 | 5 r?1 rp1,gh *r2,b5,g1
        5 rX2 bm,rX/rp1,gh *r1,b1,g1 | x1 | 5 r?1 rp1,gh *r2,b5,g1
    """,
    "8 what an attacker that eliminates itself covered is resolved next": """
        5 rA1 rA/rH,bs,gh *r1,b1,g1 | x1 | 5 b?2 rH,bs,gh *r4,b1,g1
        5 rX2 bs,rX/rH,gh *r1,b1,g1 | x2 | 5 g?3 bs,rH,gh *r4,b1,g1
        5 rX2 bs,rX/rp1,gh *r1,b1,g1 | x2 | 5 r?2 bs,rp1,gh *r2,b1,g1
    """,
    # 9. A card passed is passed.
    "9 what comes to light before the stack being resolved waits for the next round": """
        5 rS2 bs/bH,rS,gh *r1,b1,g1 | x1 | 5 g?3 bH,rS,gh *r2,b1,g1
        5 rS2 bm/bH,rS,gh *r1,b1,g1 | x1 | 5 g?2 bH,gh *r2,b5,g1
        5 rX3 bs/bp,gp,rX,gh *r1,b1,g1 | x1 | 5 g?3 bp,gp,gh *r2,b1,g1
        5 rD2 bs/bH,rD,gh *r1,b1,g1 | 1>4 | 5 g?2 bH,gh,bs *r1,b1,g1
    """,
    # 11. Assassination on itself, Archer on itself.
    "11 eliminating itself gains 1 and it leaves as eliminated": """
        5 rX2 bs,rX,gh *r1,b1,g1 | x2 | 5 g?2 bs,gh *r2,b1,g1
        5 rA1 rA,bs,gh *r1,b1,g1 | x1 | 5 b?1 bs,gh *r2,b1,g1
        5 rA1 rF,bA,gh *r1,b1,g1 | x1 | 5 bA1 bA,gh *r2,b1,g1
    """,
}
"""For each sentence of the rules, lines for `hold`."""


@pytest.mark.parametrize("lines", RULES.values(), ids=RULES)
def test_the_rules(lines: str) -> None:
    hold(lines)


def test_1_no_ability_can_be_declined() -> None:
    for position in (
        "rA2 bh,rA,gh",
        "rS2 bh,rS,gh",
        "rX2 bh,rX,gh",
        "rP2 bh,rP,gh",
        "rD2 bh,rD,gh",
    ):
        for line in in_editions(f"5 {position} *r1,b1,g1"):
            assert {str(action)[0] for action in game_at(line).legal}.isdisjoint("+!")


def test_10_a_tie_goes_to_most_own_cards_in_the_queue_covered_ones_included() -> None:
    ranks("6 - rA,bS,gH/gp *r3,b3,g3", "g rb")
    ranks("6 - rA/rs/rp,bS,bh,gH *r3,b3,g3", "r b g")


def test_10_players_still_tied_share_the_victory() -> None:
    ranks("6 - rA,bS,gH *r3,b3,g3", "rbg")
    ranks("6 - rA/rs,bS,bh,gH,yL *r3,b3,g4,y0", "g rb y")


def seen_by_blue(line: str, tokens: str) -> str:
    game = game_at(line)
    for token in tokens.split():
        game = game.play(parse_action(token))
    return format_position(view(game, 1)).split(" ")[3]


def test_12_a_card_revealed_and_then_covered_stays_publicly_known() -> None:
    for line in in_editions("6 r* rH,rp2/rs,bs *r1:AX,b1,g1"):
        assert seen_by_blue(line, "A^1") == "r?/rH,r?2/r?,bs"
        assert seen_by_blue(line, "A^2") == "rH,r?/r?2/r?,bs"


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
