"""Tests the replay on the screen: through a game by keys and by mouse, from every seat."""

from functools import partial
from pathlib import Path

import pytest
from msgspec import structs
from rich.cells import cell_len
from textual.widgets import Static

from driflamme_tui.drawing.table_state import Cursor
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.replay.judging import Advice, decisions, judge
from driflamme_tui.replay.playback import SPEEDS_S, Playback
from driflamme_tui.replay.record_files import record_in_file, short_path
from driflamme_tui.screens.result_screen import ResultScreen
from driflamme_tui.screens.table.live_screen import LiveScreen
from driflamme_tui.seat.player_seat import LostConnection
from driflamme_tui.study import replay_screen
from driflamme_tui.study.replay_commands import ReplayCommands
from driflamme_tui.study.replay_controls import STEPS_ROW, ReplayControls
from driflamme_tui.study.replay_overlays import FindOverlay
from driflamme_tui.study.replay_screen import ReplayScreen
from driflamme_tui.study.teacher import Teacher
from driflamme_tui.text.i18n import ENGLISH, set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.widgets.table.progress_chart import ProgressChart, column_of, step_at
from driflamme_tui.wording.choices.advice_words import advice_sentence, taught_sentences
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.choices.spoken_prompter import SpokenPrompter
from engine.bots.master_bot import Grandmaster
from engine.bots.plans import Comparison, Condition, Plan
from engine.cards import CARDS, in_order
from engine.notation import format_position
from engine.ranking import TWO
from engine.record import Record
from engine.replaying import ALL, PUBLIC, Eyes, Replay
from netcode.protocol.fields import NAME_LENGTH
from netcode.protocol.wire_events import to_wire
from netcode.workers.questions import BotAnswer, BotQuestion
from netcode.workers.worker_main import think
from scripts.lib.catalogues import LANGUAGES
from tests.engine.random_games import random_game
from tests.support.pretend_workers import PretendWorkers
from tests.support.tables import (
    RECORD,
    SIZES,
    Hands,
    SeatedApp,
    WatchedApp,
    evening_session,
    in_app,
    is_at,
    rows_of,
    run_app,
    seen,
    table_of,
)

REPLAY = Replay.of(RECORD)

ROUND_4 = REPLAY.rounds[3]


class LookingBack(WatchedApp):
    def __init__(
        self,
        eyes: Eyes = ALL,
        step: int = 0,
        *,
        record: Record = RECORD,
        glyphs: Glyphs = UNICODE,
        settings: Settings | None = None,
    ) -> None:
        still = settings or Settings(animation=False)
        screen = partial(ReplayScreen, Replay.of(record), eyes, step)
        super().__init__(screen, glyphs=glyphs, settings=still)
        self.copied: list[str] = []

    def copy_to_clipboard(self, text: str) -> None:
        self.copied.append(text)

    @property
    def game(self) -> ReplayScreen:
        return table_of(self, ReplayScreen)

    @property
    def step(self) -> int:
        return self.game.playback.step

    def plays(self) -> bool:
        return self.game.playback.playing


@in_app(LookingBack)
async def test_arrows_step_and_pages_turn_rounds(app: LookingBack, hands: Hands) -> None:
    assert app.shows("step 0/86")
    assert app.shows("Round 1 begins, and Blaise is first player")
    await hands.type("right right left")
    assert app.step == 1
    assert app.shows("Blaise puts the Heir at the end, position 1")
    await hands.type("pagedown pagedown pagedown")
    assert app.step == ROUND_4
    await hands.type("right pageup")
    assert app.step == ROUND_4
    await hands.type("pageup")
    assert app.step == REPLAY.rounds[2]
    await hands.type("end right")
    assert app.step == REPLAY.last
    assert app.shows("The game is over")
    await hands.type("home left")
    assert app.step == 0


@in_app(LookingBack)
async def test_one_jumps_to_eliminations_turning_points_and_decisions(
    app: LookingBack, hands: Hands
) -> None:
    first, second = REPLAY.eliminations[:2]
    await hands.type("x")
    assert app.step == first
    assert app.shows("eliminates")
    await hands.type("x X")
    assert app.step == first
    assert second > first
    await hands.type("X")
    assert app.shows("There is none before this step.")
    await hands.type("n")
    assert app.step in app.game.playback.turning_points
    assert any(map(app.shows, ("takes the lead", "leads by", "from place")))
    await hands.type("home /")
    assert isinstance(app.screen, FindOverlay)
    await hands.press("4", ">", "7", "enter")
    assert REPLAY.token(app.step) == "4>7"
    await hands.type("/ Z enter")
    assert app.shows("No decision that this seat can see matches Z.")
    await hands.type("/ escape end x")
    assert app.shows("There is none after this step.")


@in_app(lambda: LookingBack(step=45))
async def test_each_seat_sees_what_it_could_know_then_and_the_public_nothing_hidden(
    app: LookingBack, hands: Hands
) -> None:
    for keys, eyes in (("b", 1), ("G", 2), ("u", PUBLIC), ("l", ALL), ("tab", 0)):
        await hands.type(keys)
        assert app.game.playback.eyes == eyes
        view = app.game.state().view
        assert format_position(view) == REPLAY.line(45, eyes)
    assert app.shows("HAND 3")
    await hands.type("l")
    assert app.shows("Heir Decree Cons set aside sold assa ambush")
    await hands.click_at("#seats", 70, 0)
    assert app.game.playback.eyes == 4


def test_a_player_of_two_families_has_each_hand_shown_by_its_letter() -> None:
    played = next(game for game in map(random_game, range(99)) if len(game.deal.families) == 4)
    record = Record(played.deal, tuple(map(str, played.actions)), {TWO: True})

    async def steps(app: LookingBack, hands: Hands) -> None:
        for seat in (0, 2):
            await hands.press(played.deal.families[seat])
            state = app.game.state()
            assert state.you == seat
            assert state.view.viewers == (0, 2)

    run_app(LookingBack(step=9, record=record), steps)


def test_a_family_that_did_not_play_has_no_eyes() -> None:
    deal = RECORD.deal._replace(
        families="rbg",
        hands=RECORD.deal.hands[:3],
        aside=RECORD.deal.aside[:3],
    )

    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("v")
        assert app.shows("That family was not at the table.")
        await hands.type("right x n space")
        assert app.step == 0

    run_app(LookingBack(record=Record(deal)), steps)


def test_the_game_plays_by_itself_until_it_is_stopped_or_over() -> None:
    playback = Playback(REPLAY, step=REPLAY.last - 2)
    playback.play(10)
    assert playback.next_change(10) == SPEEDS_S[2]
    assert not playback.advance(10 + SPEEDS_S[2] - 0.01)
    assert playback.advance(10 + SPEEDS_S[2])
    playback.hurry(5, 20)
    assert playback.next_change(20) == pytest.approx(SPEEDS_S[4])
    assert playback.advance(20 + SPEEDS_S[4])
    assert (playback.step, playback.playing) == (REPLAY.last, False)
    assert playback.next_change(30) is None
    assert not playback.advance(99)
    playback.play(100)
    assert (playback.step, playback.playing) == (0, True)
    playback.play(101)
    assert not playback.playing


@in_app(LookingBack)
async def test_space_plays_digits_choose_the_speed_and_any_step_stops_it(
    app: LookingBack, hands: Hands
) -> None:
    await hands.type("space")
    assert app.shows("Space stop")
    app.now += SPEEDS_S[2]
    app.game.tick()
    assert app.step == 1
    await hands.type("5")
    assert app.shows("speed 5")
    app.now += SPEEDS_S[4]
    app.game.tick()
    assert app.step == 2
    await hands.type("right")
    assert app.step == 3
    assert not app.plays()
    await hands.type("4")
    assert app.plays()
    await hands.type("p")
    assert not app.plays()


@in_app(lambda: LookingBack(settings=Settings()))
async def test_a_step_forward_is_told_in_pictures_and_a_jump_is_not(
    app: LookingBack, hands: Hands
) -> None:
    app.animation_level = "full"
    await hands.type("right")
    assert app.game.state().effect.lit == 1
    app.now += 1
    app.game.tick()
    assert not app.game.state().effect.lit
    await hands.type("end")
    assert not app.game.state().effect.lit


@in_app(LookingBack, (120, 40))
async def test_everything_goes_by_mouse(app: LookingBack, hands: Hands) -> None:
    width = app.size.width - 2
    await hands.click_at(ReplayControls, 1 + column_of(60, 86, width), STEPS_ROW)
    assert app.step == 60
    x = rows_of(app)[app.screen.query_one(ReplayControls).region.y].index("public")
    await hands.click_at(ReplayControls, x, 0)
    assert app.game.playback.eyes is PUBLIC
    await hands.click_at(ReplayControls, 4, 0)
    assert app.step == 59
    course = app.screen.query_one(ProgressChart)
    left, columns = course.track()
    await hands.click_at(ProgressChart, left + column_of(10, 86, columns), 4)
    assert app.step == 10
    for x, y, key in app.screen.query_one(Keys).entries():
        if key.command == ReplayCommands.play:
            await hands.click_at(Keys, x, y)
    assert app.game.playback.playing


def test_what_has_no_room_under_the_steps_ends_with_a_sign_that_it_is_cut() -> None:
    long = [each._replace(name=each.name.ljust(NAME_LENGTH, "x")) for each in RECORD.players]
    record = RECORD._replace(players=tuple(long))

    async def steps(app: LookingBack, hands: Hands) -> None:
        cut = 0
        for _elimination in REPLAY.eliminations:
            await hands.type("x")
            region = app.screen.query_one(ReplayControls).region
            caption = " ".join(
                row.strip() for row in rows_of(app)[region.bottom - 2 : region.bottom]
            )
            sentence = app.screen.query_one(ReplayControls).happened
            assert caption.startswith(sentence) or caption.endswith("…")
            cut += not caption.startswith(sentence)
        assert cut

    run_app(LookingBack(record=record), steps, (60, 20))


@pytest.mark.parametrize(("last", "width"), [(86, 78), (86, 118), (0, 10), (1, 2), (200, 58)])
def test_a_cell_of_the_scrubber_leads_to_a_step_that_stands_in_it(last: int, width: int) -> None:
    for step in range(last + 1):
        assert 0 <= column_of(step, last, width) < width
    for column in range(width):
        step = step_at(column, last, width)
        assert 0 <= step <= last
        if last >= width - 1:
            assert column_of(step, last, width) == column
    assert step_at(width - 1, last, width) == last
    assert (step_at(-5, last, width), step_at(10**6, last, width)) == (0, last)


@in_app(lambda: LookingBack(step=38))
async def test_answers_are_listed_and_the_position_copied_as_these_eyes_see_them(
    app: LookingBack, hands: Hands
) -> None:
    await hands.type("a")
    assert app.shows("Ambush M< ▸M>◂ M^3 M^7")
    await hands.type("escape y a")
    assert app.shows("This seat cannot see the cards of the player who is asked.")
    await hands.type("b a")
    assert app.shows("▸M>◂")
    await hands.type("escape l p")
    assert app.copied == [REPLAY.line(38)]
    assert app.shows(REPLAY.line(38).split()[3][:60])
    await hands.type("escape r p")
    assert app.copied[1] == REPLAY.line(38, 0)
    assert app.shows("With ? for each card that this seat could not know.")
    await hands.type("escape end a")
    assert app.shows("The game is over: there is nothing to answer.")


@in_app(lambda: LookingBack(step=45))
async def test_cards_are_looked_at_without_leaving_the_step(app: LookingBack, hands: Hands) -> None:
    await hands.type("i down")
    assert app.game.state().cursor == Cursor(4, 1)
    await hands.type("right")
    assert app.step == 45
    assert app.game.state().cursor == Cursor(5)
    await hands.type("escape right")
    assert app.step == 46
    await hands.type("e")
    assert app.shows("All events of this game")
    await hands.type("escape c")
    assert app.shows("INFLUENCE OVER THE GAME")
    await hands.type("q q")
    assert app._exit


@in_app(LookingBack, (120, 40))
async def test_the_record_is_saved_and_copied_and_no_visitor_leaves_a_file_on_the_hosts_machine(
    app: LookingBack, hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app.terminal.is_remote = True
    await hands.type("s")
    assert app.shows("Nothing is saved")
    await hands.type("h escape")
    assert list(tmp_path.iterdir()) == []
    app.terminal.is_remote = False
    await hands.type("s")
    assert app.shows("The record is in")
    (file,) = tmp_path.iterdir()
    assert record_in_file(str(file)) == RECORD
    await hands.type("h")
    assert app.copied[0].startswith("Driflamme (second edition): Blaise wins with 20\n1.")
    assert app.copied == app.copied[:1] * 2
    assert [*tmp_path.iterdir()] == [file], "no other was asked for"


def test_the_result_leads_to_the_replay_of_its_game_and_back_and_saves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert not app.shows("r replay")
        await hands.type("r s")
        assert not app.sent
        assert not list(tmp_path.iterdir())
        app.session.record = RECORD
        app.base.session_changed()
        await hands.pause()
        assert app.shows("r replay")
        await hands.type("r end left")
        assert is_at(app, ReplayScreen)
        assert app.shows("step 85/86")
        await hands.type("q s")
        await hands.until(lambda: isinstance(app.screen, ResultScreen))
        (file,) = tmp_path.iterdir()
        assert app.shows(f"{file.name}.")
        await hands.type("c")
        assert app.shows(f"{file.name}.")
        assert record_in_file(str(file)) == RECORD
        app.player_seat.lost = LostConnection(1, app.now + 5)
        await hands.type("r")
        assert app.hooked == ["retry"]
        assert isinstance(app.screen, ResultScreen)

    run_app(SeatedApp(evening_session(10**6, "b"), result=True), steps, (120, 40))


def test_a_path_is_shortened_from_the_left() -> None:
    home = Path.home()
    assert short_path(home / "games" / "a.json", 80) == "~/games/a.json"
    assert short_path(home / "games" / "of" / "a.json", 12) == "…/of/a.json"
    assert short_path(home / "games" / "of" / "a.json", 2) == "…/a.json"
    assert short_path(Path("/elsewhere/a.json"), 80) == "/elsewhere/a.json"


@in_app(lambda: SeatedApp(evening_session(10**6, "b"), result=True))
async def test_a_new_game_takes_the_place_of_a_replay(app: SeatedApp, hands: Hands) -> None:
    app.session.record = RECORD
    await hands.type("r")
    assert is_at(app, ReplayScreen)
    app.sit(evening_session(3, "b"))
    await hands.until(lambda: is_at(app, LiveScreen) and app.shows("HAND"))


PLAN = Plan(
    "lost",
    "S",
    0.0,
    0.31,
    (("Eliminated", 1, 4, "S", 3, 3, "S", False, 2),),
    (("Revealed", 3, 3, "S", 0, 0), ("Eliminated", 3, 3, "S", 4, 1, "S", True, 0)),
    Condition(("lies", 3, "S"), 0.8, 0.02),
)


class Sage(PretendWorkers):
    """A pool of workers that answers at a test's command."""

    @property
    def question(self) -> BotQuestion:
        ((question, _on_answer),) = self.questions.values()
        return question

    def answers(self, *shares: tuple[str, float], plan: Plan | None = None) -> BotQuestion:
        """Answer the current question with these shares by token; return the question."""
        question = self.question
        weights = tuple((token, share, 9) for token, share in shares)
        token, given = shares[0][0] if shares else "", dict(shares).get(question.given)
        comparison = None
        if given is not None and token != question.given:
            comparison = Comparison(9, shares[0][1], given, 0.01, plan)
        self.answer(lambda _question: BotAnswer(token, weights, comparison=comparison))
        return question


def test_the_teacher_judges_by_what_the_seat_could_know_what_is_looked_at_first() -> None:
    results: list[None] = []
    sage = Sage()
    teacher = Teacher(REPLAY, lambda: sage, lambda: results.append(None))
    teacher.teach(1, 20)
    mine = decisions(REPLAY, 1)
    assert all(REPLAY.games[step - 1].turn == 1 for step in mine)
    first = next(step for step in mine if step >= 20)
    given = REPLAY.token(first)
    question = sage.answers(("Z>", 0.5), (given, 0.3), plan=PLAN)
    assert (question.bot, question.want, question.eyes) == ("grandmaster", "weigh", (1,))
    assert (question.view, question.given) == (REPLAY.line(first - 1, 1), given)
    assert question.events == tuple(map(to_wire, REPLAY.events_until(first - 1, 1)))
    assert teacher.advice[first] == Advice(first, "Z>", given, 0.5, 0.3, PLAN, 0.01, 9)
    assert teacher.advice[first].lost == pytest.approx(0.2)
    assert len(results) == 1
    while sage.questions:
        step = sage.question.seed
        sage.answers((REPLAY.token(step), 0.4))
    assert sorted(teacher.advice) == mine
    assert all(advice.lost == 0 for step, advice in teacher.advice.items() if step != first)


def test_the_teacher_drops_what_other_eyes_have_no_use_for_and_gives_up_when_it_fails() -> None:
    sage = Sage()
    teacher = Teacher(REPLAY, lambda: sage, lambda: None)
    teacher.teach(1, 0)
    teacher.teach(PUBLIC, 0)
    assert not sage.questions
    teacher.teach(ALL, 0)
    for _ in range(3):
        assert not teacher.given_up
        sage.answers()
    assert teacher.given_up
    assert not sage.questions


def test_of_an_answer_that_was_not_tried_nothing_is_said() -> None:
    sage = Sage()
    teacher = Teacher(REPLAY, lambda: sage, lambda: None)
    teacher.teach(1, 20)
    question = sage.question
    untried = (("Z>", 0.5, 9), (question.given, 0.0, 0))
    sage.answer(lambda _question: BotAnswer(token="Z>", weights=untried))
    assert question.seed not in teacher.advice


def test_two_lines_that_tell_nothing_apart_are_left_out() -> None:
    prompter = Prompter(REPLAY.seen(1, 0), ["N"] * 5, UNICODE)
    for plan, lines in ((PLAN, 2), (PLAN._replace(given_line=PLAN.best_line), 0)):
        advice = Advice(9, "A<", "A>", 0.5, 0.3, plan._replace(condition=None))
        assert len(taught_sentences(advice, prompter)) == 2 + lines


@pytest.mark.parametrize(
    ("size", "whole"), [((60, 20), False), ((80, 24), True), ((120, 40), True)]
)
def test_the_teacher_shows_whole_reasons_or_the_key_for_them(
    size: tuple[int, int], whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sage = Sage()
    monkeypatch.setattr(replay_screen, "one_worker", lambda: sage)

    async def steps(app: LookingBack, hands: Hands) -> None:
        app.game.go(39)
        await hands.type("b t")
        sage.answers(("M<", 0.5), ("M>", 0.25), plan=PLAN)
        await hands.pause()
        assert app.shows("w shows the reasons") != whole
        assert app.shows("After the bot's move") == whole

    run_app(LookingBack(PUBLIC, 39), steps, size)


def test_a_spoken_line_names_everybody_and_has_no_signs() -> None:
    moves = (("Revealed", 0, 2, "A", 0, 0), ("Gained", 0, 2, "A", "A", 1))
    plan = PLAN._replace(condition=None, best_line=moves, given_line=())
    advice = Advice(9, "A<", "A>", 0.5, 0.3, plan)
    view = REPLAY.seen(1, 0)
    names = ["Ada", "Bo", "Cy", "Di", "Ed"]
    assert view.viewers == (0,)
    (line,) = taught_sentences(advice, SpokenPrompter(view, names, ASCII, addresses_reader=False))[
        2:3
    ]
    assert line.endswith(": Ada reveals the Archer at 2; Ada's Archer at 2 gains 1.")


def test_a_spoken_line_in_polish_calls_a_card_a_card_once() -> None:
    set_language("pl")
    plan = PLAN._replace(condition=None)
    view = REPLAY.seen(39, 0)
    prompter = SpokenPrompter(view, ["Ada", "Bo", "Cy", "Di", "Ed"], ASCII)
    sentences = taught_sentences(Advice(39, "x1", "x2", 0.5, 0.3, plan), prompter)
    assert "karta Żołnierz gracza Di" in " ".join(sentences)
    assert "kartę karta" not in " ".join(sentences)


def test_the_teacher_is_called_by_a_key_and_sent_away_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sage = Sage()
    monkeypatch.setattr(replay_screen, "one_worker", lambda: sage)

    async def steps(app: LookingBack, hands: Hands) -> None:
        await hands.type("t")
        assert app.shows("To ask the teacher, choose the view of a seat, or all cards open.")
        await hands.type("g t")
        assert app.shows("Blaise decided here; the teacher comments only on decisions of Gaspard.")
        await hands.type("t home t")
        assert app.shows("Nobody has decided anything yet: the teacher comments on what comes")
        await hands.type("t")
        assert not app.shows("Nobody has decided")
        app.game.go(39)
        await hands.type("b t")
        assert not app.shows("w why")
        await hands.type("w")
        assert app.shows("The teacher is thinking.")
        hidden = Condition(("lies", 2, "S"), 0.8, 0.02)
        sage.answers(("M<", 0.5), ("M>", 0.25), plan=PLAN._replace(condition=hidden))
        await hands.pause()
        assert app.shows(
            "●b, M>: Grand M. would put the Ambush at the start. It wins 50%, not 25%."
        )
        assert app.shows("Teacher")
        assert app.shows("t stop teacher w why")
        beside = [row.rpartition("│ ")[2] for row in rows_of(app)]
        assert any(row.startswith("After the bot's move, the ") for row in beside)
        assert any("after the one played, in 31%." in row for row in beside)
        # Two lines of moves do not fit, and their first words alone mean nothing.
        assert not any(row.startswith("A likely continuation") for row in beside)
        await hands.type("w")
        whole = " ".join(str(app.screen.query_one("#overlay-text Static", Static).visual).split())
        for sentence in (
            "It expects to win 50% of games that way, and 25% with the move played.",
            "after the one played, in 31%. That 31% becomes 80% if ★y 2 is the Soldier, 2% if not.",
            "A likely continuation after the bot's move: ●b Soldier 4 eliminates ★y soldier 3.",
            "★y reveals Soldier 3 · ★y Soldier 3 eliminates ●b Soldier 4.",
        ):
            assert sentence in whole, sentence
        await hands.type("escape c")
        assert app.shows("-%")
        await hands.type("escape c t c")
        assert not sage.questions
        assert not app.shows("Master")
        await hands.type("w")
        assert app.shows("The teacher says nothing here.")

    run_app(LookingBack(PUBLIC, 39), steps)
    assert sage.closed


@pytest.mark.parametrize("step", Playback(REPLAY).turning_points)
def test_a_decisive_moment_opens_with_the_pictures_of_its_event(step: int) -> None:
    before = len(REPLAY.events_until(step - 1, ALL))
    at = before + REPLAY.happened[step].index(Playback(REPLAY).turning_points[step].reason)

    def event_count(app: LookingBack) -> int:
        frame = app.game.animation.reel.frame
        return 0 if frame is None else frame.event_count

    async def steps(app: LookingBack, hands: Hands) -> None:
        app.animation_level = "full"
        app.push_screen(ReplayScreen(REPLAY, step=step))
        await hands.pause()
        first = event_count(app)
        assert before < first <= at + 1
        await hands.type("left")
        assert (app.step, event_count(app)) == (step - 1, 0)
        await hands.type("n")
        assert (app.step, event_count(app)) == (step, first)

    run_app(LookingBack(), steps)


def test_a_decisive_moment_is_told_beside_what_the_teacher_says_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sage = Sage()
    monkeypatch.setattr(replay_screen, "one_worker", lambda: sage)

    async def steps(app: LookingBack, hands: Hands) -> None:
        step = next(iter(app.game.playback.turning_points))
        app.game.go(step - 1)
        await hands.type("t n")
        notice = app.game.sentence
        assert app.step == step
        assert notice
        while not app.game.sentence or app.game.judgement.advice is None:
            sage.answers((REPLAY.token(sage.question.seed), 0.5))
        await hands.pause()
        assert app.shows(notice)
        assert app.shows("Gaspard, $r: Grandmaster would do the same, and expects to")

    run_app(LookingBack(), steps, SIZES[1])


@pytest.mark.parametrize("language", [ENGLISH, *LANGUAGES])
def test_what_the_teacher_says_fits_into_the_row_that_a_small_screen_has(language: str) -> None:
    view = seen("2 6 b* rA,gA,rS,gS,rP,gP,rH,gH,rL,gL,rF *r3,b2:AL,g2")
    set_language(language)
    prompter = Prompter(view, ["N" * NAME_LENGTH] * 3, UNICODE)
    placed = [f"{card}{where}" for card in CARDS for where in ("<", ">", "^12")]
    for token in (*placed, "+", "!", "x11", "$g", "~11", "11>10"):
        advice = Advice(9, token, "Z>", 0.41, 0.33)
        said = advice_sentence(advice, prompter, short=True)
        assert cell_len(said) <= SIZES[0][0] - 2, said
        assert "41" in said
        close = advice_sentence(structs.replace(advice, best_share=0.34), prompter)
        assert "34" not in close
    same = advice_sentence(Advice(9, "+", "+", 0.41, 0.41), prompter)
    assert cell_len(same) <= SIZES[0][0] - 2
    assert "41" in same


def test_the_text_and_the_screen_judge_alike_by_nothing_that_the_seat_could_not_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Grandmaster, "iterations", 90)
    step, judged = 11, []
    turn, deal = REPLAY.games[step - 1].turn, RECORD.deal
    hands, aside = [], []
    for seat, (hand, out) in enumerate(zip(deal.hands, deal.aside, strict=True)):
        # Exchange an opponent's card with a card set aside: the deciding player cannot tell them
        # apart.
        card = REPLAY.games[step].hands[seat][0]
        other = seat != turn
        hands.append(in_order(hand.replace(card, out[0])) if other else hand)
        aside.append(in_order(out.replace(out[0], card)) if other else out)
    otherwise = deal._replace(hands=tuple(hands), aside=tuple(aside))

    def taught(replay: Replay) -> Advice | None:
        sage = Sage()
        teacher = Teacher(replay, lambda: sage, lambda: None)
        teacher.teach(turn, step)
        sage.answer(lambda question: think(question, lambda _made: True))
        return teacher.advice[step]

    for dealt in (deal, otherwise):
        replay = Replay.of(RECORD._replace(deal=dealt, actions=RECORD.actions[:step]))
        judged += [taught(replay), judge(replay, step)]
    assert otherwise != deal
    assert all(each == judged[0] for each in judged)
