"""Tests reviews: the judged decisions, the limit for a mistake, and the stored results."""

from pathlib import Path

import msgspec
import pytest

from driflamme_tui.preferences.remembered import state_path
from driflamme_tui.replay import kept_judgements
from driflamme_tui.replay.judging import (
    COMPARISONS,
    ROUNDS,
    Advice,
    Review,
    decisions,
    decisions_of,
    judge_all,
    judged_before,
    usual_seat,
)
from driflamme_tui.replay.kept_judgements import keep_advice, kept_advice
from engine.arena.contest import Series, play_game
from engine.bots.plans import PLAIN, Comparison
from engine.record import Holder, Record
from engine.replaying import Replay
from netcode.workers.questions import BotAnswer, BotQuestion
from tests.support.tables import RECORD

REPLAY = Replay.of(RECORD)
MINE = decisions(REPLAY, 1)


class Judge:
    """Judges by a table of losses by step; a decision of another step counts as the best one."""

    def __init__(self, replay: Replay, losses: dict[int, float], error: float = 0.001) -> None:
        self.replay, self.losses, self.error = replay, losses, error
        self.questions: list[BotQuestion] = []

    def __call__(self, question: BotQuestion) -> BotAnswer:
        self.questions.append(question)
        step = next(s for s in MINE if self.replay.line(s - 1, 1) == question.view)
        lost = self.losses.get(step)
        if lost is None:
            return BotAnswer(question.given, ((question.given, 0.5, 9),))
        legal = map(str, self.replay.legal(step - 1, 1))
        best = question.best or next(each for each in legal if each != question.given)
        weights = () if question.best else ((best, 0.5, 9),)
        comparison = Comparison(100, 0.5, 0.5 - lost, self.error)
        return BotAnswer(best, weights, comparison=comparison)


def reviewed(losses: dict[int, float], error: float = 0.001) -> tuple[Review, Judge]:
    review, judge = Review(REPLAY, 1, {}), Judge(REPLAY, losses, error)
    judge_all(review, judge)
    return review, judge


def test_the_costliest_three_are_mistakes_and_the_accuracy_is_the_part_that_was_kept() -> None:
    losses = dict(zip(MINE, (0.05, 0.2, 0.1, 0.04), strict=False))
    review, judge = reviewed(losses)
    assert [each.lost for each in review.mistakes] == pytest.approx([0.2, 0.1, 0.05])
    assert [each.step for each in review.mistakes] == [MINE[1], MINE[2], MINE[0]]
    chances = 0.5 * len(MINE)
    assert review.accuracy == pytest.approx((chances - sum(losses.values())) / chances)
    assert len(judge.questions) == len(MINE) == review.judged_count
    assert review.is_done


def test_a_small_loss_is_no_mistake() -> None:
    review, _judge = reviewed({MINE[0]: PLAIN / 2, MINE[1]: PLAIN})
    assert [each.step for each in review.mistakes] == [MINE[1]]
    assert len(review.costliest) == 2
    assert not reviewed({})[0].mistakes
    assert reviewed({})[0].accuracy == 1


def test_decisions_that_may_be_the_third_costliest_are_compared_in_other_worlds() -> None:
    losses = dict(zip(MINE, (0.3, 0.2, 0.06, 0.05, 0.001), strict=False))
    review, judge = reviewed(losses, error=0.02)
    further = judge.questions[len(MINE) :]
    assert {each.best for each in judge.questions[: len(MINE)]} == {""}
    assert {each.given for each in further} <= {REPLAY.token(MINE[2]), REPLAY.token(MINE[3])}
    assert len({each.seed for each in judge.questions}) == len(judge.questions)
    assert 0 < len(further) <= COMPARISONS
    assert all(each.rounds <= ROUNDS for each in review.advice.values())
    assert review.advice[MINE[2]].worlds == 100 * review.advice[MINE[2]].rounds
    assert review.advice[MINE[2]].error < 0.02


def test_a_review_goes_on_without_the_decisions_that_nobody_can_judge() -> None:
    review = Review(REPLAY, 1, {})
    judge_all(review, lambda _question: BotAnswer(trouble="odd"))
    assert review.is_done
    assert review.failed == {*MINE}
    assert review.accuracy is None
    assert not review.mistakes


def test_a_question_of_a_review_has_only_the_knowledge_of_its_seat() -> None:
    _review, judge = reviewed({MINE[0]: 0.2})
    for question in judge.questions:
        assert question.eyes == (1,)
        assert question.view in {REPLAY.line(step - 1, 1) for step in MINE}


def test_the_readers_own_seat_is_judged_or_that_of_the_only_person() -> None:
    assert usual_seat(REPLAY, (3,)) == 3
    assert usual_seat(REPLAY) is None, "several persons are at the table"
    bots = [each._replace(bot="steady") for each in RECORD.players]
    for seat in range(5):
        players = (*bots[:seat], bots[seat]._replace(bot=None), *bots[seat + 1 :])
        assert usual_seat(Replay.of(RECORD._replace(players=players))) == seat
    assert usual_seat(Replay.of(RECORD._replace(players=tuple(bots)))) is None
    assert usual_seat(Replay.of(RECORD._replace(players=()))) is None


def test_of_a_seat_that_changed_hands_the_last_persons_decisions_are_judged() -> None:
    half = MINE[len(MINE) // 2]
    late = Holder("Lucie", None, half, 300)
    seat = RECORD.players[1]
    for taken, judged in (
        (seat.taken_by(late), [step for step in MINE if step > half]),
        (seat.taken_by(late._replace(bot="steady")), [step for step in MINE if step <= half]),
        (seat._replace(bot="steady").taken_by(late), [step for step in MINE if step > half]),
    ):
        players = (RECORD.players[0], taken, *RECORD.players[2:])
        replay = Replay.of(RECORD._replace(players=players))
        assert [*decisions_of(replay, 1)] == judged
        assert 0 < len(judged) < len(MINE)


def test_a_player_with_two_families_is_judged_in_both() -> None:
    played = play_game(Series(1, 4), 0)
    actions = tuple(map(str, played.actions))
    for settings, own in (({"two": True}, {1, 3}), ({}, {1})):
        replay = Replay.of(Record(played.deal, actions, settings))
        steps = decisions_of(replay, 1)
        assert {replay.games[step - 1].turn for step in steps} == own


def test_judgements_are_stored_by_game_and_player_and_read_again() -> None:
    review, _judge = reviewed({MINE[0]: 0.2, MINE[1]: 0.1})
    assert kept_advice(REPLAY, 1) == {}
    keep_advice(REPLAY, 1, review.advice)
    again = Review(REPLAY, 1, kept_advice(REPLAY, 1))
    assert again.is_done
    assert again.mistakes == review.mistakes
    assert kept_advice(REPLAY, 2) == {}
    shorter = Replay.of(RECORD._replace(actions=RECORD.actions[:30]))
    assert kept_advice(shorter, 1) == {}


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b'{"judge":1,"advice":[{"step":1}]}', b'{"judge":0,"advice":[]}'],
)
def test_a_damaged_file_is_the_same_as_none(damage: bytes) -> None:
    review, _judge = reviewed({})
    keep_advice(REPLAY, 1, review.advice)
    (file,) = state_path(kept_judgements.FOLDER).iterdir()
    file.write_bytes(damage)
    assert kept_advice(REPLAY, 1) == {}
    keep_advice(REPLAY, 1, review.advice)
    assert kept_advice(REPLAY, 1) == review.advice


def test_stored_judgements_of_other_decisions_are_ignored() -> None:
    step = MINE[0]
    given, best = REPLAY.token(step), str(REPLAY.legal(step - 1, 1)[0])
    good = Advice(step, best, given, 0.5, 0.4)
    bad = [
        msgspec.structs.replace(good, **change)
        for change in ({"step": 10**6}, {"given": "Z>"}, {"best": "nonsense"}, {"step": -1})
    ]
    assert judged_before(REPLAY, 1, [*bad, good]) == {step: good}


def test_only_the_latest_games_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_judgements, "MOST_GAMES", 2)
    review, _judge = reviewed({})
    for count in (20, 40, 60, 86):
        keep_advice(Replay.of(RECORD._replace(actions=RECORD.actions[:count])), 1, review.advice)
    files: list[Path] = [*state_path(kept_judgements.FOLDER).iterdir()]
    assert len(files) == 2
    assert kept_advice(REPLAY, 1) == review.advice
