"""How a finished game went: values and turning points from its events, and the chart of them."""

import pytest

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.chart import draw_chart
from driflamme_tui.model.game_progress import ProgressStep, progress_of
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.board import Board
from driflamme_tui.wording.game.result_words import reason, tie_break
from driflamme_tui.wording.game.turning_points import turning_point
from engine.events import (
    AmbushSprung,
    Eliminated,
    Event,
    Gained,
    GameEnded,
    Revealed,
    RoundBegan,
    Stole,
)
from engine.ranking import each_alone
from tests.driflamme_tui.by_hand import OVER
from tests.driflamme_tui.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    evening_session,
    run_app,
    seats,
    seen,
)

SHORT: tuple[Event, ...] = (
    RoundBegan(1, 0),
    Revealed(0, 1, "H", 0, 0),
    Gained(0, 1, "H", "H", 2),
    RoundBegan(2, 1),
    Revealed(1, 2, "S", 1, 1),
    Eliminated(1, 2, "S", 3, 2, "M", False, 0),
    AmbushSprung(2, 4, 1),
    Stole(1, 2, "P", 0, 1),
    GameEnded((2,)),
)
POOLS = (2, 4, 5)


def test_events_are_added_up_round_by_round() -> None:
    went = progress_of(SHORT, POOLS)
    assert went is not None
    assert went.rounds == [(1, 1, 1), (3, 1, 1), POOLS]
    assert [went.best(seat) for seat in range(3)] == [2, 2, 4]


@pytest.mark.parametrize("happened", [SHORT[:-1], SHORT[2:], SHORT[:5] + SHORT[6:], ()])
def test_no_course_is_made_of_half_a_game(happened: tuple[Event, ...]) -> None:
    assert progress_of(happened, POOLS) is None


def test_a_whole_evening_comes_to_the_pools_of_its_end() -> None:
    session = evening_session(EVENING_STEPS, "b", seats=seats("rbgyv"))
    assert session.view is not None
    went = progress_of(session.events, session.view.pools)
    assert went is not None
    assert len(went.rounds) == 7
    assert went.rounds[-1] == tuple(session.view.pools)


def test_turning_points_are_told_in_words() -> None:
    went = progress_of(SHORT, POOLS)
    assert went is not None
    names = ("Ada", "Bo", "Cy")
    told = [" ".join(turning_point(step, names)) for step in went.turning_points()]
    assert told == [
        "Round 1: Ada gains 2 with Heir. Ada stays in place 1.",
        "Round 2: Bo runs into the Ambush of Cy, who gains 4. Cy goes from place 2 to 1.",
        "Round 2: Bo gains 1, robbing Ada. Bo stays in place 2.",
    ]


def test_a_tie_break_is_said_beside_those_whom_it_parts() -> None:
    at = seen("2 6 - rH,bL,gS,gA *r9,b9,g9")
    everybody = each_alone(3)
    assert [tie_break(at, (seat,), everybody) for seat in range(3)] == [
        "tie: 1 card in the Queue against 2",
        "tie: 1 card in the Queue against 2",
        "tie: 2 cards in the Queue against 1",
    ]
    assert tie_break(seen(OVER), (2,), everybody) == ""
    names = ("Ada", "Bo", "Cy")
    assert reason(seen("2 6 - rH,bL,gS *r9,b5,g5"), names).startswith("4 more than Bo, Cy;")
    assert reason(seen("2 6 - rH,bL,gS,gA *r9,b5,g5"), names).startswith("4 more than Cy;")


def test_a_turning_point_says_who_ties() -> None:
    gained = Gained(0, 1, "L", "L", 2)
    step = ProgressStep(1, (1, 3, 3), (3, 3, 3), (gained,))
    assert turning_point(step, ("Ada", "Bo", "Cy"))[1] == "Ada ties for 1st."
    step = ProgressStep(1, (1, 9, 3), (3, 9, 3), (gained,))
    assert turning_point(step, ("Ada", "Bo", "Cy"))[1] == "Ada ties for place 2."


SERIES = (("g", (1, 2, 4)), ("r", (1, 2, 4)), ("b", (1, 1, 0)))


def chart(glyphs: Glyphs) -> list[str]:
    canvas = Canvas(20, 5, "table", glyphs)
    draw_chart(canvas, 0, 0, SERIES, 5, 6)
    return [strip.text.rstrip() for strip in canvas.strips()]


def test_the_chart_draws_lines_and_equal_values_share_a_label() -> None:
    assert chart(UNICODE) == [
        "  4│         ╭──◆▲ 4",
        "   │         │",
        "  2│   ╭──◆▲─╯",
        "   │◆▲●╯──●──╮",
        "  0│         ╰──● 0",
    ]


def test_in_ascii_a_line_is_its_letter() -> None:
    rows = chart(ASCII)
    assert all(row.isascii() for row in rows)
    assert rows[2] == "  2|   ggggrgg"


def test_a_key_turns_from_the_ranking_to_the_chart_and_back() -> None:
    async def turn(app: SeatedApp, hands: Hands) -> None:
        board = app.screen.query_one(Board)
        for shown in (True, False):
            await hands.press("c")
            text = "\n".join(board.render_line(row).text for row in range(board.size.height))
            assert ("INFLUENCE OVER THE GAME" in text) == shown
            assert ("LAID OPEN" in text) != shown

    session = evening_session(EVENING_STEPS, "b", seats=seats("rbgyv"))
    run_app(SeatedApp(session, result=True), turn)
