"""Tests the explanations in the first games: they advise nothing, and end after these games."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from driflamme_tui.drawing.cards import panel_text
from driflamme_tui.drawing.table_state import Cursor
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.preferences import remembered
from driflamme_tui.preferences.remembered import BEGINNER, Beginner
from driflamme_tui.screens.table.live_screen import LiveScreen
from driflamme_tui.wings.hints.explanation_setting import is_explained, toggle
from driflamme_tui.wings.hints.explanations import explanation
from driflamme_tui.wings.hints.hints_panel import with_explanation
from engine.views import view
from tests.support.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    evening,
    evening_session,
    in_app,
    run_app,
    seen,
    session_at_line,
    state,
    state_of,
    table_of,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(remembered, "state_path", lambda name: tmp_path / "state" / name)
    return tmp_path


QUESTIONS = {
    Step.CARD: ("2 4 b* rS,bh1 *r3,b5,g2", ""),
    Step.SPOT: ("2 4 b* rS,bh1 *r3,b5:ALXD,g2", "D"),
    Step.LEAVE_OR_REVEAL: ("2 4 b?2 rS,bh1,gl *r3,b5,g2", ""),
    Step.TARGET: ("2 4 bA2 rS,bA,gl *r3,b5,g2", ""),
    Step.PLAYER: ("2 4 bP2 rS,bP,gl *r3,b5,g2", ""),
    Step.COPIED: ("2 4 bF2 rS,bF,gL *r3,b5,g2", ""),
    Step.LIFTED: ("2 4 bD2 rS,bD,gl *r3,b5,g2", ""),
    Step.DESTINATION: ("2 4 bD2 rS,bD,gl *r3,b5,g2", "1"),
}


@pytest.mark.parametrize("step", Step)
def test_every_decision_is_explained_until_something_is_chosen(step: Step) -> None:
    line, first = QUESTIONS[step]
    question = Question(seen(line))
    if first:
        assert question.choose_card(first) or question.choose_position(int(first))
        question.confirm()
    assert question.step is step
    at = with_explanation(state_of(question.view, question))
    assert panel_text(at).rule == explanation(step, last=False)
    assert panel_text(state_of(question.view, question)).rule != explanation(step, last=False)
    assert panel_text(replace(at, cursor=Cursor(0))).rule != explanation(step, last=False), (
        "looking comes first"
    )
    question.choose(0)
    assert panel_text(with_explanation(state_of(question.view, question))).rule != explanation(
        step, last=False
    )


def test_no_explanation_is_too_long_for_its_panel() -> None:
    for step in Step:
        assert max(len(explanation(step, last=last)) for last in (False, True)) <= 115


def test_in_the_last_round_it_promises_nothing_that_comes_later() -> None:
    last = "2 6 b?2 rS,bh1,gl *r3,b5,g2"
    question = Question(seen(last))
    panel = panel_text(with_explanation(state_of(question.view, question))).rule
    assert panel.startswith("This is the last round: left, it brings nothing.")
    assert explanation(Step.CARD, last=True) != explanation(Step.CARD, last=False)
    assert "next" not in explanation(Step.DESTINATION, last=True)


def test_it_goes_after_three_games_unless_it_is_wanted() -> None:
    assert all(is_explained(Beginner(games=games)) for games in range(3))
    assert not is_explained(Beginner(games=3))
    assert is_explained(toggle(Beginner(games=3)))
    assert is_explained(replace(toggle(Beginner(games=3)), games=4))
    assert not is_explained(toggle(Beginner()))


class ExplainingApp(SeatedApp):
    HELPS_NEWCOMERS = True


def test_a_game_counts_when_it_ends_before_its_players_eyes() -> None:
    game, _events = evening(EVENING_STEPS - 1)
    over, _events = evening()
    assert over.over

    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert BEGINNER.recall().games == 0
        await hands.receive(state(view(over, 0), 2))
        assert BEGINNER.recall().games == 1
        app.base.session_changed()
        assert BEGINNER.recall().games == 1

    run_app(ExplainingApp(evening_session(EVENING_STEPS - 1, game.families[0])), steps)


@in_app(lambda: ExplainingApp(session_at_line(QUESTIONS[Step.CARD][0])))
async def test_explanations_are_shown_and_switched_off(app: SeatedApp, hands: Hands) -> None:
    assert app.shows("What it is about")
    table_of(app, LiveScreen).action_panel("explain")
    await hands.pause()
    assert not app.shows("What it is about")
    assert BEGINNER.recall() == Beginner(0, False)


@pytest.mark.parametrize("last", [False, True])
def test_beginners_hear_what_revealing_an_ambush_or_a_conspiracy_brings(last: bool) -> None:
    step = Step.LEAVE_OR_REVEAL
    assert "loses what lies on it and brings 1" in explanation(step, "M", last=last)
    assert "brings twice what lies on it" in explanation(step, "C", last=last)
    assert explanation(step, "S", last=last) == explanation(step, last=last)
