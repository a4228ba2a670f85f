"""Asks the teacher to judge each answer to a question, computed in a worker.

The teacher receives the player's own view and events, so it has only the player's knowledge.
"""

from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from engine.bots import TEACHER
from engine.events import Event
from engine.notation import format_position
from engine.views import View
from netcode.protocol.wire_events import to_wire
from netcode.workers.worker_pool import WorkerPool

if TYPE_CHECKING:
    from netcode.workers.questions import BotAnswer

THOUGHT_S: Final = 1.0
"""Maximum seconds to weigh answers: more than for a bot's move, since nobody else waits."""


class TeacherRequest:
    """The question to the teacher; there is one at a time."""

    def __init__(self) -> None:
        self.thought: BotAnswer | None = None
        """The answer to the last question; None until it arrives, and after `forget`."""
        self._request: tuple[WorkerPool, int] | None = None

    @property
    def thinking(self) -> bool:
        """True while the teacher thinks."""
        return self._request is not None

    def ask(
        self,
        view: View,
        events: Sequence[Event],
        pool: WorkerPool,
        show: Callable[[], object],
    ) -> None:
        """Ask about the view of a player who must decide, with the events before it.

        An earlier question is dropped. Calls `show` without arguments once the answer is in
        `thought`.
        """

        def take(thought: "BotAnswer") -> None:
            self._request, self.thought = None, thought
            show()

        from netcode.workers.questions import BotQuestion

        self.forget()
        seed = SystemRandom().getrandbits(64)
        wire_events = tuple(map(to_wire, events))
        question = BotQuestion(
            TEACHER, format_position(view), view.viewers, seed, "weigh", events=wire_events
        )
        self._request = pool, pool.ask(question, THOUGHT_S, take)

    def forget(self) -> None:
        """Drop the question and its answer."""
        if self._request is not None:
            pool, number = self._request
            pool.drop(number)
        self._request = self.thought = None
