"""Tests the course of a finished game: values and turning points from its events."""

import pytest
from msgspec.structs import replace

from driflamme_tui.model.game_progress import ProgressStep, progress_of
from driflamme_tui.replay.playback import Playback
from driflamme_tui.study.replay_screen import ReplayScreen
from driflamme_tui.wording.game.result_words import reason, tie_break, turning_point
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
from engine.replaying import Replay
from netcode.protocol.evening import Evening
from netcode.protocol.messages import Lobby
from tests.support.by_hand import OVER
from tests.support.scenes import ended
from tests.support.tables import (
    EVENING_STEPS,
    RECORD,
    Hands,
    SeatedApp,
    chat_message,
    evening_session,
    in_app,
    is_at,
    results,
    run_app,
    seats,
    seen,
    table_of,
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
    sentences = [" ".join(turning_point(step, names)) for step in went.turning_points()]
    assert sentences == [
        "Round 1: Ada gains 2 with Heir. Ada takes the lead.",
        "Round 2: Bo runs into the Ambush of Cy, who gains 4. Cy takes the lead.",
        "Round 2: Bo gains 1 and robs Ada. Bo is 1 behind the leader instead of 2.",
    ]


def test_what_moves_no_prospects_decides_nothing() -> None:
    to_the_winner = ProgressStep(2, (3, 3, 3), (5, 3, 3), ())
    late = ProgressStep(6, (3, 3, 3), (5, 3, 3), ())
    too_late = ProgressStep(6, (15, 1, 1), (15, 5, 1), ())
    weights = [each.weight(each_alone(3)) for each in (too_late, to_the_winner, late)]
    assert weights == sorted(weights)
    assert weights[0] < 0.01


def test_a_lead_that_grows_is_told_as_one() -> None:
    step = ProgressStep(1, (4, 1), (6, 1), (Gained(0, 1, "H", "H", 2),))
    assert turning_point(step, ("Ada", "Bo"))[1] == "Ada leads by 5 instead of 3."


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
    assert reason(seen("2 6 - rH,bL,gS *r9,b5,g5"), names).startswith("4 more than you and Cy;")
    assert reason(seen("2 6 - rH,bL,gS,gA *r9,b5,g5"), names).startswith("4 more than you and Cy;")


def test_the_reader_is_addressed_also_in_the_reason_for_another_players_victory() -> None:
    names = ("Ada", "Bo", "Cy")
    for viewer, sentence in ((1, "4 more than you and Cy;"), (0, "4 more than Bo and Cy;")):
        own = seen("2 6 - rH,bL,gS *r9,b5,g5").copy()
        own.viewers = (viewer,)
        assert reason(own, names).startswith(sentence)


def test_a_turning_point_says_who_ties() -> None:
    gained = Gained(0, 1, "L", "L", 2)
    step = ProgressStep(1, (1, 3, 3), (3, 3, 3), (gained,))
    assert turning_point(step, ("Ada", "Bo", "Cy"))[1] == "Ada ties for 1st."
    step = ProgressStep(1, (1, 9, 3), (3, 9, 3), (gained,))
    assert turning_point(step, ("Ada", "Bo", "Cy"))[1] == "Ada ties for place 2."


@in_app(lambda: SeatedApp(ended(), result=True))
async def test_a_key_turns_from_the_ranking_to_the_values_and_the_chart_and_back(
    app: SeatedApp, hands: Hands
) -> None:
    for turned in (True, False):
        await hands.type("c")
        assert app.shows("INFLUENCE OVER THE GAME"), "below the ranking, or at the top"
        assert app.shows("on cards") != turned, "the ranking"


def test_bars_grow_until_they_are_long_enough_or_a_key_is_pressed() -> None:
    def longest(app: SeatedApp) -> int:
        return max(row.count("█") for row in app.rows())

    async def grow(app: SeatedApp, hands: Hands) -> None:
        assert not longest(app)
        await hands.wait(0.4)
        half = longest(app)
        await hands.type("c c")
        assert 0 < half <= longest(app) / 2

    app = SeatedApp(ended(), result=True)
    app.animation_level = "full"
    run_app(app, grow)


@in_app(lambda: SeatedApp(ended(), result=True))
async def test_the_keys_of_the_moments_show_them_in_the_replay(
    app: SeatedApp, hands: Hands
) -> None:
    steps = Playback(Replay.of(RECORD)).turning_points
    for key, step in zip("123", steps, strict=True):
        await hands.type(key)
        assert table_of(app, ReplayScreen).playback.step == step
        assert app.shows(f"Round {steps[step].round}:")
        await hands.type("q")
    await hands.type("v r")
    assert is_at(app, ReplayScreen)
    assert app.shows("step 0/86")


def test_the_result_says_how_the_evening_stands_and_who_has_won_it() -> None:
    evening = Evening().after(results("Rosalind 12 1", "Blaise 9 2"))
    evening = evening.after(results("Rosalind 12 2", "Blaise 20 1"))

    async def look(app: SeatedApp, hands: Hands) -> None:
        await hands.receive(lobby_after(evening))
        assert app.shows("Victories after 2 games: Blaise 1, Rosalind 1.")
        assert app.shows("game 2 of 3")
        await hands.receive(chat_message("r: hi", "b: hello", "r: well", "b: so"))
        assert app.shows("Victories after 2 games: Blaise 1, Rosalind 1."), "not hidden by talk"
        await hands.receive(lobby_after(evening.after(results("Rosalind 12 2", "Blaise 20 1"))))
        assert app.shows("B L A I S E W I N S T H E E V E N I N G")
        assert app.shows("Victories after 3 games: Blaise 2, Rosalind 1.")
        await hands.receive(lobby_after(evening.after(results("Yvette 12 1", "Blaise 1 3"))))
        assert app.shows("Blaise wins the evening by influence, 30 to 24")

    def lobby_after(evening: Evening) -> Lobby:
        assert session.lobby is not None
        settings = replace(session.lobby.settings, best_of=3)
        return replace(session.lobby, evening=evening, settings=settings)

    session = ended()
    run_app(SeatedApp(session, result=True), look)
