"""Judges the decisions of a game in a separate process, for a screen.

The teacher judges one decision at a time: first the present decision, then the decisions of a
review, then decisions near the present step.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from driflamme_tui.replay.judging import Advice, Review, advice_of, decisions, question_about
from driflamme_tui.replay.kept_judgements import keep_advice, kept_advice
from engine.cards import Seat
from engine.replaying import ALL, Eyes, Replay

if TYPE_CHECKING:
    from netcode.workers.questions import BotAnswer
    from netcode.workers.worker_pool import WorkerPool

BUDGET_S: Final = 20.0
"""Maximum seconds for a judgement on a slow machine.

Usually a judgement takes one second. The result is always the same, unless this limit ends the
judgement early.
"""

PATIENCE: Final = 3
"""Number of consecutive failures after which the teacher stops."""


def one_worker() -> "WorkerPool":
    """Return a worker pool of one process for the teacher."""
    from netcode.workers.worker_pool import WorkerPool

    return WorkerPool(1)


class Teacher:
    """Judges decisions in the background."""

    def __init__(
        self,
        replay: Replay,
        make_pool: Callable[[], "WorkerPool"],
        on_result: Callable[[], object],
        *,
        there: bool = True,
    ) -> None:
        """Begin without judgements.

        Args:
            replay: The game.
            make_pool: Creates the worker pool, at first use.
            on_result: Called after each judgement, and after each failed attempt.
            there: True to show judgements from the start.
        """
        self.there = there
        """True if the reader wants to see the judgements."""
        self.advice: dict[int, Advice] = {}
        """The judgements so far, by step."""
        self.review: Review | None = None
        """The review of one player's decisions; None before `begin_review`."""
        self._replay, self._make_pool, self._on_result = replay, make_pool, on_result
        self._pool: WorkerPool | None = None
        self._eyes: Eyes = ALL
        self._near = 0
        self._failed: set[int] = set()
        self._in_a_row = 0
        self._pending: tuple[int, int] | None = None
        """The number and the step of the question that the worker is answering; None for none."""

    @property
    def given_up(self) -> bool:
        """True after `PATIENCE` consecutive failures. The teacher then judges nothing."""
        return self._in_a_row >= PATIENCE

    def teach(self, eyes: Eyes, step: int) -> None:
        """Judge the decisions that these eyes may see, if `there` is True, and those of a review.

        The decision of the step is first, then come later decisions, then earlier ones.
        """
        self._eyes, self._near = eyes, step
        if self._pending is not None and self._pending[1] not in self._wanted():
            self.stop()
        self._ask()

    def begin_review(self, seat: Seat) -> Review:
        """Judge all decisions of a seat's player, in the background; return the review.

        The review begins with stored judgements. If the teacher has given up, it tries again.
        """
        if self.review is None or self.review.seat != seat:
            self._keep()
            self.advice |= kept_advice(self._replay, seat)
            self.review = Review(self._replay, seat, self.advice)
            self.review.failed = self._failed
        # The reader asks again, so count consecutive failures from 0.
        self._in_a_row = 0
        self._ask()
        return self.review

    def stop(self) -> None:
        """Drop the pending question of the teacher. The judgements so far stay."""
        if self._pending is not None and self._pool is not None:
            self._pool.drop(self._pending[0])
        self._pending = None

    async def close(self) -> None:
        """Store the judgements of the review, and close the workers."""
        self._keep()
        if self._pool is not None:
            await self._pool.close()

    def _keep(self) -> None:
        if self.review is not None:
            keep_advice(self._replay, self.review.seat, self.advice)

    def _wanted(self) -> list[int]:
        """Return the steps that are to be judged, the most urgent first."""
        there = decisions(self._replay, self._eyes) if self.there else []
        due = [step for step in there if step not in self.advice and step not in self._failed]
        due.sort(key=lambda each: (each != self._near, each < self._near, abs(each - self._near)))
        reviewed = None if self.review is None else self.review.next_step
        if reviewed is not None:
            due.insert(int(due[:1] == [self._near]), reviewed)
        return due

    def _ask(self) -> None:
        wanted = [] if self._pending is not None or self.given_up else self._wanted()
        if not wanted:
            return
        step = wanted[0]
        before = self.advice.get(step)
        question = question_about(self._replay, step, before=before)
        self._pool = self._pool or self._make_pool()
        self._pending = self._pool.ask(question, BUDGET_S, self._answered), step

    def _answered(self, thought: "BotAnswer") -> None:
        assert self._pending is not None
        step, self._pending = self._pending[1], None
        if self.review is not None and step == self.review.next_step:
            is_judged = self.review.answered(step, thought)
        elif (advice := advice_of(self._replay, step, thought)) is not None:
            self.advice[step], is_judged = advice, True
        else:
            self._failed.add(step)
            is_judged = False
        self._in_a_row = 0 if is_judged else self._in_a_row + 1
        if self.review is not None and self.review.is_done:
            self._keep()
        self._on_result()
        self._ask()
