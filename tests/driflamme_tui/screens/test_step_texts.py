"""Tests texts about a step of a replay, without a screen."""

import pytest

from driflamme_tui.replay.judging import Advice
from driflamme_tui.replay.playback import Playback
from driflamme_tui.study.step_texts import StepJudgement, StepTexts
from driflamme_tui.study.teacher import Teacher
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.wording.game.event_words import log_lines, table_names
from engine.replaying import ALL, PUBLIC, Replay
from tests.support.pretend_workers import PretendWorkers
from tests.support.tables import NAMES, RECORD, state_of

REPLAY = Replay.of(RECORD)


class Step:
    """A step of the evening, before the teacher's judgement."""

    def __init__(self, step: int = 0, eyes: object = ALL) -> None:
        self.playback = Playback(REPLAY, step=step)
        assert eyes in (ALL, PUBLIC) or isinstance(eyes, int)
        self.playback.eyes = eyes
        self.teacher = Teacher(REPLAY, PretendWorkers, lambda: None, there=False)
        self.texts = StepTexts(self.playback)
        self.judgement = StepJudgement(self.playback, self.teacher, self.texts, lambda: UNICODE)


def advice_at(step: int) -> Advice:
    token = REPLAY.token(step)
    return Advice(step=step, given=token, best=token, given_share=0.5, best_share=0.5, plan=None)


def test_each_step_tells_its_decision_and_the_next_question() -> None:
    for step in range(REPLAY.last + 1):
        at = Step(step)
        view = REPLAY.seen(step, ALL)
        table = table_names(view, list(NAMES), None, UNICODE)
        lines = log_lines(REPLAY.events_until(step, ALL), table)
        text = at.texts.happened(state_of(view), lines)
        seat, sentence = lines[len(lines) - len(REPLAY.happened[step])]
        assert text.endswith(sentence)
        assert (text == sentence) is (seat is None)
        assert (at.texts.coming(state_of(view), view) == "") is view.over
        assert bool(at.texts.turning_point()) is (step in at.playback.turning_points)


@pytest.mark.parametrize("eyes", [ALL, PUBLIC, 0])
def test_answers_are_shown_to_eyes_that_see_the_hand_of_the_asked_player(eyes: object) -> None:
    for step in range(REPLAY.last + 1):
        at = Step(step, eyes)
        sees = not REPLAY.games[step].over and (eyes is ALL or REPLAY.games[step].turn == eyes)
        assert (at.texts.no_answers() == "") is sees


def test_the_teacher_needs_eyes_and_judges_only_decisions() -> None:
    assert Step(eyes=PUBLIC).judgement.needs_eyes()
    at_the_deal = Step(0)
    assert not at_the_deal.judgement.needs_eyes()
    assert at_the_deal.judgement.toggle(), "nobody has decided anything"
    assert not at_the_deal.judgement.is_due
    assert not at_the_deal.judgement.toggle(), "it stops without a word"
    step = Step(3)
    assert not step.judgement.toggle()
    assert len(step.judgement.sentences()) == 1, "it thinks"
    step.teacher.advice[3] = advice_at(3)
    assert len(step.judgement.sentences()) > 1
    assert step.judgement.losses() == {3: 0}
    assert not step.judgement.reasons()
    covered = step.judgement.panel(is_covered=True)
    assert covered is not None
    assert covered.here == step.judgement.sentences()[0]
    assert step.judgement.panel(is_covered=False) is None


def test_a_search_finds_the_next_decision_and_nothing_without_a_token() -> None:
    playback = Playback(REPLAY)
    assert playback.found("") is None
    assert playback.found("Z") is None
    step = playback.found("+")
    assert step is not None
    assert REPLAY.token(step) == "+"


def test_eyes_go_round() -> None:
    playback = Playback(REPLAY)
    seen = []
    for _ in REPLAY.eyes():
        seen.append(playback.eyes)
        playback.eyes = playback.other_eyes()
    assert seen == [*REPLAY.eyes()]
    assert playback.eyes is ALL
    assert (playback.eyes_called("b"), playback.eyes_called("public")) == (1, PUBLIC)
    assert playback.eyes_called("z") is None
