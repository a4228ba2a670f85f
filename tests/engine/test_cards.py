"""Tests the ten cards by the rules, in the shorthand of `lines.py`.

A line without an edition holds in both editions; `test_editions.py` has the differences.
"""

import pytest

from tests.engine.lines import hold

RULES = {
    "archer eliminates the first or the last card of the queue": """
        5 rA2 bs,rA,gh *r1,b1,g1 | x1 x3
        5 rA3 bs,gp,rA,gh,bh *r1,b1,g1 | x1 x5
        5 rA2 bs,rA,gh *r1,b1,g1 | x1 | 5 g?2 rA,gh *r2,b1,g1
        5 rA2 bs,rA,gh *r1,b1,g1 | x3 | 6 b* bs,rA r2,*b1,g1
    """,
    "archer may eliminate its own family": """
        5 rA2 rs,rA,gh *r1,b1,g1 | x1 x3
        5 rA2 rs,rA,gh *r1,b1,g1 | x1 | 5 g?2 rA,gh *r2,b1,g1
    """,
    "archer at an end may eliminate itself": """
        5 rA1 rA,bs,gh *r1,b1,g1 | x1 x3
        5 rA1 rA,bs,gh *r1,b1,g1 | x1 | 5 b?1 bs,gh *r2,b1,g1
        5 rA3 bs,gh,rA *r1,b1,g1 | x1 x3
        5 rA3 bs,gh,rA *r1,b1,g1 | x3 | 6 b* bs,gh r2,*b1,g1
    """,
    "archer alone in the queue eliminates itself unasked": """
        5 r?1 ra *r1,b1,g1 | ! | 6 b* - r2,*b1,g1
        5 r?1 ra2 *r1,b1,g1 | ! | 6 b* - r4,*b1,g1
        5 r?1 ra/rs1 *r1,b1,g1 | ! | 5 r?1 rs1 *r2,b1,g1
    """,
    "archer takes only the top card of a stack": """
        5 rA2 bs/bh1/bp,rA,gh *r1,b1,g1 | x1 | 5 g?3 bh1/bp,rA,gh *r2,b1,g1
        5 rA1 rA,gs,bs/bp *r1,b1,g1 | x3 | 5 g?2 rA,gs,bp *r2,b1,g1
    """,
    "archer eliminating itself does not spring the ambush beneath it": """
        5 rA1 rA/rm2,bs,gh *r1,b1,g1 | x1 | 5 r?1 rm2,bs,gh *r2,b1,g1
    """,
    "archer face up must shoot again every round": """
        5 g?1 gh,rA,bs,gp *r1,b1,g1 | + | 5 rA2 gh1,rA,bs,gp *r1,b1,g1
        5 g?1 gh,rA,bs,gp *r1,b1,g1 | + x1 | 5 b?2 rA,bs,gp *r2,b1,g1
    """,
    "soldier eliminates an adjacent card": """
        5 rS2 bs,rS,gh,yp *r1,b1,g1,y1 | x1 x3
        5 rS3 bs,gh,rS,gp,yp *r1,b1,g1,y1 | x2 x4
        5 rS2 bs,rS,gh,yp *r1,b1,g1,y1 | x1 | 5 g?2 rS,gh,yp *r2,b1,g1,y1
        5 rS2 bs,rS,gh,yp *r1,b1,g1,y1 | x3 | 5 y?3 bs,rS,yp *r2,b1,g1,y1
    """,
    "soldier may eliminate its own family": """
        5 rS2 rh3,rS,bs *r1,b1,g1 | x1 | 5 b?2 rS,bs *r2,b1,g1
        5 rS2 bs,rS,rH,gh *r1,b1,g1 | x3 | 5 g?3 bs,rS,gh *r2,b1,g1
    """,
    "soldier at an end has one neighbour and nobody is asked": """
        5 r?1 rs,bs,gh *r1,b1,g1 | ! | 5 g?2 rS,gh *r2,b1,g1
        5 r?3 bs,gh,rs *r1,b1,g1 | ! | 6 b* bs,rS r2,*b1,g1
        5 r?1 rs,rh,gh *r1,b1,g1 | ! | 5 g?2 rS,gh *r2,b1,g1
    """,
    "soldier without a neighbour has no effect": """
        5 r?1 rs2 *r1,b1,g1 | ! | 6 b* rS r3,*b1,g1
        5 r?1 rs/rH *r1,b1,g1 | ! | 6 b* rS/rH r1,*b1,g1
    """,
    "soldier takes only the top card of a stack": """
        5 rS2 bs/bH,rS,gh/gL,yp *r1,b1,g1,y1 | x1 | 5 g?3 bH,rS,gh/gL,yp *r2,b1,g1,y1
        5 rS2 bs/bH,rS,gh/gl,yp *r1,b1,g1,y1 | x3 | 5 g?3 bs/bH,rS,gl,yp *r2,b1,g1,y1
    """,
    "spy steals 1 from the pool of the owner of an adjacent card": """
        5 rP2 bs,rP,gh *r1,b2,g3 | $b $g
        5 rP2 bs,rP,gh *r1,b2,g3 | $b | 5 g?3 bs,rP,gh *r2,b1,g3
        5 rP2 bs,rP,gh *r1,b2,g3 | $g | 5 g?3 bs,rP,gh *r2,b2,g2
    """,
    "spy never steals from the card": """
        5 r?1 rp,bs3 *r1,b1,g1 | ! | 5 b?2 rP,bs3 *r2,b0,g1
        5 r?1 rp,bs3 *r1,b0,g1 | ! | 5 b?2 rP,bs3 *r1,b0,g1
    """,
    "spy may choose a player without influence who loses none": """
        5 rP2 bs,rP,gh *r1,b0,g3 | $b $g
        5 rP2 bs,rP,gh *r1,b0,g3 | $b | 5 g?3 bs,rP,gh *r1,b0,g3
        5 rP2 bs,rP,gh *r0,b0,g0 | $b | 5 g?3 bs,rP,gh *r0,b0,g0
    """,
    "spy choosing its own player changes nothing": """
        5 rP2 rs,rP,gh *r1,b1,g3 | $r $g
        5 rP2 rs,rP,gh *r1,b1,g3 | $r | 5 g?3 rs,rP,gh *r1,b1,g3
        5 rP2 rs,rP,gh *r0,b1,g3 | $r | 5 g?3 rs,rP,gh *r0,b1,g3
    """,
    "spy with two neighbours of one family has one choice and nobody is asked": """
        5 b?1 bs,rP,bh *r1,b2,g1 | + | 5 b?3 bs1,rP,bh *r2,b1,g1
        5 r?1 rs,rP,rh,gh *r1,b1,g1 | + | 5 r?3 rs1,rP,rh,gh *r1,b1,g1
    """,
    "spy at an end has one neighbour and nobody is asked": """
        5 r?1 rp,bs,gh *r1,b2,g1 | ! | 5 b?2 rP,bs,gh *r2,b1,g1
        5 r?3 bs,gh,rp *r1,b2,g2 | ! | 6 b* bs,gh,rP r2,*b2,g1
    """,
    "spy without a neighbour has no effect": """
        5 r?1 rp3 *r1,b2,g1 | ! | 6 b* rP r4,*b2,g1
    """,
    "spy beside a stack sees its one owner and not what lies beneath itself": """
        5 rP2 bs/bp/bh,rP/rh,gh *r1,b2,g3 | $b $g
    """,
    "spy steals again every round": """
        5 b?1 bs,rP,bh *r4,b1,g1 | + + | 6 b* bs1,rP,bh1 r5,*b0,g1
    """,
    "heir gains 2 with no other heir face up": """
        5 r?1 rh,bs *r1,b1,g1 | ! | 5 b?2 rH,bs *r3,b1,g1
        5 b?1 bs,rH,gp *r1,b1,g1 | + | 5 g?3 bs1,rH,gp *r3,b1,g1
        5 r?1 rh *r1,b1,g1 | ! | 6 b* rH r3,*b1,g1
    """,
    "heir gains nothing while another heir is face up anywhere in the queue": """
        5 b?1 bs,rH,gH,yp *r1,b1,g1,y1 | + | 5 y?4 bs1,rH,gH,yp *r1,b1,g1,y1
        5 b?1 bs,rH,yp,gH *r1,b1,g1,y1 | + | 5 y?3 bs1,rH,yp,gH *r1,b1,g1,y1
        5 b?2 gH,bs,yp,rH *r1,b1,g1,y1 | + + | 6 b* gH,bs1,yp1,rH r1,*b1,g1,y1
    """,
    "heir revealed still takes the influence on it": """
        5 r?1 rh3,bs,gH *r1,b1,g1 | ! | 5 b?2 rH,bs,gH *r4,b1,g1
    """,
    "heir does not mind a face down heir": """
        5 b?1 bs,rH,gh *r1,b1,g1 | + | 5 g?3 bs1,rH,gh *r3,b1,g1
    """,
    "heir does not mind a covered heir": """
        5 b?1 bs,rH,gs/gH *r1,b1,g1 | + | 5 g?3 bs1,rH,gs/gH *r3,b1,g1
        5 r?1 rh,gp,gs/gL/gH *r1,b1,g1 | ! | 5 g?2 rH,gp,gs/gL/gH *r3,b1,g1
    """,
    "heir does not mind a shapeshifter that copies heirs": """
        5 b?1 bs,rH,gF,yp *r1,b1,g1,y1 | + | 5 y?4 bs1,rH,gF,yp *r3,b1,g3,y1
    """,
    "shapeshifter copies one adjacent face up uncovered character": """
        5 rF2 bH,rF,gL,yp *r1,b1,g1,y1 | ~1 ~3
        5 rF3 bA,bL,rF,gS,gP *r1,b1,g1 | ~2 ~4
    """,
    "shapeshifter with nobody to copy has no effect": """
        5 r?1 rf2 *r1,b1,g1 | ! | 6 b* rF r3,*b1,g1
        5 b?1 bs,rF,gh *r1,b1,g1 | + | 5 g?3 bs1,rF,gh *r1,b1,g1
        5 b?1 bs,rF,gp/gH *r1,b1,g1 | + | 5 g?3 bs1,rF,gp/gH *r1,b1,g1
        5 b?1 bs,rF/rH,gp *r1,b1,g1 | + | 5 g?3 bs1,rF/rH,gp *r1,b1,g1
        5 b?1 bs,rF,gp,gH *r1,b1,g1 | + | 5 g?3 bs1,rF,gp,gH *r1,b1,g1
    """,
    "shapeshifter with one card to copy is not asked": """
        5 r?1 rf,bH,gp *r1,b1,g1 | ! | 5 g?3 rF,bH,gp *r3,b3,g1
        5 b?1 bs,rF,rH,gp *r1,b1,g1 | + | 5 g?4 bs1,rF,rH,gp *r5,b1,g1
    """,
    "shapeshifter copies an archer": """
        5 rF2 bA,rF,gH,yp *r1,b1,g1,y1 | ~1 | 5 rA2 bA,rF,gH,yp *r1,b1,g1,y1
        5 rA2 bA,rF,gH,yp *r1,b1,g1,y1 | x1 x4
        5 rA2 bA,rF,gH,yp *r1,b1,g1,y1 | x1 | 5 y?3 rF,gH,yp *r2,b1,g3,y1
        5 rA2 bA,rF,gh,yp *r1,b1,g1,y1 | x4 | 5 g?3 bA,rF,gh *r2,b1,g1,y1
    """,
    "shapeshifter that copied an archer may eliminate itself": """
        5 rA1 rF/rh1,bA,gp *r1,b1,g1 | x1 x3
        5 rA1 rF/rh1,bA,gp *r1,b1,g1 | x1 | 5 r?1 rh1,bA,gp *r2,b1,g1
    """,
    "shapeshifter copies a soldier": """
        5 rF2 bS,rF,gH,yp *r1,b1,g1,y1 | ~1 | 5 rS2 bS,rF,gH,yp *r1,b1,g1,y1
        5 rS2 bS,rF,gH,yp *r1,b1,g1,y1 | x1 x3
        5 rS2 bS,rF,gH,yp *r1,b1,g1,y1 | x3 | 5 y?3 bS,rF,yp *r2,b1,g1,y1
    """,
    "shapeshifter copies a spy": """
        5 rF2 bP,rF,gH,yp *r1,b1,g1,y1 | ~1 | 5 rP2 bP,rF,gH,yp *r1,b1,g1,y1
        5 rP2 bP,rF,gH,yp *r1,b1,g1,y1 | $b $g
        5 rP2 bP,rF,gh,yp *r1,b1,g1,y1 | $g | 5 g?3 bP,rF,gh,yp *r2,b1,g0,y1
        5 r?1 rf,bP,gp *r1,b1,g1 | ! | 5 bP2 rF,bP,gp *r2,b0,g1
    """,
    "shapeshifter copies a lord and counts its own family": """
        5 rF2 bL,rF,rH,yp *r1,b1,g1,y1 | ~1 | 5 y?4 bL,rF,rH,yp *r5,b1,g1,y1
        5 rF2 bL,rF,gH,yp *r1,b1,g1,y1 | ~1 | 5 y?4 bL,rF,gH,yp *r2,b1,g3,y1
        5 rF2 rL,rF,gH,yp *r1,b1,g1,y1 | ~1 | 5 y?4 rL,rF,gH,yp *r3,b1,g3,y1
    """,
    "shapeshifter copying an heir is paid whatever real heirs there are": """
        5 rF2 bH,rF,gH,yp *r1,b1,g1,y1 | ~1 | 5 y?4 bH,rF,gH,yp *r3,b1,g1,y1
        5 rF2 bH,rF,gH,yp *r1,b1,g1,y1 | ~3 | 5 y?4 bH,rF,gH,yp *r3,b1,g1,y1
    """,
    "shapeshifter copying an heir is stopped by another face up uncovered one only": """
        5 rF2 bH,rF,gS,yp,yF *r1,b1,g1,y1 | ~1 | 5 gS3 bH,rF,gS,yp,yF *r1,b1,g1,y1
        5 rF2 bH,rF,gS,yp/yF *r1,b1,g1,y1 | ~1 | 5 gS3 bH,rF,gS,yp/yF *r3,b1,g1,y1
        5 rF2 bH,rF,gS,yp,yf *r1,b1,g1,y1 | ~1 | 5 gS3 bH,rF,gS,yp,yf *r3,b1,g1,y1
    """,
    "shapeshifter may copy a shapeshifter to no effect": """
        5 rF2 bF,rF,gH,yp *r1,b1,g1,y1 | ~1 ~3
        5 rF2 bF,rF,gH,yp *r1,b1,g1,y1 | ~1 | 5 y?4 bF,rF,gH,yp *r1,b1,g3,y1
        5 b?1 bs,rF,gF,yp *r1,b1,g1,y1 | + | 5 y?4 bs1,rF,gF,yp *r1,b1,g1,y1
    """,
    "shapeshifter copies for this resolution only": """
        4 r?1 rf,bH,gp *r1,b1,g1 | ! + | 5 b* rF,bH,gp1 r3,*b3,g1
        5 rF2 bA,rF,gH,gp *r1,b1,g1 | ~1 x1 + | 6 b* rF,gH,gp1 r2,*b1,g3
        5 g?1 gp,rF,bL *r1,b1,g1 | + | 6 b* gp1,rF,bL r2,*b2,g1
    """,
    "lord gains 1": """
        5 r?1 rl *r1,b1,g1 | ! | 6 b* rL r2,*b1,g1
        5 r?1 rl2,bs *r1,b1,g1 | ! | 5 b?2 rL,bs *r4,b1,g1
        5 b?1 bs,rL,gh *r1,b1,g1 | + | 5 g?3 bs1,rL,gh *r2,b1,g1
    """,
    "lord gains 1 more for each adjacent card of its own family": """
        5 r?1 rs,rL,gh *r1,b1,g1 | + | 5 g?3 rs1,rL,gh *r3,b1,g1
        5 b?1 bs,rL,rh,gp *r1,b1,g1 | + | 5 r?3 bs1,rL,rh,gp *r3,b1,g1
        5 r?1 rs,rL,rh,gp *r1,b1,g1 | + | 5 r?3 rs1,rL,rh,gp *r4,b1,g1
    """,
    "lord counts neighbours face up and face down alike": """
        5 r?1 rs,rL,rH,gp *r1,b1,g1 | + | 5 g?4 rs1,rL,rH,gp *r6,b1,g1
    """,
    "lord does not count its family further away": """
        5 b?2 rs,bs,rL,gp,rh *r1,b1,g1 | + | 5 g?4 rs,bs1,rL,gp,rh *r2,b1,g1
    """,
    "assassination eliminates any top card and is discarded": """
        5 rX2 bs,rX,gh/gp,bp *r1,b1,g1 | x1 x2 x3 x4
        5 rX2 bs,rX,gh/gp,bp *r1,b1,g1 | x1 | 5 g?1 gh/gp,bp *r2,b1,g1
        5 rX2 bs,rX,gh/gp,bp *r1,b1,g1 | x3 | 5 g?2 bs,gp,bp *r2,b1,g1
        5 rX2 bs,rX,gh/gp,bp *r1,b1,g1 | x4 | 5 g?2 bs,gh/gp *r2,b1,g1
    """,
    "assassination may eliminate itself": """
        5 rX2 bs,rX,gh *r1,b1,g1 | x2 | 5 g?2 bs,gh *r2,b1,g1
        5 rX2 bs,rX/rp,gh *r1,b1,g1 | x2 | 5 r?2 bs,rp,gh *r2,b1,g1
    """,
    "assassination may eliminate its own family": """
        5 rX2 rs,rX,gh *r1,b1,g1 | x1 | 5 g?1 gh *r2,b1,g1
    """,
    "assassination alone in the queue eliminates itself unasked": """
        5 r?1 rx2 *r1,b1,g1 | ! | 6 b* - r4,*b1,g1
    """,
    "decree moves one top card to any other place": """
        5 rD2 bs,rD,gh *r1,b1,g1 | 1>2 1>3 3>1 3>2
        5 rD2 bs,rD,gh *r1,b1,g1 | 1>2 | 5 b?1 bs,gh *r1,b1,g1
        5 rD2 bs,rD,gh *r1,b1,g1 | 1>3 | 5 g?1 gh,bs *r1,b1,g1
        5 rD2 bs,rD,gh *r1,b1,g1 | 3>1 | 6 b* gh,bs r1,*b1,g1
        5 rD2 bs,rD,gh *r1,b1,g1 | 3>2 | 6 b* bs,gh r1,*b1,g1
    """,
    "decree at an end moves the others to any other place": """
        5 rD1 rD,bs,gh *r1,b1,g1 | 2>1 2>3 3>1 3>2
        5 rD1 rD,bs,gh *r1,b1,g1 | 2>1 | 5 g?2 bs,gh *r1,b1,g1
        5 rD1 rD,bs,gh *r1,b1,g1 | 2>3 | 5 g?1 gh,bs *r1,b1,g1
        5 rD1 rD,bs,gh *r1,b1,g1 | 3>1 | 5 b?2 gh,bs *r1,b1,g1
        5 rD1 rD,bs,gh *r1,b1,g1 | 3>2 | 5 g?1 gh,bs *r1,b1,g1
    """,
    "decree lets the top of a taller stack stand alone on either side of it": """
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 1>1 1>2 1>3 1>4 3>1 3>2 3>3 3>4
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 1>1 | 5 g?3 bs,bp,gh/gl *r1,b1,g1
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 1>2 | 5 g?3 bp,bs,gh/gl *r1,b1,g1
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 3>3 | 5 g?2 bs/bp,gh,gl *r1,b1,g1
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 3>4 | 5 g?2 bs/bp,gl,gh *r1,b1,g1
    """,
    "decree moves the top of a taller stack anywhere else": """
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 1>3 | 5 b?2 bp,bs,gh/gl *r1,b1,g1
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 1>4 | 5 g?2 bp,gh/gl,bs *r1,b1,g1
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 3>1 | 5 g?3 gh,bs/bp,gl *r1,b1,g1
        5 rD2 bs/bp,rD,gh/gl *r1,b1,g1 | 3>2 | 5 g?3 bs/bp,gh,gl *r1,b1,g1
    """,
    "decree moves any family face up or face down": """
        5 rD3 rp,bH,rD *r1,b1,g1 | 1>2 1>3 2>1 2>3
        5 rD3 rp,bH,rD *r1,b1,g1 | 1>2 | 6 b* bH,rp r1,*b1,g1
        5 rD3 rp,bH,rD *r1,b1,g1 | 1>3 | 5 r?2 bH,rp *r1,b1,g1
        5 rD3 rp,bH,rD *r1,b1,g1 | 2>3 | 6 b* rp,bH r1,*b3,g1
    """,
    "decree moves the influence with the card": """
        5 rD2 bs2,rD,gh1 *r1,b1,g1 | 1>3 | 5 g?1 gh1,bs2 *r1,b1,g1
        5 rD2 bs2/bp1,rD,gh1 *r1,b1,g1 | 1>4 | 5 g?2 bp1,gh1,bs2 *r1,b1,g1
    """,
    "decree keeps what it covers where it is and that is resolved next": """
        5 rD2 bs,rD/rH,gh *r1,b1,g1 | 1>2 1>3 3>1 3>2
        5 rD2 bs,rD/rH,gh *r1,b1,g1 | 1>3 | 5 g?2 rH,gh,bs *r3,b1,g1
        5 rD2 bs,rD/rp1,gh *r1,b1,g1 | 3>1 | 5 r?3 gh,bs,rp1 *r1,b1,g1
    """,
    "decree with one possible move is not asked": """
        5 r?1 rd,bs *r1,b1,g1 | ! | 6 b* bs r1,*b1,g1
        5 r?2 bs,rd *r1,b1,g1 | ! | 5 b?1 bs *r1,b1,g1
    """,
    "decree with no card to move is discarded without effect": """
        5 r?1 rd2 *r1,b1,g1 | ! | 6 b* - r3,*b1,g1
        5 r?1 rd/rH *r1,b1,g1 | ! | 6 b* rH r3,*b1,g1
    """,
    "ambush revealed by its owner loses the influence on it and gains 1": """
        5 r?1 rm,bs *r1,b1,g1 | ! | 5 b?1 bs *r2,b1,g1
        5 r?1 rm3,bs *r1,b1,g1 | ! | 5 b?1 bs *r2,b1,g1
    """,
    "ambush eliminated by an opponent pays both and discards the attacker": """
        5 rA2 bm,rA,gh *r1,b1,g1 | x1 | 5 g?1 gh *r2,b5,g1
        5 rA2 gh,rA,bm *r1,b1,g1 | x3 | 6 b* gh r2,*b5,g1
        5 rS2 bm,rS,gh *r1,b1,g1 | x1 | 5 g?1 gh *r2,b5,g1
        5 rS2 gh,rS,bm,gp *r1,b1,g1 | x3 | 5 g?2 gh,gp *r2,b5,g1
        5 rX2 bm,rX,gh *r1,b1,g1 | x1 | 5 g?1 gh *r2,b5,g1
        5 rX2 gh,rX,gp,bm *r1,b1,g1 | x4 | 5 g?2 gh,gp *r2,b5,g1
    """,
    "ambush loses the influence on it when it is eliminated": """
        5 rS2 bm3,rS,gh *r1,b1,g1 | x1 | 5 g?1 gh *r2,b5,g1
    """,
    "ambush sprung by a shapeshifter discards the shapeshifter": """
        5 rS2 bm,rF,gS,yp *r1,b1,g1,y1 | x1 | 6 b* gS r2,*b5,g2,y1
        5 rA3 bm,gA,rF,yp *r1,b1,g1,y1 | x1 | 5 y?2 gA,yp *r2,b5,g1,y1
    """,
    "ambush on a stack uncovers what it covered": """
        5 rS2 bm/bH,rS,gh *r1,b1,g1 | x1 | 5 g?2 bH,gh *r2,b5,g1
        5 rS2 gh,rS,bm/bH,gp *r1,b1,g1 | x3 | 5 g?3 gh,bH,gp *r2,b7,g1
    """,
    "conspiracy pays twice the influence on it": """
        5 r?1 rc,bs *r1,b1,g1 | ! | 5 b?1 bs *r1,b1,g1
        5 r?1 rc1,bs *r1,b1,g1 | ! | 5 b?1 bs *r3,b1,g1
        5 r?1 rc4,bs *r1,b1,g1 | ! | 5 b?1 bs *r9,b1,g1
    """,
    "conspiracy eliminated pays nothing": """
        5 rS2 bc3,rS,gh *r1,b1,g1 | x1 | 5 g?2 rS,gh *r2,b1,g1
    """,
}
"""For each sentence of the rules, lines for `hold`."""


@pytest.mark.parametrize("lines", RULES.values(), ids=RULES)
def test_the_rules(lines: str) -> None:
    hold(lines)
