"""Judges the decisions of a game by a strong bot.

It judges each decision from the seat's knowledge at that time. For a screen it runs in a separate
process, one decision after another, beginning near the present step.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.bots import TEACHER
from engine.bots.plans import Plan
from engine.replaying import ALL, Eyes, Replay

if TYPE_CHECKING:
    from netcode.workers.worker_main import BotAnswer, BotQuestion
    from netcode.workers.worker_pool import WorkerPool

BUDGET_S: Final = 5.0
"""Maximum seconds for a judgement on a slow machine. It usually takes one second, and then it is
always the same.
"""

PATIENCE: Final = 3
"""Number of consecutive failures after which the teacher stops."""


class Advice(Struct, frozen=True):
    """The teacher's judgement of a decision."""

    step: int
    """The step of the decision."""
    best: str
    """The teacher's answer, in the notation."""
    given: str
    """The given answer, in the notation."""
    best_share: float
    """The expected share of the victory after the teacher's answer, from 0 to 1."""
    given_share: float
    """The expected share of the victory after the given answer, from 0 to 1."""
    plan: Plan | None = None
    """Why the teacher's answer is better; None if there is no clear reason."""

    @property
    def same(self) -> bool:
        """True if both answers are the same."""
        return self.best == self.given

    @property
    def lost(self) -> float:
        """The loss by the decision, as a share of the victory."""
        return 0.0 if self.same else max(0.0, self.best_share - self.given_share)


def may_judge(replay: Replay, step: int, eyes: Eyes) -> bool:
    """Return True if the decision that led to a step may be judged with these eyes."""
    return step > 0 and bool(replay.legal(step - 1, eyes))


def decisions(replay: Replay, eyes: Eyes) -> list[int]:
    """Return the steps whose decisions may be judged with these eyes."""
    return [step for step in range(1, replay.last + 1) if may_judge(replay, step, eyes)]


def judge(replay: Replay, step: int) -> Advice | None:
    """Judge a decision, which takes about a second; return None if that is impossible."""
    from netcode.workers.worker_main import think

    return _advice(replay, step, think(_question(replay, step), lambda _made: True))


def _question(replay: Replay, step: int) -> "BotQuestion":
    """Return the question about a decision, with the seat's knowledge at that time."""
    from netcode.protocol.wire_events import to_wire
    from netcode.workers.worker_main import BotQuestion

    turn = replay.games[step - 1].turn
    return BotQuestion(
        bot=TEACHER,
        view=replay.line(step - 1, turn),
        eyes=replay.seen(step - 1, turn).viewers,
        seed=step,
        want="weigh",
        events=tuple(map(to_wire, replay.events_until(step - 1, turn))),
        given=replay.token(step),
    )


def _advice(replay: Replay, step: int, thought: "BotAnswer") -> Advice | None:
    """Return the judgement from a bot's answer; None if the bot has not tried the given answer."""
    shares = {token: share for token, share, tried in thought.weights if tried}
    given = replay.token(step)
    if given not in shares:
        return None
    best = thought.token
    return Advice(step, best, given, shares[best], shares[given], thought.plan)


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
            on_result: Is called after each judgement.
            there: True to show judgements at once.
        """
        self.there = there
        """True if the reader wants to see the judgements."""
        self.advice: dict[int, Advice] = {}
        """The judgements so far, by step."""
        self._replay, self._make_pool, self._on_result = replay, make_pool, on_result
        self._pool: WorkerPool | None = None
        self._eyes: Eyes = ALL
        self._near = 0
        self._failed: set[int] = set()
        self._in_a_row = 0
        self._pending: tuple[int, int] | None = None
        """The number of the question that the teacher is answering, and its step; None if there is
        none.
        """

    @property
    def given_up(self) -> bool:
        """True after too many failures."""
        return self._in_a_row >= PATIENCE

    def teach(self, eyes: Eyes, step: int) -> None:
        """Judge the decisions that these eyes may see, beginning with this step and later ones."""
        if not self.there:
            return
        self._eyes, self._near = eyes, step
        if self._pending is not None and self._pending[1] not in decisions(self._replay, eyes):
            self.stop()
        self._ask()

    def stop(self) -> None:
        """Stop judging. The judgements so far stay."""
        if self._pending is not None and self._pool is not None:
            self._pool.drop(self._pending[0])
        self._pending = None

    async def close(self) -> None:
        """Close the workers."""
        if self._pool is not None:
            await self._pool.close()

    def _ask(self) -> None:
        if self._pending is not None or self.given_up:
            return
        open_ones = [
            step
            for step in decisions(self._replay, self._eyes)
            if step not in self.advice and step not in self._failed
        ]
        if not open_ones:
            return
        step = min(open_ones, key=lambda each: (each < self._near, abs(each - self._near)))
        self._pool = self._pool or self._make_pool()
        number = self._pool.ask(_question(self._replay, step), BUDGET_S, self._answered)
        self._pending = number, step

    def _answered(self, thought: "BotAnswer") -> None:
        assert self._pending is not None
        step, self._pending = self._pending[1], None
        advice = _advice(self._replay, step, thought)
        if advice is None:
            self._failed.add(step)
            self._in_a_row += 1
        else:
            self.advice[step] = advice
            self._in_a_row = 0
        self._on_result()
        self._ask()
