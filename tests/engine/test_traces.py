"""Tests the exact lines of a trace, which other programs read."""

from engine.edition import EDITIONS
from engine.game import Deal
from engine.notation import parse_action
from engine.record import trace_deal, trace_result, trace_step
from tests.engine.lines import game_at, whole

DEAL = Deal(
    edition=EDITIONS[2],
    families="rbg",
    first=1,
    hands=("ASPHFLX", "ASPHFLX", "SPHFLXD"),
    aside=("DMC", "DMC", "AMC"),
)


def test_a_game_begins_with_its_deal() -> None:
    assert trace_deal(0, DEAL) == (
        '{"type":"deal","game":0,"edition":2,"families":"rbg","first":"b",'
        '"hands":{"r":"ASPHFLX","b":"ASPHFLX","g":"SPHFLXD"},'
        '"aside":{"r":"DMC","b":"DMC","g":"AMC"}}'
    )
    assert trace_deal(41, DEAL._replace(edition=EDITIONS[1], families="vyg", first=2)) == (
        '{"type":"deal","game":41,"edition":1,"families":"vyg","first":"g",'
        '"hands":{"v":"ASPHFLX","y":"ASPHFLX","g":"SPHFLXD"},'
        '"aside":{"v":"DMC","y":"DMC","g":"AMC"}}'
    )


def test_a_decision_is_a_step() -> None:
    line = "2 6 b* rS,bm1/bP,gh *r3:A:LDM:PHFXC,b2:AX:SHF:LDC,g2:SP:DMC:AFLX"
    assert trace_step(game_at(line), parse_action("X^2")) == (
        f'{{"type":"step","position":"{line}",'
        '"legal":["A<","A>","X<","X>","A^2","X^2"],"action":"X^2"}'
    )


def test_a_game_ends_with_its_result() -> None:
    line = whole("2 6 - rS,bm1,gh *r3,b12,g0")
    assert trace_result(game_at(line)) == (
        f'{{"type":"result","position":"{line}","scores":{{"r":3,"b":12,"g":0}},"winners":"b"}}'
    )


def test_winners_stand_in_seat_order() -> None:
    line = whole("1 6 - vS,bm1,gh v3,b3,*g2,r3,y0")
    assert trace_result(game_at(line)) == (
        f'{{"type":"result","position":"{line}",'
        '"scores":{"v":3,"b":3,"g":2,"r":3,"y":0},"winners":"vb"}'
    )
