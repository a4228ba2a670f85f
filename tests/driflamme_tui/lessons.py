"""Helpers for tests of the lesson: learners, the lesson without a screen, and its app."""

from collections.abc import Callable
from random import Random

from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.study.guided_game import Lesson, Progress
from driflamme_tui.study.lesson_screen import LessonScreen
from driflamme_tui.study.lesson_script import DEAL, LEARNER, task_at
from driflamme_tui.text.signs import UNICODE, Glyphs
from engine.actions import Action
from engine.game import Game
from engine.record import Record
from engine.views import View, view
from tests.support.tables import WatchedApp, table_of

Learner = Callable[[View], Action]
"""Chooses an answer where the lesson leaves a choice."""


class Course:
    """A lesson without a player; tests give the answers."""

    def __init__(self, learner: Learner, kept: Progress | None = None) -> None:
        self.kept: list[Progress] = []
        self.read: list[tuple[str, str]] = []
        """The topic and text of each page that was read, in order."""
        self.lesson = Lesson(kept or Progress(), self.kept.append)
        self._learner = learner

    @property
    def record(self) -> Record:
        return Record(DEAL, self.tokens)

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.lesson.tokens

    @property
    def game(self) -> Game:
        return self.lesson.game

    def read_on(self) -> None:
        """Turn all pages, and record each."""
        while self.lesson.reading:
            page = self.lesson.tutor.page
            self.read.append(("" if page is None else page.topic, self.lesson.page[1]))
            self.lesson.turn()

    def step(self) -> None:
        """Read all pages, and give one answer unless the game is over."""
        self.read_on()
        game = self.game
        if game.over:
            return
        seen = view(game, game.turn)
        if game.turn != LEARNER:
            action = self.lesson.opponents_answer()
        else:
            task = task_at(seen)
            legal = {str(each): each for each in seen.legal}
            action = legal[task.answers[0]] if task else self._learner(seen)
        self.lesson.play(str(action))

    def finish(self) -> "Course":
        """Play the lesson to its end; return the course."""
        while not self.lesson.over:
            self.step()
        return self


def at_random(seed: int) -> Learner:
    """Return a learner who chooses answers at random."""
    rng = Random(seed)
    return lambda seen: rng.choice(seen.legal)


def lesson_from(kept: Progress) -> Lesson:
    """Return the lesson of Blaise, with opponents that answer immediately."""
    return Lesson(kept, name="Blaise", pace_ms=0)


class LearningApp(WatchedApp):
    """The app at the table of a lesson, with opponents that answer immediately."""

    def __init__(
        self, lesson: Lesson, glyphs: Glyphs = UNICODE, settings: Settings | None = None
    ) -> None:
        super().__init__(lambda: LessonScreen(lesson, "Blaise"), "Blaise", glyphs, settings)
        self.terminal.guard_s = self.terminal.second_click_s = 0.0

    @property
    def lesson(self) -> Lesson:
        return table_of(self, LessonScreen).lesson

    @property
    def table(self) -> TableScreen:
        screen = self.screen_stack[1]
        assert isinstance(screen, TableScreen)
        return screen


def learning_at(step: int) -> Progress:
    """Return the stored progress after this number of answers, with all pages read."""
    course = Course(lambda seen: seen.legal[-1])
    while len(course.tokens) < step and not course.game.over:
        course.step()
    course.read_on()
    return Progress(course.tokens, course.lesson.tutor.topics)
