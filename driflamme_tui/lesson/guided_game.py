"""The guided first game as one thing: the game so far, the tutor, and what is kept of both.

Knows no screen and no network. A table tells it what has been answered (`follow`), and asks it
for the opponents' answers; whoever shows it asks what there is to read and what may be done.
"""

from collections.abc import Callable, Iterable

from driflamme_tui.lesson import lesson_progress, lesson_script
from driflamme_tui.lesson.free_choices import advice
from driflamme_tui.lesson.lesson_progress import DamagedError, Progress
from driflamme_tui.lesson.lesson_script import DEAL, LEARNER, OPPONENTS, Task, task_at
from driflamme_tui.lesson.next_page import IDS, Tutor
from driflamme_tui.lesson.tutor_pages import Highlight, LessonPage, Situation
from driflamme_tui.model.pending_question import Option, Question
from driflamme_tui.text.i18n import _
from engine.actions import Action
from engine.events import Event, RoundBegan
from engine.game import Game
from engine.record import Record
from engine.view import View, project, view


class Lesson:
    """One learner's first game."""

    def __init__(
        self, kept: Progress, keep: Callable[[Progress], None] = lambda _progress: None
    ) -> None:
        """Go on from what was kept.

        Args:
            kept: How far the learner has come; it must have been checked.
            keep: Is given what is to be kept, whenever that changes.
        """
        self.damaged = False
        """Whether what was kept could not be used, so that the lesson begins anew."""
        self.when_read: Callable[[], None] = lambda: None
        """Is called when the last of the pages that there are has been read."""
        self.answers: Callable[[], Iterable[str]] = tuple
        """Returns all answers that the table has had."""
        self.tutor = Tutor(kept.told)
        self._finished = kept.finished
        self._keep = keep
        self._game = Game.start(DEAL)
        self._tokens: list[str] = []
        self._explain([RoundBegan(1, DEAL.first)])
        self._play(kept.tokens)

    @classmethod
    def resumed(cls, *, restart: bool = False) -> "Lesson":
        """Go on with the lesson that was begun last, unless it is over or is to begin anew."""
        damaged = False
        try:
            kept = lesson_progress.recall()
        except DamagedError:
            kept, damaged = Progress(), True
        if restart or (kept.finished and len(kept.told) == len(IDS)):
            kept = Progress(finished=kept.finished)
        lesson = cls(kept, lesson_progress.keep)
        lesson.damaged = damaged and not restart
        return lesson

    # The game

    @property
    def record(self) -> Record:
        """The game so far."""
        return Record(DEAL, tuple(self._tokens))

    @property
    def over(self) -> bool:
        """Whether the game is over and all has been read."""
        return self._game.over and not self.reading

    @property
    def view(self) -> View:
        """What the learner sees."""
        return view(self._game, LEARNER)

    def follow(self) -> None:
        """Take note of what has been answered at the table since, and keep it."""
        fresh = list(self.answers())[len(self._tokens) :]
        if fresh:
            self._play(fresh)
            self._keep_now()

    def opponents_answer(self, seen: View) -> Action:
        """Return what an opponent answers to what they see."""
        return lesson_script.opponents_answer(seen, len(self._tokens))

    def _play(self, tokens: Iterable[str]) -> None:
        for token in tokens:
            events: list[Event] = []
            self._game = self._game.play(token, events)
            self._tokens.append(token)
            self._explain(events)

    def _explain(self, events: Iterable[Event]) -> None:
        seen = tuple(project(event, LEARNER) for event in events)
        self.tutor.update(Situation(self.view, seen))

    # What there is to read

    @property
    def reading(self) -> bool:
        """Whether there is something to read before anything goes on."""
        return self.damaged or self.tutor.page is not None

    @property
    def page(self) -> tuple[str, str]:
        """The title and the text of the open page; ("", "") without one."""
        if self.damaged:
            return _("The lesson"), _(
                "Your place in the lesson could not be read, so the lesson begins anew."
            )
        topic, page = self.tutor.topic, self.tutor.page
        if topic is None or page is None:
            return "", ""
        return _(topic.title), self._worded(page.text)

    @property
    def target(self) -> Highlight | None:
        """What the open page speaks of."""
        page: LessonPage | None = None if self.damaged else self.tutor.page
        return None if page is None else page.at

    def turn(self) -> bool:
        """Turn the page; return whether it was the last of those that there are."""
        if self.damaged:
            self.damaged = False
        else:
            told = self.tutor.told
            self.tutor.turn()
            if self.tutor.told != told:
                self._keep_now()
        if self.reading:
            return False
        self.when_read()
        return True

    # What there is to do

    def question(self, seen: View) -> Question:
        """Return the question that a view asks the learner, who may answer it as the task says."""
        task = task_at(seen)
        return Question(seen) if task is None else GuidedQuestion(seen, task)

    def task(self, question: Question) -> str:
        """Return what the learner is to try, or to consider; "" if nothing special."""
        text = question.task.goal if isinstance(question, GuidedQuestion) else advice(question)
        return self._worded(text) if text else ""

    def declined(self, question: Question) -> str:
        """Return why the present choice cannot be confirmed; "" if it can, or none was."""
        if not isinstance(question, GuidedQuestion) or not question.declined:
            return ""
        task = question.task
        return self._worded(task.misplaced if question.picked else task.declined)

    def is_declined(self, action: Action) -> str:
        """Return why an action is not played now; "" if it may be."""
        task = task_at(self.view)
        if task is None or str(action) in task.answers:
            return ""
        is_card_right = str(action)[0] == task.answers[0][0]
        return self._worded(task.misplaced if is_card_right and task.misplaced else task.declined)

    def _worded(self, text: str) -> str:
        return _(text).format(red=OPPONENTS["r"], green=OPPONENTS["g"])

    def _keep_now(self) -> None:
        self._finished = self._finished or self.over
        self._keep(Progress(tuple(self._tokens), self.tutor.told, self._finished))


class GuidedQuestion(Question):
    """A question of which only what the task says can be confirmed."""

    def __init__(self, seen: View, task: Task) -> None:
        """Ask what a view asks."""
        super().__init__(seen)
        self.task = task
        self._refused: tuple[Option | None, int | None] | None = None
        """What was to be confirmed when it could not be."""

    @property
    def declined(self) -> bool:
        """Whether the present choice was to be confirmed, and could not be."""
        return self._refused == (self.picked, self.chosen)

    @property
    def suggested(self) -> Option:
        """What the task suggests to choose in this step."""
        return next(option for option in self.options if self._leads(option, self.task.answers[:1]))

    def confirm(self) -> Action | None:
        """Confirm the present choice, if the task allows it."""
        choice = self.choice
        self._refused = None
        if choice is not None and not self.allows(choice):
            self._refused = (self.picked, self.chosen)
            return None
        return super().confirm()

    def allows(self, option: Option) -> bool:
        """Whether an option leads to what the task says."""
        return self._leads(option, self.task.answers)

    def _leads(self, option: Option, answers: tuple[str, ...]) -> bool:
        """Whether choosing an option leads to one of some answers."""
        if option.action is not None:
            return str(option.action) in answers
        if option.card is not None:
            return any(answer.startswith(option.card) for answer in answers)
        return any(answer.partition(">")[0] == str(option.position) for answer in answers)
