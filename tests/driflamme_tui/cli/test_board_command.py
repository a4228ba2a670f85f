"""Tests `driflamme board` for programs, and its errors."""

import json
from pathlib import Path

import pytest

from engine.arena.contest import Series, simulate
from engine.record import Record
from tests.driflamme_tui.boards import LINE, VIEW
from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.engine.lines import whole


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.bots.master_bot.Grandmaster.iterations", 30)


@pytest.fixture
def file(tmp_path: Path) -> str:
    (game,) = simulate(Series(games=1, players=3, edition=2, seed=2, bots=("steady",)))
    path = tmp_path / "game.json"
    path.write_text(Record(game.deal, tuple(map(str, game.actions))).to_json())
    return str(path)


def test_what_master_thinks_is_printed_for_programs(file: str) -> None:
    data = json.loads(driflamme("board", LINE, "--json").stdout)
    assert data["view"].startswith("2 4 rS2 g?2,rS,rm1,bL ")
    assert data["you"] == "r"
    assert {each["action"] for each in data["answers"]} == {"x1", "x3"}
    assert json.loads(driflamme("board", VIEW, "--json").stdout)["view"] == VIEW
    legal = driflamme("position", file, "7").stdout.splitlines()[1].split()
    data = json.loads(driflamme("board", file, "7", "--json").stdout)
    assert {each["action"] for each in data["answers"]} == {*legal}
    over = json.loads(driflamme("board", file, "--json").stdout)
    assert (over["you"], over["answers"]) == (None, [])


def test_an_answer_that_was_not_tried_has_no_share() -> None:
    line = whole("2 5 rD3 bs,bp,rD,gh,gp,yf,ya *r1,b1,g1,y1")
    shares = [
        each["share"] for each in json.loads(driflamme("board", line, "--json").stdout)["answers"]
    ]
    assert None in shares
    assert shares[0] is not None


def test_what_is_no_board_is_told_in_a_sentence(file: str) -> None:
    assert "five fields" in refused(driflamme("board", "2 4"))
    assert "There is no file 'nix'" in refused(driflamme("board", "nix"))
    assert "no steps: omit '3'" in refused(driflamme("board", LINE, "3"))
    assert "a number for the step, not 'x'" in refused(driflamme("board", file, "x"))
    for step in ("999", 20 * "9"):
        assert f"There is no step {step}:" in refused(driflamme("board", file, step))
    for seat in ("v", "", "rb"):
        assert "choose one of r b g." in refused(driflamme("board", LINE, "--seat", seat))
    assert "needs a terminal" in refused(driflamme("board", LINE))


def test_it_is_played_line_by_line_with_one_familys_cards() -> None:
    result = driflamme("board", LINE, "--seat", "r", "--plain", input="quit\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("board, Red's cards.")
