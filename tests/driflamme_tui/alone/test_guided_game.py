"""Tests the guided first game: its script, its explanations, and the learner's progress."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from platformdirs import user_state_path

from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.study import guided_game
from driflamme_tui.study.guided_game import DamagedError, GuidedQuestion, Lesson
from driflamme_tui.study.lesson_script import (
    ANSWERS,
    LEARNER,
    OPPONENTS,
    SCRIPT,
    TASKS,
    TOPICS,
    moment_of,
    pages_of,
)
from driflamme_tui.study.plain_players import LessonPlayer
from driflamme_tui.text.cell_widths import wrap_text
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.widgets.table.study_panel import MARGIN
from driflamme_tui.wording.game.names import card_name
from engine.actions import Action
from engine.cards import CARD_NAMES, CARDS, HEIR, LORD, SOLDIER
from engine.events import (
    AmbushSprung,
    Copied,
    Eliminated,
    Event,
    Left,
    Moved,
    Placed,
    Revealed,
    Stole,
    Uncovered,
)
from engine.notation import format_position
from engine.record import replay
from engine.views import View, view
from scripts.lib.catalogues import texts_of
from tests.driflamme_tui.lessons import Course, at_random, learning_at
from tests.support.tables import seen, session_at

ROUNDS = {
    1: "2 1 g* - b1:SHFLDMC:APX:-,r1:ASPHLDC:FXM:-,*g1:ASPHLXC:FDM:-",
    2: "2 2 b* rh1,bc1,gH *b1:SHFLDM:APX:-,r1:ASPLDC:FXM:-,g3:ASPLXC:FDM:-",
    3: "2 3 r* rh2,bc2,gH,bF,rA b3:SHLDM:APX:-,*r2:SPLDC:FXM:-,g5:ASPLX:FDM:C",
    4: "2 4 g* bc3,gH,bF,rP b7:SHLD:APX:M,r4:SLDC:FXM:AH,*g8:APLX:FDM:SC",
    5: "2 5 b* gH,ga1,bF,rP,rL *b13:SHL:APX:DMC,r6:SDC:FXM:AH,g8:PLX:FDM:SC",
}
"""For each round, the position at its start if the learner reveals the Shapeshifter at once and
steals from Red.
"""


def quick(seen: View) -> Action:
    """Return the answer of a learner who reveals every card and chooses the last option."""
    return seen.legal[-1]


def test_the_guided_rounds_go_as_they_are_written() -> None:
    course = Course(quick).finish()
    begins: dict[int, str] = {}
    for step in replay(course.record):
        begins.setdefault(step.before.round, format_position(step.before))
    assert {number: begins[number] for number in ROUNDS} == ROUNDS


def test_every_line_of_the_script_is_needed_and_possible() -> None:
    used = set()
    for learner in (quick, lambda seen: seen.legal[0]):
        for step in replay(Course(learner).finish().record):
            moment = f"{step.before.families[step.before.turn]} {moment_of(step.before)}"
            if ANSWERS.get(moment) == str(step.action):
                used.add(moment)
    assert used == set(ANSWERS)


def most_harm(seen: View) -> Action:
    """Return an answer that eliminates a card of the learner, or else the first legal answer."""
    mine = [
        action
        for action in seen.legal
        if str(action).startswith("x") and seen.queue[int(str(action)[1:]) - 1][0] == LEARNER
    ]
    return (mine or [*seen.legal])[0]


LEARNERS: dict[str, Callable[[int], Callable[[View], Action]]] = {
    "random": at_random,
    "first": lambda _seed: lambda seen: seen.legal[0],
    "last": lambda _seed: quick,
    "harm": lambda _seed: most_harm,
}


@pytest.mark.parametrize("kind", LEARNERS)
def test_whatever_the_learner_does_each_topic_comes_up_exactly_once(kind: str) -> None:
    for seed in range(40 if kind == "random" else 1):
        course = Course(LEARNERS[kind](seed)).finish()
        pages = Counter(topic for topic, _page in course.read)
        assert pages == {topic: len(pages_of(topic)) for topic in TOPICS}
        assert len(course.lesson.tutor.topics) == len(TOPICS)
        assert course.game.over
        assert course.kept[-1].finished


@pytest.mark.parametrize("kind", LEARNERS)
def test_all_that_was_promised_happens(kind: str) -> None:
    for seed in range(10 if kind == "random" else 1):
        course = Course(LEARNERS[kind](seed)).finish()
        events: list[Event] = [event for step in replay(course.record) for event in step.events]
        own = [event for event in events if getattr(event, "seat", -1) == LEARNER]
        assert any(isinstance(event, Placed) and event.height > 1 for event in own)
        assert any(isinstance(event, Revealed) and event.taken == 6 for event in own)
        for kind_of in (Left, AmbushSprung, Uncovered, Moved, Copied, Eliminated, Stole):
            assert any(isinstance(event, kind_of) for event in own), kind_of
        known = {event.card for event in events if isinstance(event, Revealed)}
        known |= {event.victim_card for event in events if isinstance(event, Eliminated)}
        assert known == set(CARDS)


def test_every_card_has_a_topic_of_its_own() -> None:
    assert {f"The {CARD_NAMES[card]}" for card in CARDS} <= TOPICS.keys()


def test_what_is_not_the_task_is_declined_with_a_reason_and_changes_nothing() -> None:
    course = Course(quick)
    declined = 0
    while course.game.round < 5:
        course.read_on()
        seen = view(course.game, LEARNER)
        if course.game.turn == LEARNER:
            question = course.lesson.question(seen)
            for first in range(len(question.options)):
                question = course.lesson.question(seen)
                question.choose(first)
                if question.confirm() is not None or not isinstance(question, GuidedQuestion):
                    continue
                if not question.picked:
                    assert course.lesson.declined(question)
                    declined += 1
                    question.walk(1)
                    assert not course.lesson.declined(question)
                    continue
                for spot in range(len(question.options)):
                    question.choose(spot)
                    if question.confirm() is None:
                        assert course.lesson.declined(question)
                        declined += 1
        course.step()
    assert declined > 40


# Space in the panel

SPACE = 80 - 2 * MARGIN
"""Number of columns for text in the panel, in a terminal of 80 columns."""


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
def test_all_that_is_said_fits_a_small_terminal(language: str) -> None:
    names = {"red": OPPONENTS["r"], "green": OPPONENTS["g"]}
    texts = [(page.text, 4) for topic in TOPICS for page in pages_of(topic)]
    texts += [(task.goal, 3) for task in TASKS.values()]
    advice = texts_of(Path(guided_game.__file__).read_text(encoding="utf-8"))
    texts += [(str(text), 4) for _context, text in advice]
    texts += [
        (text, 2) for task in TASKS.values() for text in (task.declined, task.misplaced) if text
    ]
    set_language(language)
    for text, most in texts:
        shown = _(text).format(**names)
        assert len(wrap_text(shown, SPACE, SPACE)) <= most, shown


@pytest.mark.parametrize("hand", ["SH", "SL", "HL"])
def test_the_last_round_has_advice_of_its_own_on_the_cards_that_are_left(hand: str) -> None:
    before = guided_game.advice(Question(seen("2 5 b* gh,bF,rP,rL *b13:SHL:APX:DMC,r6,g8", "b")))
    (placed,) = {SOLDIER, HEIR, LORD}.difference(hand)
    line = f"2 6 b* gh,bF,rP,rL,b{placed} *b13:{hand}:APX:DMC,r6,g8"
    last = guided_game.advice(Question(seen(line, "b")))
    assert last != before
    assert {card for card in CARDS if card_name(card) in last} == set(hand)


@pytest.mark.parametrize(("heir", "said"), [("gH", True), ("gh", False)])
def test_a_second_heir_is_warned_of_only_while_another_is_face_up(heir: str, said: bool) -> None:
    question = Question(seen(f"2 5 b* {heir},bF,rP,rL *b13:SHL:APX:DMC,r6,g8", "b"))
    question.choose(next(i for i, option in enumerate(question.options) if option.card == HEIR))
    assert question.confirm() is None
    assert question.step is Step.SPOT
    assert ("yours gains nothing" in guided_game.advice(question)) is said
    assert ("No other Heir is face up" in guided_game.advice(question)) is not said


# The learner's progress


def test_what_an_open_page_speaks_of_is_shown_until_the_last_is_turned() -> None:
    course = Course(quick)
    while course.game.turn != LEARNER:
        course.step()
    shown = [course.lesson.target]
    while not course.lesson.turn():
        shown.append(course.lesson.target)
    assert [*shown, course.lesson.target] == ["1", "C", "-"]


def kept_file() -> Path:
    return user_state_path("driflamme", appauthor=False) / guided_game.FILE


def test_a_lesson_goes_on_from_every_answer() -> None:
    whole = Course(quick).finish()
    for kept in whole.kept[::6]:
        guided_game.keep(kept)
        course = Course(quick, guided_game.recall()).finish()
        assert course.tokens == whole.tokens
        assert set(course.lesson.tutor.topics) == {*TOPICS}
        assert not {topic for topic, _page in course.read} & set(kept.topics)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '{"script": "1"}',
        '{"finished": 1}',
        "[" * 50_000,
        json.dumps({"script": SCRIPT, "tokens": ["x9"], "topics": [], "finished": False}),
        json.dumps({"script": SCRIPT, "tokens": [3], "topics": [], "finished": False}),
        json.dumps({"script": SCRIPT, "tokens": [], "topics": ["what?"], "finished": False}),
        json.dumps({"script": SCRIPT + 1, "tokens": [], "topics": [], "finished": False}),
    ],
)
def test_a_damaged_file_begins_the_lesson_anew_and_says_so(text: str) -> None:
    kept_file().parent.mkdir(parents=True)
    kept_file().write_text(text)
    with pytest.raises(DamagedError):
        guided_game.recall()
    lesson = Lesson.resumed()
    assert lesson.page[1] == (
        "Your progress in the lesson could not be read, so the lesson starts over."
    )
    lesson.turn()
    assert lesson.page[0] == "Welcome!"
    assert lesson.tokens == ()


def test_a_lesson_that_was_finished_begins_anew_and_is_known_to_be() -> None:
    course = Course(quick).finish()
    guided_game.keep(course.kept[-1])
    assert guided_game.finished_or_begun() == (True, False)
    lesson = Lesson.resumed()
    assert lesson.page[0] == "Welcome!"
    assert not lesson.damaged
    guided_game.keep(learning_at(5))
    assert guided_game.finished_or_begun() == (False, True)
    assert Lesson.resumed(restart=True).tokens == ()
    assert len(Lesson.resumed().tokens) == 5


# Without a screen


def test_the_lesson_line_by_line() -> None:
    course = Course(quick)
    while course.game.turn != LEARNER:
        course.step()
    session = session_at(view(course.game, LEARNER))
    player = LessonPlayer(session, lesson=course.lesson)
    spoken = "\n".join(player._state_news())
    assert spoken.index("Placing a card: ") < spoken.index("The Conspiracy: Your Conspiracy pays")
    assert spoken.index("The Conspiracy: ") < spoken.index("YOUR TURN")
    assert spoken.endswith("Place your Conspiracy at the start of the Queue.")
    assert not course.lesson.reading
    assert player.line("1").lines == [
        "A fine card for later. The Conspiracy needs time, so play that first."
    ]
    assert player.line("C>").lines == [
        "The end will soon be dangerous. This time, put it at the start."
    ]
    (refusal,) = player.line("A>").lines
    assert refusal == "Your hand has no Archer."
    (sentence,) = player.line("quit").lines
    assert sentence == (
        "Your progress is kept: driflamme learn continues from here. Leave the lesson? "
        "Type quit once more to leave."
    )
    assert player.line("quit").leaves
    player.line("7")
    (message,) = player.line("1").messages
    assert getattr(message, "action", "") == "C<"
