"""Tests puzzles: lines with a question and the value of each answer, and their origin."""

from random import Random

import pytest

from engine.arena.contest import Series, simulate
from engine.bots import make_bot
from engine.consistency import PositionError
from engine.puzzles import LEAD, Puzzle, of_day, parse_puzzle, puzzles_in, stock
from engine.record import Record

LINE = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"


@pytest.mark.parametrize(
    "text",
    [
        "",
        LINE,
        f"{LINE} = ",
        f"{LINE} = +:412",
        f"{LINE} = +:412 !:255 x1:3",
        f"{LINE} = +:412 !:x",
        f"{LINE} = +:412 !:-5",
        f"{LINE} = +:412 !:10000",
        f"{LINE} = 412 255",
        "nonsense = +:1 !:0",
        "2 3 = +:1",
    ],
)
def test_what_is_no_puzzle_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        parse_puzzle(text)


def test_all_that_come_with_the_program_are_clear_and_not_obvious() -> None:
    assert len(stock()) >= 100
    assert len({puzzle.line for puzzle in stock()}) == len(stock())
    for puzzle in stock():
        shares = [share for _token, share in puzzle.answers]
        assert shares == sorted(shares, reverse=True)
        assert shares[0] - shares[1] > LEAD - 0.002
        assert str(make_bot("steady", Random(0)).choose(puzzle.view)) != puzzle.best
        assert puzzle.view.round > 1


def test_each_day_has_one_and_none_comes_again_before_all_have() -> None:
    puzzles = [Puzzle(str(number), (("+", 1.0),)) for number in range(10)]
    days = [of_day(puzzles, day) for day in range(730_000, 730_020)]
    assert sorted(days[:10]) == sorted(days[10:]) == list(range(10))
    assert days[:10] != days[10:]
    assert days == [of_day(puzzles, day) for day in range(730_000, 730_020)]


def test_they_are_found_in_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.puzzles.JUDGEMENTS", 2)
    monkeypatch.setattr("engine.puzzles.EFFORT", 200)
    (played,) = simulate(Series(games=1, players=3, edition=2, seed=2, bots=("steady",)))
    record = Record(played.deal, tuple(str(action) for action in played.actions))
    found = next(puzzles_in(record, Random(1)))
    assert parse_puzzle(str(found)).line == found.line
