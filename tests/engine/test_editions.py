"""Tests the differences between the two editions, and that there are no others."""

import pytest

from engine.edition import EDITIONS, FIRST_EDITION, SECOND_EDITION
from tests.engine.lines import hold

RULES = {
    "lord beside a stack of its family counts the top card only in the second edition": """
        2 5 r?1 rs/rp/rH,rL,bh *r1,b1,g1 | + | 2 5 b?3 rs1/rp/rH,rL,bh *r3,b1,g1
        2 5 b?1 bh,rL,rs/rp,gp *r1,b1,g1 | + | 2 5 r?3 bh1,rL,rs/rp,gp *r3,b1,g1
        2 5 r?1 rs/rp,rL,rh/ra *r1,b1,g1 | + | 2 5 r?3 rs1/rp,rL,rh/ra *r4,b1,g1
    """,
    "lord beside a stack of its family counts every card in the first edition": """
        1 5 r?1 rs/rp/rH,rL,bh *r1,b1,g1 | + | 1 5 b?3 rs1/rp/rH,rL,bh *r5,b1,g1
        1 5 b?1 bh,rL,rs/rp,gp *r1,b1,g1 | + | 1 5 r?3 bh1,rL,rs/rp,gp *r4,b1,g1
        1 5 r?1 rs/rp,rL,rh/ra *r1,b1,g1 | + | 1 5 r?3 rs1/rp,rL,rh/ra *r6,b1,g1
    """,
    "lord copied by a shapeshifter counts as its edition does": """
        2 5 rF2 bL,rF,rH/rp/rs,yp *r1,b1,g1,y1 | ~1 | 2 5 y?4 bL,rF,rH/rp/rs,yp *r5,b1,g1,y1
        1 5 rF2 bL,rF,rH/rp/rs,yp *r1,b1,g1,y1 | ~1 | 1 5 y?4 bL,rF,rH/rp/rs,yp *r7,b1,g1,y1
    """,
    "lord never counts a stack of another family": """
        5 b?1 bs/bp/bh,rL,gs/gp,yp *r1,b1,g1,y1 | + | 5 g?3 bs1/bp/bh,rL,gs/gp,yp *r2,b1,g1,y1
    """,
    "own ambush spares the attacker and pays only 1 in the second edition": """
        2 5 rA2 rm2,rA,gh *r1,b1,g1 | x1 | 2 5 g?2 rA,gh *r2,b1,g1
        2 5 rS2 rm2,rS,gh *r1,b1,g1 | x1 | 2 5 g?2 rS,gh *r2,b1,g1
        2 5 rS2 gh,rS,rm,gp *r1,b1,g1 | x3 | 2 5 g?3 gh,rS,gp *r2,b1,g1
        2 5 rX2 rm,rX,gh *r1,b1,g1 | x1 | 2 5 g?1 gh *r2,b1,g1
        2 5 rS2 rm,rF,gS,gp *r1,b1,g1 | x1 | 2 5 gS2 rF,gS,gp *r2,b1,g1
    """,
    "own ambush takes the attacker and pays 1 more in the first edition": """
        1 5 rA2 rm2,rA,gh *r1,b1,g1 | x1 | 1 5 g?1 gh *r3,b1,g1
        1 5 rS2 rm2,rS,gh *r1,b1,g1 | x1 | 1 5 g?1 gh *r3,b1,g1
        1 5 rS2 gh,rS,rm,gp *r1,b1,g1 | x3 | 1 5 g?2 gh,gp *r3,b1,g1
        1 5 rX2 rm,rX,gh *r1,b1,g1 | x1 | 1 5 g?1 gh *r3,b1,g1
        1 5 rS2 rm,rF,gS,gp *r1,b1,g1 | x1 | 1 6 b* gS r3,*b1,g2
    """,
    "what an attacker of its own ambush covered is resolved next if it goes": """
        2 5 rS2 rm,rS/rH,gh *r1,b1,g1 | x1 | 2 5 g?2 rS/rH,gh *r2,b1,g1
        1 5 rS2 rm,rS/rH,gh *r1,b1,g1 | x1 | 1 5 g?2 rH,gh *r5,b1,g1
        2 5 rX2 rm,rX/rH,gh *r1,b1,g1 | x1 | 2 5 g?2 rH,gh *r4,b1,g1
        1 5 rX2 rm,rX/rH,gh *r1,b1,g1 | x1 | 1 5 g?2 rH,gh *r5,b1,g1
    """,
    "an opponents ambush pays 4 and takes the attacker in both editions": """
        5 rS2 bm,rS,gh *r1,b1,g1 | x1 | 5 g?1 gh *r2,b5,g1
    """,
}
"""For each sentence of the rules, lines for `hold`."""


@pytest.mark.parametrize("lines", RULES.values(), ids=RULES)
def test_the_rules(lines: str) -> None:
    hold(lines)


def test_editions_are_known_by_their_number_and_differ_in_every_field() -> None:
    assert EDITIONS == {1: FIRST_EDITION, 2: SECOND_EDITION}
    for field in FIRST_EDITION._fields:
        assert getattr(FIRST_EDITION, field) != getattr(SECOND_EDITION, field)
