"""Tests learning from mistakes on the screen: the list, the jumps, and another try."""

from collections.abc import Callable

import pytest

from driflamme_tui.replay.judging import decisions_of
from driflamme_tui.screens.result_screen import ResultScreen
from driflamme_tui.study import replay_screen
from driflamme_tui.study.mistakes_overlay import MistakesOverlay
from driflamme_tui.study.puzzle_screens import BoardScreen
from driflamme_tui.study.replay_screen import ReplayScreen
from engine.bots.plans import Comparison
from engine.cards import UNKNOWN
from engine.notation import format_position
from engine.position import cards_of
from engine.replaying import Replay
from netcode.workers.questions import BotAnswer, BotQuestion
from tests.driflamme_tui.screens.test_replay_screen import LookingBack
from tests.support.pretend_workers import PretendWorkers
from tests.support.tables import (
    RECORD,
    SIZES,
    Hands,
    SeatedApp,
    evening_session,
    is_at,
    rows_of,
    run_app,
    table_of,
)

REPLAY = Replay.of(RECORD)
MINE = decisions_of(REPLAY, 1)
COSTLY = {MINE[3]: 0.2, MINE[1]: 0.1, MINE[8]: 0.05}
"""Blue's losses by step, the largest first."""


class Judges(PretendWorkers):
    """Workers that judge by `COSTLY` at a test's command."""

    def judge(self, most: int = 1000) -> None:
        while self.questions and most:
            self.answer(_judged)
            most -= 1


def _judged(question: BotQuestion) -> BotAnswer:
    step = next((s for s in MINE if REPLAY.line(s - 1, 1) == question.view), 0)
    lost = COSTLY.get(step)
    if lost is None:
        return BotAnswer(question.given, ((question.given, 0.5, 9),))
    best = next(s for s in map(str, REPLAY.legal(step - 1, 1)) if s != question.given)
    return BotAnswer(best, ((best, 0.5, 9),), comparison=Comparison(99, 0.5, 0.5 - lost, 0.001))


@pytest.fixture
def judges(monkeypatch: pytest.MonkeyPatch) -> Judges:
    workers = Judges()
    monkeypatch.setattr(replay_screen, "one_worker", lambda: workers)
    return workers


def looking(app: LookingBack) -> ReplayScreen:
    return table_of(app, ReplayScreen)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_list_shows_progress_then_accuracy_and_the_costliest_three(
    judges: Judges, size: tuple[int, int]
) -> None:
    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("j")
        assert app.shows("First choose the view of the player whose decisions are to be judged.")
        assert not judges.questions
        await hands.type("b j")
        assert isinstance(app.screen, MistakesOverlay)
        assert app.shows(f"Judging decision 1 of {len(MINE)}.")
        judges.judge(4)
        await hands.pause()
        assert app.shows(f"Judging decision 5 of {len(MINE)}.")
        judges.judge()
        await hands.until(lambda: app.shows("These decisions cost most:"))
        assert app.shows(f"Blaise: accuracy 96%, in {len(MINE)} decisions.")
        assert all(map(app.shows, ("-20%", "-10%", "-5%")))
        assert app.shows("Judged by what the player could know then")
        before = "\n".join(rows_of(app))
        await hands.type("down")
        assert "\n".join(rows_of(app)) != before

    run_app(LookingBack(), steps, size)


def test_a_number_or_a_click_leads_to_a_mistake_and_a_key_to_the_next(judges: Judges) -> None:
    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("b m")
        judges.judge()
        await hands.until(lambda: app.shows("These decisions cost most:"))
        await hands.type("1")
        screen = looking(app)
        assert (screen.playback.step, screen.playback.eyes) == (MINE[3] - 1, 1)
        assert app.shows("It wins 50%, not 30%.") or app.shows("30% with the move played")
        assert app.shows("try again")
        for keys, step in (("m", MINE[8]), ("m", MINE[1]), ("M", MINE[8]), ("M", MINE[3])):
            await hands.type(keys)
            assert looking(app).playback.step == step - 1
        # From another seat, that seat's player is judged.
        await hands.type("l end m")
        assert looking(app).playback.step == MINE[1] - 1
        await hands.type("g m")
        assert isinstance(app.screen, MistakesOverlay)

    run_app(LookingBack(), steps, (80, 24))


def test_a_mistake_is_seen_before_it_is_made_and_then_its_effect(judges: Judges) -> None:
    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("b j")
        judges.judge()
        await hands.until(lambda: app.shows("These decisions cost most:"))
        await hands.type("enter")
        screen = looking(app)
        assert format_position(screen.view) == REPLAY.line(MINE[3] - 1, 1)
        assert screen.present_mistake is not None
        assert app.shows("The decision here: ●b You reveal your Soldier at 1")
        assert app.shows("It wins 50%, not 30%.")
        await hands.type("right")
        assert screen.playback.step == MINE[3]
        assert screen.present_mistake is not None
        assert not app.shows("The decision here: ")
        # Back at the same position by hand, the texts are about the decision that led there.
        await hands.type("left")
        assert screen.playback.step == MINE[3] - 1
        assert not app.shows("The decision here: ")

    run_app(LookingBack(), steps, (60, 20))


def test_another_try_begins_before_the_decision_and_hides_the_cards_of_others(
    judges: Judges,
) -> None:
    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("b j")
        judges.judge()
        await hands.until(lambda: app.shows("These decisions cost most:"))
        await hands.type("t")
        await hands.until(lambda: is_at(app, BoardScreen) and table_of(app, BoardScreen).is_whole)
        board = table_of(app, BoardScreen)._board
        assert format_position(board.game) == REPLAY.line(MINE[3] - 1)
        others = (seat for seat in range(5) if seat != 1)
        assert all(UNKNOWN in cards_of(board.shown, seat) for seat in others)
        await hands.type("tab")
        assert board.seat == 1
        assert app.shows("You try again with what you could know then")
        board.change_eyes()
        assert board.seat == 1
        await hands.type("q")
        await hands.until(lambda: is_at(app, ReplayScreen))
        assert looking(app).playback.step == MINE[3] - 1
        # Enter starts another try too.
        await hands.type("enter")
        await hands.until(lambda: is_at(app, BoardScreen))

    run_app(LookingBack(), steps, (80, 24))


def test_a_review_may_be_left_and_a_second_look_is_immediate(judges: Judges) -> None:
    async def leave(app: LookingBack, hands: Hands) -> None:
        await hands.type("b j")
        judges.judge(5)
        await hands.type("escape")
        assert is_at(app, ReplayScreen)
        assert app.shows(f"Judging decision 6 of {len(MINE)}.")
        await hands.type("right right")
        assert looking(app).playback.step == 2
        judges.judge(1)

    run_app(LookingBack(), leave, (120, 40))
    assert judges.closed
    judges.closed = False

    async def resume(app: LookingBack, hands: Hands) -> None:
        await hands.type("b j")
        assert app.shows(f"Judging decision 7 of {len(MINE)}.")
        await hands.type("escape")
        judges.judge()
        await hands.until(lambda: app.shows("Blaise: accuracy 96%"))
        await hands.type("j")
        assert app.shows("-20%")

    run_app(LookingBack(), resume, (120, 40))
    judges.closed = False

    async def look_again(app: LookingBack, hands: Hands) -> None:
        await hands.type("b j")
        assert not judges.questions
        assert app.shows("-20%")

    run_app(LookingBack(), look_again, (120, 40))


def test_a_game_without_a_mistake_says_so(judges: Judges) -> None:
    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("g j")
        judges.judge()
        await hands.until(lambda: app.shows("No decision cost a clear part"))
        assert app.shows("Gaspard: accuracy 100%")
        await hands.type("1 t enter down")
        assert isinstance(app.screen, MistakesOverlay)

    run_app(LookingBack(), steps, (80, 24))


def test_workers_that_cannot_judge_end_the_review_with_a_sentence(judges: Judges) -> None:
    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("b j")
        for _ in range(3):
            judges.answer(lambda _question: BotAnswer(trouble="no process can be started"))
        await hands.until(lambda: app.shows("The teacher cannot be asked on this machine."))
        assert not judges.questions

    run_app(LookingBack(), steps, (80, 24))


def at_result() -> SeatedApp:
    return SeatedApp(evening_session(10**6, "b"), result=True)


@pytest.mark.parametrize("way_out", ["escape", "q", "j", "m"])
def test_the_result_leads_to_the_readers_mistakes_by_one_key_and_back_by_one(
    judges: Judges, way_out: str
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.session.record = RECORD
        app.base.session_changed()
        await hands.pause()
        await hands.type("m")
        await hands.until(lambda: isinstance(app.screen, MistakesOverlay))
        judges.judge()
        await hands.until(lambda: app.shows("Blaise: accuracy 96%"))
        await hands.type(way_out)
        await hands.until(lambda: isinstance(app.screen, ResultScreen))

    run_app(at_result(), steps, (80, 24))


def test_the_list_from_the_result_leads_into_the_replay_too(judges: Judges) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.session.record = RECORD
        await hands.type("m")
        await hands.until(lambda: isinstance(app.screen, MistakesOverlay))
        judges.judge()
        await hands.until(lambda: app.shows("Blaise: accuracy 96%"))
        await hands.type("2")
        await hands.until(lambda: is_at(app, ReplayScreen))
        await hands.type("j escape")
        assert is_at(app, ReplayScreen)

    run_app(at_result(), steps, (80, 24))


def test_a_record_with_no_decision_of_a_player_says_why_nothing_is_judged(judges: Judges) -> None:
    record = RECORD._replace(actions=RECORD.actions[:1])
    make: Callable[[], LookingBack] = lambda: LookingBack(record=record)  # noqa: E731

    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("g j")
        assert app.shows("nothing was decided")

    run_app(make(), steps, (80, 24))
