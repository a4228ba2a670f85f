"""The guided first game: how far somebody has come, what they may choose, and the table."""

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from driflamme_tui.alone import guided_game, lesson_script
from driflamme_tui.alone.lesson_script import (
    DEAL,
    LEARNER,
    OPPONENTS,
    SCRIPT,
    TOPICS,
    Task,
    Tutor,
    task_at,
)
from driflamme_tui.alone.local_table import LocalTable
from driflamme_tui.model.pending_question import Option, Question
from driflamme_tui.preferences.remembered import Kept, state_path
from driflamme_tui.text.i18n import _
from engine.actions import Action
from engine.bots import DEFAULT_BOT
from engine.cards import HEIR, ROUNDS
from engine.events import RoundBegan
from engine.game import Game
from engine.record import Record, RecordedPlayer, replay
from engine.views import View, project, view
from engine.words import Text
from netcode.protocol.fields import letters_of
from netcode.protocol.messages import SeatInfo

FILE: Final = "lesson.json"
"""The name of the file that holds the progress."""

PACE_MS: Final = 900
"""Milliseconds that the opponents take once the learner has read all there is to read."""


class Progress(Struct, frozen=True):
    """What has been played and read."""

    tokens: tuple[str, ...] = ()
    """All answers so far, the opponents' too."""
    told: tuple[str, ...] = ()
    """The topics that have been read."""
    finished: bool = False
    """Whether the lesson has been played to its end, this time or before."""
    script: int = SCRIPT
    """The version of the lesson that it is about."""


class DamagedError(ValueError):
    """What is kept is not the beginning of a lesson."""


def recall() -> Progress:
    """Return what was kept last; raises DamagedError. What cannot be read is as good as nothing."""
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
    known = TOPICS.keys() >= {*progress.told} and len(set(progress.told)) == len(progress.told)
    if progress.script != SCRIPT or not known:
        raise DamagedError("another lesson")
    return progress


keep: Final = Kept(FILE, Progress, Progress()).keep
"""Keeps it; where nothing can be kept, the lesson goes on all the same."""


def finished_or_begun() -> tuple[bool, bool]:
    """Return whether the lesson was finished once, and whether one is under way."""
    try:
        kept = recall()
    except DamagedError:
        return False, False
    under_way = bool(kept.tokens or kept.told) and len(kept.told) < len(TOPICS)
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
        "While {green}'s Heir is face up, yours gains nothing when revealed. Left, it gathers 1 a "
        "round as well as any card."
    ),
    "SPOT H, another, last": (
        "While {green}'s Heir is face up, yours gains nothing when revealed, and what it gathers "
        "is lost now. Your other card may bring more."
    ),
    "CARD": (
        "A Soldier hits, a Lord gains beside its own, an Heir gains 2 if it is the only one. Early "
        "is good for what gathers, late for surprises. The last card stays in hand."
    ),
    "CARD SH, last": (
        "A card placed now acts once at most. An Heir gains 2, if no other is face up; a Soldier "
        "gains 1, and may hit a card before it earns once more."
    ),
    "CARD SL, last": (
        "A card placed now acts once at most. A Lord gains 1, and 1 more for each of your cards "
        "beside it; a Soldier gains 1, and may hit a card before it earns once more."
    ),
    "CARD HL, last": (
        "A card placed now acts once at most. An Heir gains 2, if no other is face up; a Lord "
        "gains 1, and 1 more for each of your cards beside it."
    ),
    "LEAVE_OR_REVEAL": (
        "Leave: 1 more on the card, if nothing hits it before the next round. Reveal: what lies "
        "on it is safe, it acts now, and everybody knows it."
    ),
    "LEAVE_OR_REVEAL, last": (
        "Last chance: what you leave is lost. Reveal: you take what lies on the card, and it acts. "
        "But if it would have to hit your own card, think twice."
    ),
    "TARGET": (
        "A face-up card of the leader earns again and again. A face-down card may hold a bank, or "
        "be an Ambush."
    ),
    "TARGET, last": (
        "A card of the leader that has still to act, or to pay, is worth most now. A face-down "
        "card may be an Ambush."
    ),
    "PLAYER": "1 less for the leader is worth most. From an empty pool you get nothing.",
    "COPIED": "Count what each would bring from where your Shapeshifter stands.",
}
"""What to consider by the step of a question, with the card placed or the cards in hand; and in the
last round, after which nothing is worth protecting, where another Heir is face up, and at both."""


def advice(question: Question) -> str:
    """Return what to consider in answering a question, to be translated; "" if nothing special."""
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
    """The table of one learner's first game, and what is said there."""

    def __init__(
        self,
        kept: Progress,
        keep: Callable[[Progress], None] = lambda _progress: None,
        name: str = "",
        pace_ms: int = PACE_MS,
    ) -> None:
        """Go on from what was kept.

        Args:
            kept: How far the learner has come; it must have been checked.
            keep: Is given what is to be kept, whenever that changes.
            name: The learner's.
            pace_ms: How long the opponents take once all there is to read has been read.
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
        """Whether what was kept could not be used, so that the lesson begins anew."""
        self.tutor = Tutor(kept.told)
        self._finished = kept.finished
        self._keep: Callable[[Progress], None] = lambda _progress: None
        self._pace_s = pace_ms / 1000
        self._due = False
        """Whether the opponents answer once the learner has read."""
        self._explain(0)
        for token in kept.tokens:
            self.play(token)
        self._keep, self.revision = keep, len(kept.tokens)

    @classmethod
    def resumed(cls, name: str = "", pace_ms: int = PACE_MS, *, restart: bool = False) -> "Lesson":
        """Go on with the lesson that was begun last, unless it is over or is to begin anew."""
        damaged = False
        try:
            kept = guided_game.recall()
        except DamagedError:
            kept, damaged = Progress(), True
        if restart or (kept.finished and len(kept.told) == len(TOPICS)):
            kept = Progress(finished=kept.finished)
        lesson = cls(kept, guided_game.keep, name, pace_ms)
        lesson.damaged = damaged and not restart
        return lesson

    # The game

    @property
    def tokens(self) -> tuple[str, ...]:
        """All answers so far."""
        assert self.record is not None
        return self.record.actions

    @property
    def over(self) -> bool:
        """Whether the game is over and all has been read."""
        return self.game.over and not self.reading

    @property
    def view(self) -> View:
        """What the learner sees."""
        return view(self.game, LEARNER)

    def play(self, token: str) -> None:
        """Give an answer for whoever is asked; explain what comes of it, and keep it."""
        happened = len(self.events)
        super().play(token)
        self._explain(happened)
        self._keep_now()

    def opponents_answer(self) -> Action:
        """Return what the opponent answers who is asked."""
        return lesson_script.opponents_answer(self.seen(), len(self.tokens))

    def ask_opponents(self) -> None:
        """Have them answer after a pause, and not before all there is to read has been read."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._pace_s, self._answer_or_wait)
        self._due, self.drop = False, timer.cancel

    def _answer_or_wait(self) -> None:
        self._due = self.reading
        if not self._due:
            self.answered(str(self.opponents_answer()))

    def stop(self) -> None:
        """Let the opponents answer no more."""
        self._due = False
        super().stop()

    def _explain(self, since: int) -> None:
        """Bring up what there is to read about what has happened since an event."""
        self.tutor.update(self.view, [project(each, LEARNER) for each in self.events[since:]])

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
                "Your place in the lesson could not be read, so the lesson starts over."
            )
        page = self.tutor.page
        return ("", "") if page is None else (_(page.topic), self._worded(page.text))

    @property
    def target(self) -> str:
        """What the open page speaks of, as `TOPICS` has it; "-" is nothing."""
        page = self.tutor.page
        return "-" if page is None or self.damaged else page.at

    def turn(self) -> bool:
        """Turn the page; return whether it was the last of those that there are."""
        if self.damaged:
            self.damaged = False
        elif self.tutor.turn():
            self._keep_now()
        if self.reading:
            return False
        if self._due:
            self.ask_opponents()
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

    def _worded(self, text: str) -> str:
        return _(text, red=OPPONENTS["r"], green=OPPONENTS["g"])

    def _keep_now(self) -> None:
        self._finished = self._finished or self.over
        self._keep(Progress(self.tokens, self.tutor.told, self._finished))


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

    @property
    def allowed(self) -> bool:
        """Whether the present choice leads to what the task says, or none is made."""
        return self.choice is None or self._leads(self.choice, self.task.answers)

    def confirm(self) -> Action | None:
        """Confirm the present choice, if the task allows it."""
        self._refused = None if self.allowed else (self.picked, self.chosen)
        return super().confirm() if self.allowed else None

    def _leads(self, option: Option, answers: tuple[str, ...]) -> bool:
        """Whether choosing an option leads to one of some answers."""
        if option.action is not None:
            return str(option.action) in answers
        if option.card is not None:
            return any(answer.startswith(option.card) for answer in answers)
        return any(answer.partition(">")[0] == str(option.position) for answer in answers)
