"""Runs the guided first game: the learner's progress, the allowed choices, and the table."""

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from driflamme_tui.model.pending_question import Option, Question
from driflamme_tui.preferences.remembered import StoredValue, state_path
from driflamme_tui.study import guided_game, lesson_script
from driflamme_tui.study.lesson_script import (
    DEAL,
    LEARNER,
    OPPONENTS,
    SCRIPT,
    TOPICS,
    Task,
    Tutor,
    task_at,
)
from driflamme_tui.study.local_table import LocalTable
from driflamme_tui.text.i18n import _
from engine.actions import Action
from engine.bots import DEFAULT_BOT
from engine.cards import HEIR, ROUNDS
from engine.events import RoundBegan
from engine.game import Game
from engine.record import Record, RecordedPlayer, replay
from engine.texts import Text
from engine.views import View, project, view
from netcode.protocol.fields import letters_of
from netcode.protocol.messages import SeatInfo

FILE: Final = "lesson.json"
"""Name of the file with the learner's progress, in the folder of the user's state."""

PACE_MS: Final = 900
"""Milliseconds before an opponent answers, once the learner has read everything."""


class Progress(Struct, frozen=True):
    """The answers and the topics of a lesson so far."""

    tokens: tuple[str, ...] = ()
    """All answers so far, including the opponents' answers."""
    topics: tuple[str, ...] = ()
    """The topics that the learner has read."""
    finished: bool = False
    """True if the lesson was played to its end, now or earlier."""
    script: int = SCRIPT
    """The version of the lesson's script."""


class DamagedError(ValueError):
    """Raised if the stored progress is malformed, or belongs to another version of the lesson."""


def recall() -> Progress:
    """Return the stored progress; empty progress if the file is missing or unreadable.

    Raises:
        DamagedError: The file is malformed, or belongs to another version of the lesson.
    """
    try:
        kept = state_path(FILE).read_bytes()
    except OSError:
        return Progress()
    try:
        progress = msgspec.json.decode(kept, type=Progress)
        for _step in replay(Record(DEAL, progress.tokens)):
            pass
    except (ValueError, RecursionError):
        raise DamagedError("no lesson") from None
    known = TOPICS.keys() >= {*progress.topics} and len(set(progress.topics)) == len(
        progress.topics
    )
    if progress.script != SCRIPT or not known:
        raise DamagedError("another lesson")
    return progress


keep: Final = StoredValue(FILE, Progress, Progress()).keep
"""Stores the learner's progress. An error of the disk is ignored."""


def finished_or_begun() -> tuple[bool, bool]:
    """Return True if the lesson was ever finished, and True if a lesson is in progress.

    Both values are False if the stored progress is damaged.
    """
    try:
        kept = recall()
    except DamagedError:
        return False, False
    under_way = bool(kept.tokens or kept.topics) and len(kept.topics) < len(TOPICS)
    return kept.finished, under_way


_ADVICE: Final[dict[str, Text]] = {
    "SPOT S": (
        "The Soldier belongs beside a card worth hitting. At an end it has only one neighbour; "
        "and an Archer may be aiming at the ends."
    ),
    "SPOT L": (
        "The Lord gains more beside your own cards, but then a Soldier can hit either. On top of "
        "your own card it covers that one."
    ),
    "SPOT L, last": (
        "The Lord gains more beside your own cards. On top of one of them it keeps that card from "
        "acting, and what lies on the card is lost."
    ),
    "SPOT H": (
        "No other Heir is face up: revealed while that is so, yours gains 2. Near the start it "
        "acts before most others can hit it."
    ),
    "SPOT H, another": (
        "While {green}'s Heir is face up, yours gains nothing when revealed. Left, it gathers 1 "
        "per round like any card."
    ),
    "SPOT H, another, last": (
        "While {green}'s Heir is face up, yours gains nothing when revealed, and what it gathers "
        "is lost now. Your other card may bring more."
    ),
    "CARD": (
        "A Soldier eliminates, a Lord gains beside your own cards, an Heir gains 2 if it is the "
        "only one. Place early what gathers, late what surprises. The last card stays in hand."
    ),
    "CARD SH, last": (
        "A card placed now acts at most once. An Heir gains 2, if no other is face up; a Soldier "
        "gains 1, and may hit a card before it earns again."
    ),
    "CARD SL, last": (
        "A card placed now acts at most once. A Lord gains 1, and 1 more for each of your cards "
        "beside it; a Soldier gains 1, and may hit a card before it earns again."
    ),
    "CARD HL, last": (
        "A card placed now acts at most once. An Heir gains 2, if no other is face up; a Lord "
        "gains 1, and 1 more for each of your cards beside it."
    ),
    "LEAVE_OR_REVEAL": (
        "Leave: 1 more on the card, if nothing hits it before the next round. Reveal: what lies "
        "on it is safe, it acts now, and everybody knows it."
    ),
    "LEAVE_OR_REVEAL, last": (
        "Last chance: what you leave is lost. Reveal: you take what lies on the card, "
        "and it acts. But if it would have to eliminate your own card, think twice."
    ),
    "TARGET": (
        "A face-up card of the leader earns again and again. A face-down card may be a bank, or "
        "an Ambush."
    ),
    "TARGET, last": (
        "The leader's cards that have yet to act or pay are the best to hit now. A face-down "
        "card may be an Ambush."
    ),
    "PLAYER": "Take it from the leader if you can. An empty pool gives nothing.",
    "COPIED": "Count what each would bring from where your Shapeshifter stands.",
}
"""Untranslated advice for questions.

A key has the step of the question, then the card being placed or the cards in hand. "another" means
that another Heir is face up. "last" means the last round, after which no card needs protection.
"""


def advice(question: Question) -> str:
    """Return the untranslated advice for a question; "" if no key of `_ADVICE` fits."""
    step, view = question.step, question.view
    last = ", last" if view.round == ROUNDS else ""
    about = step.name
    if question.picked is not None:
        about += f" {question.picked.card}"
        if question.picked.card == HEIR and any(each[1:3] == (HEIR, True) for each in view.queue):
            about += ", another"
    cards = f"{about} {view.hands[view.turn]}"
    return next(
        (_ADVICE[each] for each in (cards + last, about + last, about) if each in _ADVICE), ""
    )


class Lesson(LocalTable):
    """The table of a learner's first game, with the explanations."""

    def __init__(
        self,
        kept: Progress,
        keep: Callable[[Progress], None] = lambda _progress: None,
        name: str = "",
        pace_ms: int = PACE_MS,
    ) -> None:
        """Continue from stored progress.

        Args:
            kept: The learner's progress, already validated.
            keep: Stores the progress after each change.
            name: The learner's name.
            pace_ms: Milliseconds of the pause after an opponent's answer, once the learner has read
                everything.
        """
        if not name or name in OPPONENTS.values():
            name = _("Player")
        people = [
            SeatInfo(family=each, name=OPPONENTS[each], bot=DEFAULT_BOT)
            if each in OPPONENTS
            else SeatInfo(family=each, name=name, host=True)
            for each in letters_of(DEAL.families)
        ]
        players = tuple(RecordedPlayer(each.family, each.name, each.bot) for each in people)
        super().__init__(
            Game.start(DEAL),
            LEARNER,
            events=[RoundBegan(1, DEAL.first)],
            record=Record(DEAL, (), players=players),
            people=people,
        )
        self.damaged = False
        """True if the stored progress was damaged, until the learner has read about the damage."""
        self.tutor = Tutor(kept.topics)
        self._finished = kept.finished
        self._keep: Callable[[Progress], None] = lambda _progress: None
        self._pace_s = pace_ms / 1000
        self._due = False
        """True if the opponents must answer as soon as the learner has read everything."""
        self._explain(0)
        for token in kept.tokens:
            self.play(token)
        self._keep, self.revision = keep, len(kept.tokens)

    @classmethod
    def resumed(cls, name: str = "", pace_ms: int = PACE_MS, *, restart: bool = False) -> "Lesson":
        """Return the last lesson, with the stored progress.

        Return a new lesson if the last one is over or damaged, or if `restart` is True.

        Args:
            name: The learner's name.
            pace_ms: Milliseconds before an opponent answers.
            restart: True to drop the progress.
        """
        damaged = False
        try:
            kept = guided_game.recall()
        except DamagedError:
            kept, damaged = Progress(), True
        if restart or (kept.finished and len(kept.topics) == len(TOPICS)):
            kept = Progress(finished=kept.finished)
        lesson = cls(kept, guided_game.keep, name, pace_ms)
        lesson.damaged = damaged and not restart
        return lesson

    # The game

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of all answers so far, including the opponents' answers."""
        assert self.record is not None
        return self.record.actions

    @property
    def over(self) -> bool:
        """True if the game is over and everything was read."""
        return self.game.over and not self.reading

    @property
    def view(self) -> View:
        """The learner's view."""
        return view(self.game, LEARNER)

    def play(self, token: str) -> None:
        """Play an answer of the asked player, explain its result, and store the progress."""
        happened = len(self.events)
        super().play(token)
        self._explain(happened)
        self._keep_now()

    def opponents_answer(self) -> Action:
        """Return the answer of the asked opponent, as the lesson's script has it."""
        return lesson_script.opponents_answer(self.seen(), len(self.tokens))

    def ask_opponents(self) -> None:
        """Let the opponents answer after a pause, once the learner has read everything."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._pace_s, self._answer_or_wait)
        self._due, self.drop = False, timer.cancel

    def _answer_or_wait(self) -> None:
        self._due = self.reading
        if not self._due:
            self.answered(str(self.opponents_answer()))

    def stop(self) -> None:
        """Cancel the next answer of the opponents."""
        self._due = False
        super().stop()

    def _explain(self, since: int) -> None:
        """Open the explanations of all events from an index on."""
        self.tutor.update(self.view, [project(each, LEARNER) for each in self.events[since:]])

    # The explanations

    @property
    def reading(self) -> bool:
        """True if a page must be read before the game continues."""
        return self.damaged or self.tutor.page is not None

    @property
    def page(self) -> tuple[str, str]:
        """The title and text of the open page; ("", "") if everything was read."""
        if self.damaged:
            return _("The lesson"), _(
                "Your progress in the lesson could not be read, so the lesson starts over."
            )
        page = self.tutor.page
        return ("", "") if page is None else (_(page.topic), self._worded(page.text))

    @property
    def target(self) -> str:
        """The place that the open page explains, as in `TOPICS`; "-" for no page and no place."""
        page = self.tutor.page
        return "-" if page is None or self.damaged else page.at

    def turn(self) -> bool:
        """Turn the page. Return True if no page is left to read.

        Opponents answer then, if it is their turn.
        """
        if self.damaged:
            self.damaged = False
        elif self.tutor.turn():
            self._keep_now()
        if self.reading:
            return False
        if self._due:
            self.ask_opponents()
        return True

    # The tasks

    def question(self, seen: View) -> Question:
        """Return the learner's question at a view, limited by the present task if there is one."""
        task = task_at(seen)
        return Question(seen) if task is None else GuidedQuestion(seen, task)

    def task(self, question: Question) -> str:
        """Return the goal of a guided question, or advice for another one; "" without advice."""
        text = question.task.goal if isinstance(question, GuidedQuestion) else advice(question)
        return self._worded(text) if text else ""

    def declined(self, question: Question) -> str:
        """Return the reason why the task has refused the present choice; "" if it has not."""
        if not isinstance(question, GuidedQuestion) or not question.declined:
            return ""
        task = question.task
        return self._worded(task.misplaced if question.picked else task.declined)

    def _worded(self, text: str) -> str:
        return _(text, red=OPPONENTS["r"], green=OPPONENTS["g"])

    def _keep_now(self) -> None:
        self._finished = self._finished or self.over
        self._keep(Progress(self.tokens, self.tutor.topics, self._finished))


class GuidedQuestion(Question):
    """A question in which only the choices of a task can be confirmed."""

    def __init__(self, seen: View, task: Task) -> None:
        """Ask the question at the view `seen`, and accept only the answers of `task`."""
        super().__init__(seen)
        self.task = task
        self._refused: tuple[Option | None, int | None] | None = None
        """The choice that the task refused when the learner last tried to confirm; None if the task
        allowed the choice, and before the first try.
        """

    @property
    def declined(self) -> bool:
        """True if the task has refused the present choice, when the learner tried to confirm it."""
        return self._refused == (self.picked, self.chosen)

    @property
    def suggested(self) -> Option:
        """The option that the task suggests in this step."""
        return next(
            option for option in self.options if self._begins_answer(option, self.task.answers[:1])
        )

    @property
    def allowed(self) -> bool:
        """True if nothing is chosen, or if the present choice leads to an answer of the task."""
        return self.choice is None or self._begins_answer(self.choice, self.task.answers)

    def confirm(self) -> Action | None:
        """Return the chosen answer if the task allows it.

        Otherwise store the refused choice, and return None.
        """
        self._refused = None if self.allowed else (self.picked, self.chosen)
        return super().confirm() if self.allowed else None

    def _begins_answer(self, option: Option, answers: tuple[str, ...]) -> bool:
        """Return True if an option is, or begins, one of the answers with these tokens."""
        if option.action is not None:
            return str(option.action) in answers
        if option.card is not None:
            return any(answer.startswith(option.card) for answer in answers)
        return any(answer.partition(">")[0] == str(option.position) for answer in answers)
