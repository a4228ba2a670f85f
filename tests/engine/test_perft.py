"""Tests that the engine and the referee reach the counts of `perft.json`."""

import json
from typing import Any

import pytest

from tests.engine.lines import in_editions, whole
from tests.engine.perft import DATA, POSITIONS, Reach, by_engine, by_referee, count

ENTRIES: list[dict[str, Any]] = json.loads(DATA.read_text())


@pytest.mark.parametrize("reach", [by_engine, by_referee])
@pytest.mark.parametrize(
    "entry", ENTRIES, ids=[f"{entry['name']}, edition {entry['line'][0]}" for entry in ENTRIES]
)
def test_perft(entry: dict[str, Any], reach: Reach) -> None:
    counted = count(reach, entry["line"], len(entry["sequences"]))
    assert counted == {name: entry[name] for name in ("sequences", "positions", "digest")}


def test_the_committed_positions_are_those_of_the_list_in_both_editions() -> None:
    assert [(entry["name"], len(entry["sequences"]), entry["line"]) for entry in ENTRIES] == [
        (name, depth, line)
        for name, (depth, shorthand) in POSITIONS.items()
        for line in map(whole, in_editions(shorthand))
    ]


def counts(line: str, depth: int) -> object:
    (count_,) = {
        str(count(by_engine, whole(each), depth)["sequences"]) for each in in_editions(line)
    }
    return json.loads(count_)


def test_counts_that_can_be_reasoned_out() -> None:
    # The first player places one of 7 cards, and each later player one of 7 cards at either end.
    assert counts("1 b* - r1,*b1,g1", 3) == [7, 7 * 14, 7 * 14 * 14]
    # Each player places one of 4 cards, at either end or on one of 2 own cards.
    assert counts("4 r* rs,rp,bs,bp,gs,gp *r1,b1,g1", 2) == [4 * 4, 16 * 16]
    # Left or revealed, without further questions.
    assert counts("5 r?1 rh,bh,gh,rl,bc *r1,b1,g1", 4) == [2, 4, 8, 16]
    # A single card has five other positions, and the top card of a taller stack seven.
    assert counts("5 rD3 bs,bp,rD,gh,gp,yf *r1,b1,g1,y1", 1) == [5 * 5]
    assert counts("5 rD3 bs/bh,bp,rD,gh,gp/gl/ga,yf *r1,b1,g1,y1", 1) == [3 * 5 + 2 * 7]
