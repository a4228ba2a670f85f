"""What a strong bot would have played at the decisions of a game that is looked back at.

It judges each decision by what the seat could know then, and by nothing that came after. On the
screen it thinks in a process of its own, one decision at a time, those first that are looked at.
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
"""Seconds after which it must have judged a decision, on however slow a machine; mostly it takes
one, and then always judges in the same way."""

PATIENCE: Final = 3
"""How many failures in a row end the teaching."""


class Advice(Struct, frozen=True):
    """What the teacher thinks of one decision."""

    step: int
    """The step to which the decision led."""
    best: str
    """The answer that it would have given, in notation."""
    given: str
    """The answer that was given, in notation."""
    best_share: float
    """The part of the victory, from 0 to 1, that it would have expected of its own answer."""
    given_share: float
    """The part of the victory that it expects of the answer that was given."""
    plan: Plan | None = None
    """What speaks for its own, if anything does plainly."""

    @property
    def same(self) -> bool:
        """Whether it would have played the same."""
        return self.best == self.given

    @property
    def lost(self) -> float:
        """How much of the victory the decision gave away."""
        return 0.0 if self.same else max(0.0, self.best_share - self.given_share)


def may_judge(replay: Replay, step: int, eyes: Eyes) -> bool:
    """Return whether the decision that led to a step may be judged with these eyes."""
    return step > 0 and bool(replay.legal(step - 1, eyes))


def decisions(replay: Replay, eyes: Eyes) -> list[int]:
    """Return the steps to which decisions led that may be judged with these eyes."""
    return [step for step in range(1, replay.last + 1) if may_judge(replay, step, eyes)]


def judge(replay: Replay, step: int) -> Advice | None:
    """Judge a decision here and now; takes about a second."""
    from netcode.workers.worker_main import think

    return _advice(replay, step, think(_question(replay, step), lambda _made: True))


def _question(replay: Replay, step: int) -> "BotQuestion":
    """Return what is asked about a decision: it has what the seat could know then, and no more."""
    from netcode.protocol.wire_events import to_wire
    from netcode.workers.worker_main import BotQuestion

    turn = replay.games[step - 1].turn
    return BotQuestion(
        bot=TEACHER,
        view=replay.line(step - 1, turn),
        eyes=replay.seen(step - 1, turn).viewers,
        seed=step,
        want="weigh",
        events=tuple(map(to_wire, replay.told_until(step - 1, turn))),
        given=replay.token(step),
    )


def _advice(replay: Replay, step: int, thought: "BotAnswer") -> Advice | None:
    """Return what was thought of a decision, or None if nothing was, or it was not tried."""
    shares = {token: share for token, share, tried in thought.weights if tried}
    given = replay.token(step)
    if given not in shares:
        return None
    best = thought.token
    return Advice(step, best, given, shares[best], shares[given], thought.plan)


class Teacher:
    """Judges decisions in the background while it is there."""

    def __init__(
        self,
        replay: Replay,
        make_pool: Callable[[], "WorkerPool"],
        told: Callable[[], object],
        *,
        there: bool = True,
    ) -> None:
        """Begin with nothing judged.

        Args:
            replay: The game.
            make_pool: Makes the processes that it thinks in, once it does.
            told: Is called whenever something has been judged.
            there: Whether it is there at once.
        """
        self.there = there
        """Whether it is said what it would have played."""
        self.advice: dict[int, Advice] = {}
        """What it thinks of each decision that it has judged, by step."""
        self._replay, self._make_pool, self._told = replay, make_pool, told
        self._pool: WorkerPool | None = None
        self._eyes: Eyes = ALL
        self._near = 0
        self._failed: set[int] = set()
        self._in_a_row = 0
        self._asked: tuple[int, int] | None = None
        """The number of the question that is being thought about, and its step."""

    @property
    def given_up(self) -> bool:
        """Whether there is nobody to ask."""
        return self._in_a_row >= PATIENCE

    def teach(self, eyes: Eyes, step: int) -> None:
        """Judge the decisions that these eyes may see, those at and after a step first."""
        if not self.there:
            return
        self._eyes, self._near = eyes, step
        if self._asked is not None and self._asked[1] not in decisions(self._replay, eyes):
            self.stop()
        self._ask()

    def stop(self) -> None:
        """Judge nothing more for now; what was judged stays."""
        if self._asked is not None and self._pool is not None:
            self._pool.drop(self._asked[0])
        self._asked = None

    async def close(self) -> None:
        """Let it go for good."""
        if self._pool is not None:
            await self._pool.close()

    def _ask(self) -> None:
        if self._asked is not None or self.given_up:
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
        self._asked = number, step

    def _answered(self, thought: "BotAnswer") -> None:
        assert self._asked is not None
        step, self._asked = self._asked[1], None
        advice = _advice(self._replay, step, thought)
        if advice is None:
            self._failed.add(step)
            self._in_a_row += 1
        else:
            self.advice[step] = advice
            self._in_a_row = 0
        self._told()
        self._ask()
