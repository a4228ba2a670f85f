"""What the teacher thinks of each answer to a question, thought out in a worker.

The teacher receives the player's own view and events, so it knows what they know.
"""

from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Final

from engine.bots import TEACHER
from engine.events import Event
from engine.notation import format_position
from engine.views import View
from netcode.protocol.wire_events import to_wire
from netcode.workers.worker_main import BotAnswer, BotQuestion
from netcode.workers.worker_pool import WorkerPool

THOUGHT_S: Final = 1.0
"""Seconds to weigh answers: more than a bot takes to play, as nobody else waits for it."""


class TeacherRequest:
    """The question to the teacher, of which there is one at a time."""

    def __init__(self) -> None:
        self.thought: BotAnswer | None = None
        """What came of the last one, until it is forgotten."""
        self._request: tuple[WorkerPool, int] | None = None

    @property
    def thinking(self) -> bool:
        """Whether the teacher is at it."""
        return self._request is not None

    def ask(
        self,
        view: View,
        events: Sequence[Event],
        pool: WorkerPool,
        tell: Callable[[], object],
    ) -> None:
        """Ask about a view whose reader is asked, and who knows events that led there.

        `tell` is called once there is an answer.
        """

        def take(thought: BotAnswer) -> None:
            self._request, self.thought = None, thought
            tell()

        self.forget()
        seed = SystemRandom().getrandbits(64)
        wire_events = tuple(map(to_wire, events))
        question = BotQuestion(
            TEACHER, format_position(view), view.viewers, seed, "weigh", events=wire_events
        )
        self._request = pool, pool.ask(question, THOUGHT_S, take)

    def forget(self) -> None:
        """Want no answer any more."""
        if self._request is not None:
            pool, number = self._request
            pool.drop(number)
        self._request = self.thought = None
