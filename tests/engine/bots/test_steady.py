"""Tests the rules of thumb of `steady`: an answer for each line, and the share of victories."""

import pytest

from engine.arena.contest import Series, simulate
from engine.arena.summary import BotTally
from tests.engine.bots.test_searching import answers

ANSWERS = {
    "a conspiracy is left while it is safe": ["4 r?2 bH,rc3,gL *r1,b1,g1: +"],
    "a conspiracy is revealed before a soldier gets it": ["4 r?1 rc3,bS,gL *r1,b1,g1: !"],
    "an heir is revealed when it pays and left when it does not": [
        "2 r?2 bL,rh1,gL *r1,b1,g1: !",
        "2 r?2 bH,rh1,gL *r1,b1,g1: +",
    ],
    "a lord is revealed beside its family and left among strangers": [
        "3 r?2 bh,rl,rH *r1,b1,g1: !",
        "3 r?2 bh,rl,gh *r1,b1,g1: +",
    ],
    "an ambush is left down beside a face-up soldier": [
        "3 r?2 bS,rm2,gL *r1,b1,g1: +",
        "6 r?1 rm2,bS,gL *r1,b1,g1: +",
    ],
    "an ambush that nobody will spring any more is revealed": ["6 r?3 bS,gL,rm2 *r1,b1,g1: !"],
    "an assassination waits for a rich target": [
        "3 r?3 gH,bs,rx *r1,b1,g1: +",
        "3 r?3 gL,bs9,rx *r1,b1,g1: !",
    ],
    "a soldier among its own is left": ["3 r?2 rh,rs,rl *r1,b1,g1: +"],
    "the richest neighbour is robbed": [
        "3 rP2 bH,rP,gL *r1,b3,g7: $g",
        "3 rP2 bH,rP,gL *r1,b7,g3: $b",
    ],
    "nobody is robbed who has nothing if another has something": [
        "3 rP2 bH,rP,gL *r1,b0,g1: $g",
        "3 rP2 bH,rP,rL *r9,b1,g0: $b",
    ],
    "own cards are spared": [
        "3 rS2 rl2,rS,gH *r1,b1,g1: x3",
        "3 rS2 bL,rS,rm *r1,b1,g1: x1",
        "3 rA2 rl2,rA,gH *r1,b1,g1: x3",
        "3 rX2 rl2,rX,rH,gL *r1,b1,g1: x4",
    ],
    "the leader's rich card is the target": [
        "4 rX1 rX,bs1,gs4 *r1,b1,g5: x3",
        "4 rX1 rX,bs4,gs4 *r1,b5,g1: x2",
    ],
    "a likely ambush is avoided": [
        "5 rS2 bh3,rS,gL *r1,b1:AS:PFL:XDMC,g1: x1",
        "5 rS2 bh3,rS,gL *r1,b1:AM:SPF:LXDC,g1: x3",
    ],
    "a useful neighbour is copied rather than a shapeshifter": ["3 rF2 bF,rF,gL *r1,b1,g1: ~3"],
    "a royal decree has an own card resolved again": ["6 rD2 rH,rD,bL *r1,b1,g1: 1>2 1>3"],
    "a royal decree keeps a rich card from being resolved": ["6 rD2 bL,rD,gc5 *r1,b1,g1: 3>1 3>2"],
    "an ambush goes where an attacker is": ["6 r* bS,gL,bL,gH *r1:MC,b1,g1: M<"],
    "a card that gathers influence goes first": ["1 r* - *r1:ASPFXDC,b1,g1: C>"],
    "an heir keeps away from a face-up soldier": [
        "5 r* bP,gL,bS *r1:HXD,b1,g1: H<",
        "5 r* bS,gL,bP *r1:HXD,b1,g1: H>",
    ],
    "everything is turned into influence in the last round": [
        f"6 r?1 r{card}2,bL,gL *r1,b1,g1: !" for card in "aphflxdc"
    ],
    "a valuable own card is not covered": [
        "2 r* rc1,bH,gH *r1:APFXDM,b1,g1: A< A> P< P> F< F> X< X> D< D> M< M>"
    ],
}
"""Positions of each test; after the colon, the answers that the bot may give."""


@pytest.mark.parametrize("cases", ANSWERS.values(), ids=ANSWERS)
def test_its_answer(cases: list[str]) -> None:
    answers("steady", cases)


def test_alone_against_random_it_wins_far_more_than_its_share() -> None:
    tally = BotTally()
    for played in simulate(Series(100, 4, 2, seed=11, bots=("steady",))):
        tally.add(played)
    best = tally.scores()[0]
    assert best.bot == "steady"
    assert best.interval[0] > 0.65
