"""Tests the events of each action, one line each.

Positions in events count from 1, at the moment before the event. Seats count from 0: 0, 1 and 2 are
Red, Blue and Green.
"""

import pytest

from tests.engine.lines import emits

EVENTS = {
    "placing tells where the card now stands and how high": """
        6 r* bs,rH *r1:AX,b1,g1 | A< | Placed 0 A < 1 1
        6 r* bs,rH *r1:AX,b1,g1 | A> | Placed 0 A > 3 1
        6 r* bs,rH/rs,gp *r1:AX,b1,g1 | A^2 | Placed 0 A ^ 2 3
        6 r* - *r1:AX,b1,g1 | A> | Placed 0 A > 1 1
    """,
    "the last placement begins the resolution": """
        6 g* bs *r1,b1,g1:AX | A> | Placed 2 A > 2 1; ResolutionBegan
    """,
    "leaving tells the influence now on the card": """
        5 r?2 bs,rh2,gh *r1,b1,g1 | + | Left 0 2 H 3
    """,
    "revealing tells what was on the card and what was taken": """
        5 r?1 rl2,bh *r1,b1,g1 | ! | Revealed 0 1 L 2 2; Gained 0 1 L L 1
        5 r?1 rc2,bh *r1,b1,g1 | ! | Revealed 0 1 C 2 4; Gained 0 1 C C 0; Discarded 0 1 C
        5 r?1 rm2,bh *r1,b1,g1 | ! | Revealed 0 1 M 2 0; Gained 0 1 M M 1; Discarded 0 1 M
    """,
    "an ability without a target is told as having no effect": """
        5 r?1 rs *r1,b1,g1 | ! | Revealed 0 1 S 0 0; NoEffect 0 1 S S; RoundBegan 6 1
    """,
    "an heir that is not paid is told as gaining nothing": """
        5 r?1 rh,bH,gs *r1,b1,g1 | ! | Revealed 0 1 H 0 0; Gained 0 1 H H 0; Gained 1 2 H H 0
    """,
    "a forced answer is told as such": """
        5 r?1 rs,bh2,gh *r1,b1,g1 | ! |
            Revealed 0 1 S 0 0; Forced 0 1 S S; Eliminated 0 1 S 2 1 H False 2
    """,
    "a chosen elimination tells both cards": """
        5 rS2 bH,rS,gh *r1,b1,g1 | x1 | Eliminated 0 2 S 1 1 H True 0
    """,
    "a sprung ambush and the discarded attacker are told where they then stand": """
        5 rS2 bm3,rS/rp,gh *r1,b1,g1 | x1 |
            Eliminated 0 2 S 1 1 M False 3; AmbushSprung 1 4 0; Discarded 0 1 S;
            Uncovered 0 1 P False
    """,
    "an own ambush is told as sprung in the first edition only": """
        1 5 rS2 rm,rS,gh *r1,b1,g1 | x1 |
            Eliminated 0 2 S 1 0 M False 0; AmbushSprung 0 1 0; Discarded 0 1 S
        2 5 rS2 rm,rS,gh *r1,b1,g1 | x1 | Eliminated 0 2 S 1 0 M False 0
    """,
    "eliminating itself is told as an elimination not as a discard": """
        5 rX2 bs,rX/rH,gh *r1,b1,g1 | x2 |
            Eliminated 0 2 X 2 0 X True 0; Uncovered 0 2 H True; Gained 0 2 H H 2
    """,
    "a card uncovered elsewhere than at the resolving stack is not told as next": """
        5 rS2 bs/bH,rS,gh *r1,b1,g1 | x1 | Eliminated 0 2 S 1 1 S False 0
    """,
    "stealing tells how much": """
        5 rP2 bs,rP,gh *r1,b2,g1 | $b | Stole 0 2 P 1 1
        5 rP2 bs,rP,gh *r1,b0,g1 | $b | Stole 0 2 P 1 0
        5 rP2 rs,rP,gh *r1,b1,g1 | $r | Stole 0 2 P 0 0
        5 rP2 bP,rF,gh *r1,b1,g1 | $g | Stole 0 2 F 2 1
    """,
    "copying tells the ability and then what comes of it": """
        5 rF2 bH,rF,gA,yp *r1,b1,g1,y1 | ~1 | Copied 0 2 1 H; Gained 0 2 F H 2
        5 rF2 bA,rF,gH,yp *r1,b1,g1,y1 | ~1 | Copied 0 2 1 A
        5 r?1 rf,bS,gp *r1,b1,g1 | ! |
            Revealed 0 1 F 0 0; Forced 0 1 F F; Copied 0 1 2 S; Forced 0 1 F S;
            Eliminated 0 1 F 2 1 S True 0
    """,
    "a move tells from where to where whose card and whether it is face up": """
        5 rD2 bs2,rD/rp,gh *r1,b1,g1 | 1>3 |
            Moved 0 2 1 3 1 S False; Discarded 0 1 D; Uncovered 0 1 P False
        5 rD2 bH,rD,gh *r1,b1,g1 | 1>3 | Moved 0 2 1 3 1 H True; Discarded 0 1 D
    """,
    "the next round and the end are told": """
        2 g?2 rL,gh r1,*b1,g1 | + | Left 2 2 H 1; RoundBegan 3 2
        6 g?2 rL,gh r1,*b1,g1 | + | Left 2 2 H 1; GameEnded (0, 2)
        6 g?2 rL,gh r1,*b2,g1 | + | Left 2 2 H 1; GameEnded (1,)
    """,
}
"""For each sentence, lines for `emits`."""


@pytest.mark.parametrize("lines", EVENTS.values(), ids=EVENTS)
def test_it_is_told(lines: str) -> None:
    emits(lines)
