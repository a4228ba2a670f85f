"""Tests the lesson at its table: all of it by keys and by mouse, and its appearance."""

from collections.abc import Awaitable, Callable

import pytest
from platformdirs import user_data_path

from driflamme_tui.hosting.host_plans import Host, SoloPlan
from driflamme_tui.model.pending_question import Option, Step
from driflamme_tui.preferences.remembered import BEGINNER
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.study import guided_game
from driflamme_tui.study.guided_game import GuidedQuestion, Lesson, Progress
from driflamme_tui.study.lesson_end import LessonEnd
from driflamme_tui.study.lesson_screen import WAYS, LessonScreen
from driflamme_tui.study.lesson_script import TOPICS
from driflamme_tui.text.signs import UNICODE, Glyphs
from driflamme_tui.widgets.table.study_panel import LowerPanel
from engine.actions import END, START, Place
from tests.driflamme_tui.lessons import LearningApp, learning_at, lesson_from
from tests.support.tables import Hands, NotedPlace, in_app, is_at, rows_of, run_app, table_of

STILL = Settings(animation=False)


def lesson_at(step: int) -> Lesson:
    """Return the lesson after this number of answers, with all pages read."""
    return lesson_from(learning_at(step))


async def ready(app: LearningApp, hands: Hands) -> TableScreen:
    """Wait until the learner can read or act, or the lesson is over; return the table's screen."""

    def waits() -> bool:
        if len(app.screen_stack) < 2 or not isinstance(app.screen_stack[1], TableScreen):
            return False
        table, view = app.table, app.table.player_seat.session.view
        if (
            view is None
            or app.table.player_seat.session.pending is not None
            or not table.is_mounted
        ):
            return False
        shown = table.shown.news.revision == app.table.player_seat.session.revision
        lesson = app.lesson
        up_to_date = len(lesson.tokens) + 1 == app.table.player_seat.session.revision
        mine = table.answering.question is not None or view.over
        return shown and up_to_date and (lesson.reading or mine)

    await hands.until(waits)
    return app.table


async def play_through(app: LearningApp, hands: Hands) -> None:
    """Play the whole lesson by the tutor's advice, and turn some pages by mouse."""
    for number in range(400):
        table = await ready(app, hands)
        if app.lesson.over:
            return
        if app.lesson.tokens:
            assert guided_game.recall().tokens == app.lesson.tokens, "who is killed goes on here"
        question = table.answering.question
        if app.lesson.reading:
            if number % 3:
                await hands.press("space" if number % 2 else "enter")
            else:
                await hands.click_at(LowerPanel, 10, 2)
            continue
        assert question is not None
        option = question.options[-1]
        if isinstance(question, GuidedQuestion):
            option = question.suggested
        await answer(app, hands, option)
    raise AssertionError("the lesson never ends")


async def answer(app: LearningApp, hands: Hands, option: Option) -> None:
    question = app.table.answering.question
    assert question is not None
    if question.step is Step.CARD:
        key = (option.card or "").lower()
    elif isinstance(option.action, Place):
        key = {START: "<", END: ">"}.get(option.action.spot, "^")
    elif option.position:
        key = str(option.position)
    else:
        key = option.family or str(option.action)
    await hands.press(key)
    assert question.choice is not None
    await hands.press("enter")


def test_the_whole_lesson() -> None:
    async def steps(app: LearningApp, hands: Hands) -> None:
        await play_through(app, hands)
        assert any("Enter shows what you know now" in row for row in rows_of(app))
        record = app.table.player_seat.session.record
        assert record is not None
        assert record.actions == app.lesson.tokens
        assert [player.name for player in record.players] == ["Blaise", "Aubin", "Berthe"]
        await hands.click_at("#prompt", 70, 0)
        assert isinstance(app.screen, LessonEnd)
        await hands.press("down", "down", "enter")
        await hands.until(lambda: isinstance(app.screen, StartScreen))

    run_app(LearningApp(Lesson.resumed("Blaise", 0), settings=STILL), steps)
    kept = guided_game.recall()
    assert kept.finished
    assert set(kept.topics) == {*TOPICS}
    # The lesson does not count as a game.
    assert BEGINNER.recall().games == 0
    assert not (user_data_path("driflamme", appauthor=False) / "tables.db").exists()


def at(
    step: int,
    steps: Callable[[LearningApp, Hands], Awaitable[None]],
    *,
    lesson: Lesson | None = None,
    size: tuple[int, int] = (80, 24),
    glyphs: Glyphs = UNICODE,
) -> None:
    async def first(app: LearningApp, hands: Hands) -> None:
        await ready(app, hands)
        await steps(app, hands)

    run_app(LearningApp(lesson or lesson_at(step), glyphs, STILL), first, size)


def test_while_there_is_something_to_read_nothing_is_played() -> None:
    async def steps(app: LearningApp, hands: Hands) -> None:
        assert app.lesson.page[0] == "Placing a card"
        await hands.type("c < enter")
        assert app.lesson.page[0] == "The Conspiracy"
        assert app.shows("First read on below") is False
        await hands.type("c")
        assert app.shows("Read the rest first: Enter turns the page.")
        assert app.lesson.tokens[1:] == ()
        await hands.type("space")
        assert app.shows("Place your Conspiracy at the start of the Queue. Press c, then Enter")
        # Enter alone chooses a card; another Enter is answered with advice.
        await hands.type("enter enter")
        assert app.shows("A fine card for later. The Conspiracy needs time")
        await hands.type("c enter > enter")
        assert app.shows("This time, put it at the start.")
        assert app.lesson.tokens[1:] == ()
        await hands.type("< enter")
        await ready(app, hands)
        assert app.lesson.tokens[1] == "C<"

    kept = learning_at(1)
    unread = Progress(kept.tokens, ("Welcome!",))
    at(1, steps, lesson=lesson_from(unread))


def test_a_spot_is_not_chosen_for_a_card_that_is_not_the_tasks() -> None:
    async def steps(app: LearningApp, hands: Hands) -> None:
        await hands.type("h <")
        assert app.shows("A fine card for later. The Conspiracy needs time")
        await hands.type("c < enter")
        await ready(app, hands)
        assert app.lesson.tokens[1] == "C<"

    at(1, steps)


@pytest.mark.parametrize("size", [(60, 20), (80, 50)])
def test_a_page_is_read_to_its_end_in_every_size(size: tuple[int, int]) -> None:
    async def steps(app: LearningApp, hands: Hands) -> None:
        read = ""
        title, text = app.lesson.page
        while app.lesson.page == (title, text):
            panel = app.table.query_one(LowerPanel)
            shown = panel.render_lines(panel.size.region)[1:]
            read += " ".join(strip.text[2:].strip() for strip in shown) + " "
            await hands.press("enter")
        assert " ".join(read.split()) == text

    kept = learning_at(4)
    unread = Progress(kept.tokens, tuple(each for each in kept.topics if each != "Leave or reveal"))
    at(4, steps, lesson=lesson_from(unread), size=size)


def test_leaving_says_that_the_place_is_kept() -> None:
    async def steps(app: LearningApp, hands: Hands) -> None:
        await hands.press("q")
        assert app.shows("Your progress is kept: driflamme learn continues")
        await hands.press("y")
        await hands.until(lambda: isinstance(app.screen, StartScreen))

    at(4, steps)


def test_the_lesson_can_begin_anew_from_all_commands() -> None:
    async def steps(app: LearningApp, hands: Hands) -> None:
        table_of(app, LessonScreen).action_restart()
        await hands.pause()
        await hands.press("n")
        assert app.lesson.page[0] != "Welcome!", "not unasked"
        table_of(app, LessonScreen).action_restart()
        await hands.pause()
        await hands.press("y")
        await hands.until(
            lambda: (
                len(app.screen_stack) > 1
                and is_at(app, LessonScreen)
                and app.lesson.page[0] == "Welcome!"
            )
        )

    guided_game.keep(learning_at(9))
    at(9, steps, lesson=Lesson.resumed("Blaise", 0))


class Beginner(LearningApp):
    """The app before any table, which only records its plans."""

    HELPS_NEWCOMERS = True

    def __init__(self) -> None:
        super().__init__(lesson_from(Progress()))
        self._only = None
        self.place = NotedPlace(self)
        self.plans = self.place.plans


def test_the_lesson_is_offered_first_to_who_has_finished_no_game() -> None:
    async def newcomer(app: Beginner, hands: Hands) -> None:
        assert app.focused is not None
        assert app.focused.id == "learn"
        await hands.press("enter")
        assert app.lesson.reading

    async def begun(app: Beginner, hands: Hands) -> None:
        assert app.focused is not None
        assert app.focused.id == "learn"
        assert app.shows("1 Resume the lesson")
        await hands.press("enter")
        await hands.until(lambda: is_at(app, LessonScreen))
        assert table_of(app, LessonScreen).lesson.tokens == learning_at(6).tokens

    async def done(app: Beginner, hands: Hands) -> None:
        assert app.focused is not None
        assert app.focused.id == "play"
        assert app.shows("1 Learn the game")

    run_app(Beginner(), newcomer)
    guided_game.keep(learning_at(6))
    run_app(Beginner(), begun)
    guided_game.keep(Progress(topics=tuple(TOPICS), finished=True))
    run_app(Beginner(), done)


@in_app(Beginner)
async def test_from_the_end_one_goes_on_to_play(app: Beginner, hands: Hands) -> None:
    for way in ("play", "host"):
        await app.run_action(WAYS[way])
    await hands.until(lambda: [type(plan) for plan in app.plans] == [SoloPlan, Host])
